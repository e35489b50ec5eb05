# SPDX-License-Identifier: Apache-2.0
"""ndft recon: images from files, or of the demo."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from .._kinds import kind_of
from ..errors import Error, FileError, InvalidError, UnsupportedError
from . import _demo
from ._acquisition import Acquisition
from ._extent import said_of
from ._arguments import Words, parsed
from ._field import extended
from ._misfit import misfit
from ._progress import Progress
from ._reconstruct import Reconstruction, Settings, reconstruct, weights_of
from ._sharpness import signs
from .files import check_outputs, load, save

Array = np.ndarray[Any, Any]
_USAGE, _FAILED, _INTERRUPTED = 2, 3, 130
_SOME = .01  # of the voxels: fewer zeros are as likely values
_TOLD = 1e-3  # misfits, and sharpness, that differ by less tell nothing


def say(text: str) -> None:
    print(f"ndft: {text}", file=sys.stderr, flush=True)


def _continued(scan: Acquisition, words: Words) -> Acquisition:
    """With the zeros of the map as they were asked for."""
    if scan.field is None:
        return scan
    zeros = float((scan.field == 0).mean())
    if words.field_zeros == "keep" or zeros < _SOME or zeros == 1:
        return scan
    say(f"the field map is exactly 0 in {100 * zeros:.0f} % of its voxels, taken as not measured and continued from "
        "the others (--field-zeros keep leaves them)")
    maps = scan.field.reshape(-1, *scan.shape)
    return replace(scan, field=np.stack([extended(one) for one in maps]).reshape(scan.field.shape))


def _tell_signs(scan: Acquisition, continued: Acquisition, words: Words, weights: list[Array]) -> None:
    """Of the map as the file has it, by the slice in the middle of the first frame; with density weights even where
    images are fitted without, since the adjoint's blur hides the map's."""
    slice_ = scan.slices // 2
    field = scan.field_of(slice_)
    if field is None or scan.t is None or not field.any():
        return
    weights = weights or weights_of(scan, replace(words.settings, density=Settings().density))
    data = kind_of(scan.data).host(scan.data[0, slice_])
    found = signs(scan.shape, scan.k_of(0), scan.t, field, data, weights[0], phase=scan.phase_of(0, slice_),
                  **words.settings.options)
    say(str(found))
    if found.wrong or found.given < (1 + _TOLD) * found.without:
        _tell_misfits(continued, words, weights, found.wrong)


def _tell_misfits(scan: Acquisition, words: Words, weights: list[Array], less_sharp: bool) -> None:
    """Asked where sharpness tells nothing, or that the sign is wrong."""
    if scan.field is None:
        return
    given, negative = (misfit(replace(scan, field=one), words.settings, weights[0])
                       for one in (scan.field, -scan.field))
    say(f"misfit of the samples after a few iterations: {given:.4g} with the map, {negative:.4g} with its negative")
    if negative < (1 - _TOLD) * given:
        say("the field map seems to have the wrong sign: exp(-i field t) is in the signal, and --field-sign "
            f"{-words.field_sign} takes its negative")
    elif given > (1 - _TOLD) * negative:
        say("the scan does not tell the map's sign")
    elif less_sharp:
        say("the two disagree on the map's sign: noise and false edges look sharp, the samples are the surer sign")


def _written(found: Reconstruction, words: Words, scan: Acquisition) -> tuple[str, int]:
    """All that can be: their names, and the status."""
    names = []
    images = kind_of(found.images).host(found.images)
    for path in words.outputs:
        try:
            save(path, images, scan.fov)
            names.append(path)
        except FileError as error:
            say(str(error))
    return ", ".join(names) or "nothing was written", 0 if len(names) == len(words.outputs) else _USAGE


def _images(words: Words) -> int:
    check_outputs(words.outputs, list(words.asked.files.values()))
    given, own = load(words.asked, say)
    for line in said_of(given):
        say(line)
    weights = weights_of(given, words.settings) if own is None else [own] * (given.frames if given.own_k else 1)
    if given.field is not None:
        given = replace(given, field=words.field_sign * given.field)
    scan = _continued(given, words)
    _tell_signs(given, scan, words, weights)
    progress, started = Progress(), time.monotonic()
    found = reconstruct(scan, words.settings, weights, progress)
    progress.end()
    done = [steps for steps in found.steps if steps]
    if not done:
        say("interrupted before the first iteration was finished: nothing was written")
        return _INTERRUPTED
    names, status = _written(found, words, scan)
    if not found.finished:
        say(f"interrupted: {names} has what {len(done[-1])} of at most {words.settings.iterations} iterations found" +
            (f", of the first {len(done)} parts" if len(done) > 1 else ""))
        return status or _INTERRUPTED
    say(f"{names}: {max(map(len, done))} iterations in {time.monotonic() - started:.1f} s, residual "
        f"{max(steps[-1] for steps in done):.1e}, sharpness {found.sharpness:.4g}")
    return status


def main(words: list[str]) -> int:
    """The exit status: 0, 2 for what was asked or read, 3 for what failed here, 130 where it was interrupted."""
    try:
        asked = parsed(words)
        np.seterr(all="ignore")  # what does not stay finite is looked for
        warnings.showwarning = lambda message, *_: say(f"warning: {message}")
        return _demo.demo(asked.outputs[0], asked.settings, say) if asked.demo else _images(asked)
    except (InvalidError, FileError, UnsupportedError) as error:
        say(str(error))
        return _USAGE
    except Error as error:
        say(str(error))
        return _FAILED
    except MemoryError as error:
        say(f"memory does not suffice: {error}")
        return _FAILED
    except KeyboardInterrupt:
        say("interrupted: nothing was written")
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
