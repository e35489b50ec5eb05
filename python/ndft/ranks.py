# SPDX-License-Identifier: Apache-2.0
"""Processes with a device each that work on one problem: ranks of torchrun, mpirun or Slurm.

PyTorch and mpi4py are not imported here: who hands over a group of theirs has done so.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
import weakref
from typing import Any, Callable, Mapping

from ._library import encoded, library, made
from ._structures import CommunicatorOptions, sized
from .errors import InvalidError

PORT, HIGHEST_PORT = 29500, 65535  # torchrun's own; ranks meet at the next
_RANKS = (("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
          "OMPI_COMM_WORLD_LOCAL_SIZE"), ("PMI_RANK", "PMI_SIZE", ""), ("SLURM_PROCID", "SLURM_NTASKS", ""))


class Ranks:
    """This process among others that make the same plans and executions, in the same order.

    rank, size  of this process, and how many there are
    address     "host:port" of rank 0, which listens there while ranks find each other
    timeout     s that a call waits for ranks that do not come; 25 by default
    """

    def __init__(self, rank: int, size: int, address: str | None = None, timeout: float | None = None) -> None:
        if timeout is not None and not timeout > 0:
            raise InvalidError(f"timeout={timeout!r}; above 0, or None")
        where = None if address is None else encoded("address", address)
        options = sized(CommunicatorOptions, rank=rank, size=size, timeout_s=timeout or 0, address=where)
        self.rank, self.size = rank, size
        self.communicator = made(library.ndft_communicator_create, ctypes.byref(options))
        weakref.finalize(self, library.ndft_communicator_destroy, self.communicator).atexit = False

    @classmethod
    def of_environment(cls, timeout: float | None = None) -> Ranks:
        """As torchrun, mpirun or srun say. They meet at the port after MASTER_PORT (29500) of MASTER_ADDR, which may
        be left out where all are on one host."""
        return cls(*_told(os.environ), timeout)

    @classmethod
    def of_group(cls, group: Any, timeout: float | None = None) -> Ranks:
        """Of a torch.distributed process group, whatever its backend, or an mpi4py communicator."""
        rank, size, gather = _group(group)
        hosts = gather((socket.gethostname(), *_free_place()))
        host = "127.0.0.1" if len({name for name, _, _ in hosts}) == 1 else hosts[0][1]
        return cls(rank, size, f"{host}:{hosts[0][2]}", timeout)

    def __repr__(self) -> str:
        return f"<ndft.Ranks {self.rank} of {self.size}>"


def _told(environment: Mapping[str, str]) -> tuple[int, int, str]:
    """rank, size and address"""
    for rank, size, local in _RANKS:
        if rank in environment and size in environment:
            break
    else:
        raise InvalidError("the environment says no rank; " + ", ".join(f"{a} and {b}" for a, b, _ in _RANKS) +
                           " are understood")
    host = environment.get("MASTER_ADDR")
    if host is None and environment[size] not in ("1", environment.get(local)):
        raise InvalidError("MASTER_ADDR is not set; the host of rank 0")
    port = environment.get("MASTER_PORT", str(PORT))
    for name, text in ((rank, environment[rank]), (size, environment[size]), ("MASTER_PORT", port)):
        if not text.isdecimal():
            raise InvalidError(f"{name}={text!r}; a number")
    if not 0 < int(port) < HIGHEST_PORT:
        raise InvalidError(f"MASTER_PORT={port}; ranks meet at the next, so 1 to {HIGHEST_PORT - 1}, nearest: "
                           f"{max(1, min(int(port), HIGHEST_PORT - 1))}")
    return int(environment[rank]), int(environment[size]), f"{host or '127.0.0.1'}:{int(port) + 1}"


def _free_place() -> tuple[str, int]:
    """This host as others know it, and a port at which nobody listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
        try:
            outward.connect(("192.0.2.1", 9))  # of no host: nothing is sent
            host = outward.getsockname()[0]
        except OSError:
            host = "127.0.0.1"
    with socket.socket() as listener:
        listener.bind(("", 0))
        return host, listener.getsockname()[1]


def _group(group: Any) -> tuple[int, int, Callable[[Any], list[Any]]]:
    """rank, size, and what gathers an object of each rank."""
    if all(hasattr(group, name) for name in ("Get_rank", "Get_size", "allgather")):
        return group.Get_rank(), group.Get_size(), group.allgather
    torch = sys.modules.get("torch.distributed")
    if torch is None or not isinstance(group, torch.ProcessGroup):
        raise InvalidError(f"group={group!r}; ndft.Ranks, a torch.distributed process group, an mpi4py communicator "
                           "or 'env'")
    size = torch.get_world_size(group)

    def gather(one: Any) -> list[Any]:
        all_of: list[Any] = [None] * size
        torch.all_gather_object(all_of, one, group=group)
        return all_of

    return torch.get_rank(group), size, gather


_known: weakref.WeakKeyDictionary[Any, Ranks] = weakref.WeakKeyDictionary()
_of_environment: list[Ranks] = []


def ranks_of(group: Any) -> Ranks:
    """Those that a plan is told; of another's group they are connected once."""
    if isinstance(group, Ranks):
        return group
    if isinstance(group, str):
        if group != "env":
            raise InvalidError(f"group={group!r}; 'env' is the ranks of torchrun, mpirun or Slurm")
        if not _of_environment:
            _of_environment.append(Ranks.of_environment())
        return _of_environment[0]
    try:
        found = _known.get(group)
    except TypeError:  # cannot be kept in mind
        return Ranks.of_group(group)
    return found or _known.setdefault(group, Ranks.of_group(group))
