# SPDX-License-Identifier: Apache-2.0
"""The words behind ndft recon."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import NamedTuple, NoReturn

from ..errors import InvalidError
from ._reconstruct import Settings
from ._units import DECAY_UNITS, FIELD_UNITS, K_UNITS, T_UNITS, Units
from .files import Asked
from .files.roles import ROLES

_PRESET = Settings()


class Words(NamedTuple):
    """outputs are files, of the demo one folder."""

    demo: bool
    asked: Asked
    outputs: list[str]
    settings: Settings
    field_sign: int
    field_zeros: str


def _sizes(text: str) -> tuple[int, ...]:
    words = text.split("x")
    if not 1 <= len(words) <= 3 or not all(word.isdecimal() and int(word) for word in words):
        raise argparse.ArgumentTypeError(f"{text!r}; 1 to 3 sizes of at least 1 are valid, as 192x192")
    return tuple(map(int, words))


def _lengths(text: str) -> tuple[float, ...]:
    try:
        found = tuple(1e-3 * float(word) for word in text.split("x"))
    except ValueError:
        found = ()
    if not 1 <= len(found) <= 3 or not all(0 < length < 10 for length in found):
        raise argparse.ArgumentTypeError(f"{text!r}; 1 to 3 lengths above 0 and below 10000 mm are valid, as 220x220")
    return found


class _Parser(argparse.ArgumentParser):
    """What is wrong is said like everything else, and names the nearest option."""

    def error(self, message: str) -> NoReturn:
        unknown = re.match(r"unrecognized arguments: (--[^ =]+)", message)
        if unknown:
            options = [option for option in self._option_string_actions if option.startswith("--")]
            near = difflib.get_close_matches(unknown[1], options, 1, 0)[0]
            raise InvalidError(f"there is no option {unknown[1]!r}; nearest: {near}")
        raise InvalidError(f"{message}; --help tells more")


def _parser() -> argparse.ArgumentParser:
    roles = "\n".join(f"  {name}=PATH  {role.axes}" for name, role in ROLES.items())
    parser = _Parser(
        prog="ndft recon", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Images of a scan by CG-SENSE with field map and decay, into .npy, .cfl, .nii or .png.",
        epilog=f"files: one SCAN.h5 of ISMRMRD, or by role, .npy in C order or BART's .cfl:\n{roles}\n"
               "docs/reconstruction.md has units and conventions")
    parser.add_argument("files", nargs="*", metavar="FILE", help="SCAN.h5, or ROLE=PATH as below")
    parser.add_argument("-o", dest="outputs", action="append", default=[], metavar="PATH",
                        help="where images go, as often as wanted; of --demo a folder")
    parser.add_argument("--demo", action="store_true", help="a scan that is made up, with and without its field map")
    parser.add_argument("--shape", type=_sizes, metavar="NYxNX", help="of the image in C order, where no map has it")
    parser.add_argument("--fov", type=_lengths, metavar="MM", help="field of view, for --k-unit and .nii")
    parser.add_argument("--k-unit", choices=K_UNITS, help="of traj; cycles/FOV, and doubted, where it is not given")
    parser.add_argument("--t-unit", choices=list(T_UNITS), help="of times; s, and doubted")
    parser.add_argument("--field-unit", choices=list(FIELD_UNITS), help="of field; rad/s, and doubted")
    parser.add_argument("--decay-unit", choices=list(DECAY_UNITS), help="of decay; 1/s, and doubted")
    parser.add_argument("--field-sign", type=int, choices=(1, -1), default=1, help="-1 turns the map's sign")
    parser.add_argument("--field-zeros", choices=("continue", "keep"), default="continue",
                        help="voxels where the map is exactly 0 were not measured: continued from those that were")
    parser.add_argument("--iterations", type=int, default=_PRESET.iterations, metavar="N",
                        help="at most so many (%(default)s)")
    parser.add_argument("--stop", type=float, default=_PRESET.stop, metavar="X",
                        help="residual at which an image is finished (%(default)s)")
    parser.add_argument("--damping", type=float, default=_PRESET.damping, metavar="X", help="Tikhonov's (%(default)s)")
    parser.add_argument("--density", type=int, default=_PRESET.density, metavar="N",
                        help="iterations of Pipe's weights (%(default)s); 0: plain least squares")
    parser.add_argument("--middle", type=float, default=_PRESET.middle, metavar="K",
                        help="radius in cycles/FOV that coil maps are estimated from (%(default)s)")
    parser.add_argument("--tol", type=float, help="error of the operator, 1e-4 where it is not given")
    parser.add_argument("--device", metavar="NAME", help="cpu, cuda or cuda:N (cpu); several with commas between")
    parser.add_argument("--threads", type=int, metavar="N", help="of the processor")
    return parser


def _role_of(word: str) -> tuple[str, str]:
    name, found, path = word.partition("=")
    if found and name in ROLES and path:
        return name, path
    if found and "/" not in name:
        near = difflib.get_close_matches(name, ROLES, 1, 0)[0]
        raise InvalidError(f"{word}: there is no role {name!r}, or no path; nearest: {near}=PATH")
    if word.endswith((".h5", ".hdf5")):
        return "scan", word
    raise InvalidError(f"{word}: what is it? SCAN.h5 of ISMRMRD is valid, or one of "
                       f"{', '.join(f'{name}=PATH' for name in ROLES)}")


def parsed(words: list[str]) -> Words:
    """InvalidError for what argparse does not see."""
    found = _parser().parse_intermixed_args(words)
    files: dict[str, str] = {}
    for word in found.files:
        name, path = _role_of(word)
        if name in files:
            raise InvalidError(f"{word}: {name} is {files[name]} already; one file of a role is valid")
        files[name] = path
    if found.demo and (files or len(found.outputs) > 1):
        raise InvalidError("--demo takes no files and one folder, -o FOLDER")
    if not found.demo and not files:
        raise InvalidError("no files; SCAN.h5, or data=PATH and traj=PATH, or --demo, is valid (--help tells more)")
    if not found.outputs:
        raise InvalidError("nowhere to write; -o PATH is wanted, " +
                           ("a folder" if found.demo else "of .npy, .cfl, .nii or .png"))
    options = {name: getattr(found, name) for name in ("tol", "device", "threads") if getattr(found, name) is not None}
    if found.device and "," in found.device:
        options["devices"] = options.pop("device").split(",")
    settings = Settings(found.iterations, found.stop, found.damping, found.density, found.middle, options)
    asked = Asked(files, found.shape, found.fov, Units(found.k_unit, found.t_unit, found.field_unit, found.decay_unit))
    return Words(found.demo, asked, found.outputs, settings, found.field_sign, found.field_zeros)
