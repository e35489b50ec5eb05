# SPDX-License-Identifier: Apache-2.0
"""Plans over several processes are those over as many devices of one."""

import os
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest

import ndft
import rank
from ndft.ranks import PORT, _told

LAUNCHERS = {"torchrun": ("RANK", "WORLD_SIZE"), "mpirun": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
             "srun": ("SLURM_PROCID", "SLURM_NTASKS")}


def free_port():
    while True:
        with socket.socket() as one, socket.socket() as next_one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
            try:
                next_one.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def start(n, what, folder, launcher="torchrun"):
    names, port = LAUNCHERS[launcher], free_port()
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
                   "OMP_WAIT_POLICY": "passive"}
    return [subprocess.Popen([sys.executable, rank.__file__, what, str(folder)], stdout=subprocess.PIPE, text=True,
                             env=environment | {names[0]: str(one), names[1]: str(n)}) for one in range(n)]


def found(n, what, folder, launcher="torchrun"):
    """Of each rank."""
    for process in start(n, what, folder, launcher):
        assert process.wait(60) == 0
    return [list(np.load(folder / f"{one}.npz").values()) for one in range(n)]


def expect_bits(of_ranks, right):
    for of_one in of_ranks:
        assert [one.tobytes() for one in of_one] == [one.tobytes() for one in right]


@pytest.mark.parametrize("n,launcher", [(1, "torchrun"), (2, "mpirun"), (4, "srun"), (8, "torchrun")])
def test_same_bits(n, launcher, tmp_path):
    expect_bits(found(n, "env", tmp_path, launcher), rank.results(devices=["cpu"], deterministic=True))


def test_mpi4py(tmp_path):
    expect_bits(found(2, "mpi4py", tmp_path), rank.results(devices=["cpu"], deterministic=True))


def test_torch(tmp_path):
    pytest.importorskip("torch")
    expect_bits(found(2, "torch", tmp_path), rank.results(devices=["cpu"], deterministic=True))


def test_images_are_reconstructed(tmp_path):
    one, (first, second) = rank.image(device="cpu"), found(2, "image", tmp_path)
    assert first[0].tobytes() == second[0].tobytes()
    assert np.linalg.norm(first[0] - one) < 1e-3 * np.linalg.norm(one)


def test_a_rank_is_killed(tmp_path):
    processes = start(3, "killed", tmp_path)
    for process in processes:
        assert process.stdout.readline() == "works\n"
    processes[1].send_signal(signal.SIGKILL)
    for one in (0, 2):
        for _ in processes[one].stdout:
            pass
        assert processes[one].wait(20) == 0
        assert "is gone" in str(np.load(tmp_path / f"{one}.npz")["arr_0"])
    processes[1].wait()


@pytest.mark.parametrize("environment,told", [
    ({"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "a", "MASTER_PORT": "7", "SLURM_PROCID": "5", "SLURM_NTASKS": "9"},
     (1, 2, "a:8")),
    ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"},
     (0, 2, f"127.0.0.1:{PORT + 1}")),
    ({"PMI_RANK": "3", "PMI_SIZE": "4", "MASTER_ADDR": "b"}, (3, 4, f"b:{PORT + 1}"))])
def test_environment(environment, told):
    assert _told(environment) == told


@pytest.mark.parametrize("environment,sentence", [
    ({}, "the environment says no rank; RANK and WORLD_SIZE, "),
    ({"SLURM_PROCID": "1", "SLURM_NTASKS": "4"}, "MASTER_ADDR is not set"),
    ({"RANK": "one", "WORLD_SIZE": "1"}, "RANK='one'; a number"),
    ({"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "a", "MASTER_PORT": "p"}, "MASTER_PORT='p'; a number"),
    ({"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "a", "MASTER_PORT": "65535"}, "MASTER_PORT=65535; .*nearest: 65534"),
    ({"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "a", "MASTER_PORT": "0"}, "nearest: 1$")])
def test_environment_refused(environment, sentence):
    with pytest.raises(ndft.InvalidError, match=sentence):
        _told(environment)


@pytest.mark.parametrize("make,sentence", [
    (lambda: ndft.Ranks(2, 2, "127.0.0.1:1"), "rank=2 of 2; 0 to 1, nearest: 1"),
    (lambda: ndft.Ranks(2**32, 2, "127.0.0.1:1"), "rank=4294967296; too large a number"),
    (lambda: ndft.Ranks(0, 2**32 + 1), "size=4294967297; too large a number"),
    (lambda: ndft.Ranks(0, 2, "127.0.0.1:70000"), "ports are 1 to 65535, nearest: 65535"),
    (lambda: ndft.Ranks(0, 2), "none of address, id and nccl"),
    (lambda: ndft.Ranks(0, 2, "127.0.0.1"), "host:port"),
    (lambda: ndft.Ranks(0, 1, timeout=0), "timeout=0; above 0"),
    (lambda: ndft.Plan((4, 4), np.zeros((3, 2)), group="all"), "group='all'; 'env'"),
    (lambda: ndft.Plan((4, 4), np.zeros((3, 2)), group=3), "group=3; ndft.Ranks, a torch"),
    (lambda: ndft.Plan((4, 4), np.zeros((3, 2)), group="env", devices=["cpu"]), "and a group; each rank has one")])
def test_refused(make, sentence):
    with pytest.raises(ndft.InvalidError, match=sentence):
        make()


def test_one_rank():
    expect_bits([rank.results(group=ndft.Ranks(0, 1))], rank.results(device="cpu"))


def test_nothing_is_imported():
    """PyTorch and mpi4py are whoever's hands them over."""
    code = "import sys, ndft; ndft.Ranks(0, 1); assert not {'torch', 'mpi4py'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
