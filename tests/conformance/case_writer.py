"""Writes cases into safetensors files, as case_reader.h describes them."""
import json
import struct
import zlib

import numpy as np
import torch

_DTYPES = {"f32": "<f4", "f64": "<f8", "i64": "<i8", "u8": "u1", "q8": "i1"}
_PACKED = {"f32": "F32", "f64": "F64", "i64": "I64", "u8": "BOOL", "q8": "I8"}


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


def _array(tensor, stored):
    values = tensor.detach().numpy()
    if stored == "q8":
        values = values * 1024
        assert (values == np.round(values)).all() and (abs(values + 0.5) < 128.5).all()
    return values.astype(_DTYPES[stored])


def _plain(value):
    return value if isinstance(value, (str, float)) else int(value)


_metadata, _tensors = {}, {}  # of the cases since the last write_suite()


def write_case(name, op, categories, attributes, inputs, outputs, *, rtol, atol):
    """Each input and output is (name, numbers, how they are stored)."""
    assert name not in _metadata
    _metadata[name] = json.dumps({
        "op": op, "categories": categories, "attributes": {key: _plain(value) for key, value in attributes},
        "rtol": float(rtol), "atol": float(atol)})
    for side, tensors in (("in", inputs), ("out", outputs)):
        for label, tensor, stored in tensors:
            _tensors[f"{name}/{side}/{label}"] = _PACKED[stored], _array(tensor, stored)


def write_suite(path):
    places, end = {}, 0
    by_size = sorted(_tensors.items(), key=lambda item: -item[1][1].itemsize)  # so that all are aligned
    for name, (_, array) in by_size:
        places[name] = [end, end + array.nbytes]
        end += array.nbytes
    header = json.dumps({"__metadata__": _metadata, **{
        name: {"dtype": dtype, "shape": array.shape, "data_offsets": places[name]}
        for name, (dtype, array) in _tensors.items()}}, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header)
        out.writelines(array.tobytes() for _, (_, array) in by_size)
    _metadata.clear()
    _tensors.clear()
