# SPDX-License-Identifier: Apache-2.0
"""Images into files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from ...errors import FileError, InvalidError
from . import cfl, nifti, npy, png
from .regular import begins

Array = np.ndarray[Any, Any]
_BEGINS = {".npy": npy.MAGIC, ".nii": nifti.MAGIC, ".png": png.MAGIC, ".cfl": b"", ".hdr": b"# Dimensions"}


def put(path: Path, content: bytes) -> None:
    """Under another name first, so that what was there stays until all of it is written. FileError."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise FileError(f"{path}: {error.strerror or error}") from None


def _files(path: str) -> tuple[Path, ...]:
    return cfl.pair(path) if path.endswith((".cfl", ".hdr")) else (Path(path),)


def check_outputs(paths: Sequence[str], inputs: Sequence[str]) -> None:
    """Before anything is computed: InvalidError for a format that is not written, for a file of the input, and for
    one that is there and is none of that format; FileError where no file can be written."""
    for path in paths:
        if Path(path).suffix not in _BEGINS:
            raise InvalidError(f"{path}: images are written as {', '.join(sorted(_BEGINS))}, by the end of the name")
        for file in _files(path):
            if any(os.path.realpath(file) == os.path.realpath(other) for name in inputs for other in _files(name)):
                raise InvalidError(f"{file} is read from; another name is valid for what is written")
            _check_place(file)


def _check_place(file: Path) -> None:
    try:
        if file.exists() and not begins(file, _BEGINS[file.suffix]):
            raise InvalidError(f"{file} is there and does not begin as {file.suffix} files do, so it stays; another "
                               "name is valid")
        above = next(folder for folder in file.absolute().parents if folder.exists())
    except OSError as error:
        raise FileError(f"{file}: {error.strerror or error}") from None
    if not (above.is_dir() and os.access(above, os.W_OK)):
        raise FileError(f"{file}: no file can be written in {above}")


def save(path: str, images: Array, fov: Sequence[float] | None = None) -> None:
    """Images (frames, slices, *shape), complex: .npy and .cfl (x, y, z, time 10, slice 13) as they are, .nii and .png
    their moduli; fov in m along the axes of shape, which .nii tells. FileError."""
    suffix = Path(path).suffix
    if suffix in (".cfl", ".hdr"):
        for file, content in zip(cfl.pair(path), cfl.written(images)):
            put(file, content)
    elif suffix == ".nii":
        put(Path(path), nifti.written(images, fov))
    elif suffix == ".png":
        put(Path(path), png.written(images))
    else:
        put(Path(path), npy.written(images))
