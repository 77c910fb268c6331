"""Writes one case: a folder with case.txt and raw tensor files (see case_reader.h)."""
import os
import zlib

import numpy as np
import torch

_DTYPES = {"f32": np.float32, "f64": np.float64, "i64": np.int64, "u8": np.uint8}
_ORIGINAL = {"f32": "float32", "f64": "float64", "i64": "int64", "u8": "bool", "q8": "float32"}


class Draw:
    """Random tensors of one case; the seed is its name."""

    def __init__(self, name, stored="f32", gain=1.0):
        self._stored, self._gain = stored, gain
        self._random = np.random.RandomState(zlib.crc32(name.encode()))

    def __call__(self, *shape):
        if self._stored == "q8":
            return torch.tensor(self._random.randint(-128, 128, shape) / 1024).float()
        return torch.tensor(self._random.standard_normal(shape) * self._gain).float()

    def mask(self, kind, *shape):
        if kind == "bool":
            return torch.tensor(self._random.random_sample(shape) < 0.65)
        return torch.tensor(self._random.standard_normal(shape) * 2).float()


def _bytes(tensor, stored):
    values = tensor.detach().numpy()
    if stored == "q8":
        scaled = values * 1024
        assert (scaled == np.round(scaled)).all() and (abs(scaled + 0.5) < 128.5).all()
        return scaled.astype(np.int8).tobytes()
    return np.ascontiguousarray(values.astype(_DTYPES[stored])).astype(
        np.dtype(_DTYPES[stored]).newbyteorder("<")).tobytes()


def write_case(name, op, categories, attributes, inputs, outputs, *, rtol, atol):
    os.mkdir(name)
    lines = [f"case {name} | suite torch | op {op} | categories {categories}"]
    for key, value in attributes:
        if isinstance(value, str):
            lines.append(f"attr {key} str {value}")
        elif isinstance(value, float):
            lines.append(f"attr {key} float {value!r}")
        else:
            lines.append(f"attr {key} int {int(value)}")
    for record, tensors in (("in", inputs), ("out", outputs)):
        for label, tensor, stored in tensors:
            data = _bytes(tensor, stored)
            file = f"{label}.{stored}"
            with open(os.path.join(name, file), "wb") as out:
                out.write(data)
            dims = " ".join(map(str, (tensor.dim(), *tensor.shape)))
            lines.append(f"{record} {label} {stored} {_ORIGINAL[stored]} {dims} {file}")
    lines += [f"tol rtol {rtol!r}", f"tol atol {atol!r}"]
    with open(os.path.join(name, "case.txt"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
