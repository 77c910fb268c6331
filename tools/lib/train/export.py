"""The shipped file: safetensors, matrices as int8 with a scale a row, configuration and head table in its metadata."""
import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import torch

from model import Config, Model
from tokenizer import START, Tokenizer

FORMAT = "attention-playground 1"
LARGEST = 2_000_000  # bytes


def quantise(matrix):
    """A float matrix [rows, columns] as (int8, scale [rows]): value = int8 · scale[row]."""
    scale = np.abs(matrix).max(axis=1) / 127
    scale = np.where(scale == 0, 1, scale).astype(np.float32)
    return np.rint(matrix / scale[:, None]).clip(-127, 127).astype(np.int8), scale


def tensors(model):
    """The model's parameters under the names of the file."""
    found = {}
    for name, value in model.state_dict().items():
        value = value.detach().numpy().astype(np.float32)
        owner, _, kind = name.rpartition(".")
        if name == "positions":
            found["positions.weight"] = value
        elif owner.rpartition(".")[2] in ("norm_1", "norm_2", "final_norm"):
            found[f"{owner}.{'gain' if kind == 'weight' else 'bias'}"] = value
        elif value.ndim == 2:
            found[name], found[f"{owner}.scale"] = quantise(value)
        else:
            found[name] = value
    return found


def configuration(config):
    """The `config` of the metadata."""
    return {"name": "everyday", **config.as_dict(), "rotary_interleaved": False, "activation": "gelu_tanh",
            "start": START}


def pack(arrays, metadata):
    """The bytes of a safetensors file; float32 stands before int8, so that everything is aligned."""
    kinds = {np.dtype(np.float32): "F32", np.dtype(np.int8): "I8"}
    header, data = {"__metadata__": metadata}, []
    at = 0
    for name, array in sorted(arrays.items(), key=lambda item: (-item[1].itemsize, item[0])):
        end = at + array.nbytes
        header[name] = {"dtype": kinds[array.dtype], "shape": list(array.shape), "data_offsets": [at, end]}
        data.append(array.tobytes())
        at = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(data)


def unpack(data):
    """(arrays, metadata) of the bytes of a safetensors file."""
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__")
    kinds = {"F32": np.float32, "I8": np.int8}
    body = memoryview(data)[8 + length:]
    arrays = {name: np.frombuffer(body[slice(*entry["data_offsets"])], kinds[entry["dtype"]]).reshape(entry["shape"])
              for name, entry in header.items()}
    return arrays, metadata


def shipped(model, tokenizer, heads, card):
    """The bytes of the file that ships."""
    if any("\n" in token for token in tokenizer.tokens):
        raise ValueError("A token holds a line break, which separates tokens in the file.")
    one_line = {"ensure_ascii": False, "separators": (",", ":")}
    data = pack(tensors(model), {
        "format": FORMAT,
        "config": json.dumps(configuration(model.config), **one_line),
        "vocabulary": "\n".join(tokenizer.tokens),
        "heads": json.dumps(heads, **one_line),
        "card": json.dumps(card, **one_line),
    })
    if len(data) > LARGEST:
        raise ValueError(f"The file would take {len(data)} bytes, more than {LARGEST}.")
    return data


def write(data, folder):
    """Writes the file under the name that its hash gives it, as the folder's only model; returns the path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("everyday-*.safetensors"):
        old.unlink()
    path = folder / f"everyday-{hashlib.sha256(data).hexdigest()[:8]}.safetensors"
    path.write_bytes(data)
    return path


def load(path):
    """(model with the values that the file stands for, tokenizer, metadata)."""
    arrays, metadata = unpack(Path(path).read_bytes())
    config = json.loads(metadata["config"])
    model = Model(Config(**{key: config[key] for key in Config.__dataclass_fields__}))
    state = model.state_dict()
    for name, array in arrays.items():
        if name.endswith(".scale"):
            continue
        owner, _, kind = name.rpartition(".")
        value = np.array(array, dtype=np.float32)
        if array.dtype == np.int8:
            value *= arrays[f"{owner}.scale"][:, None]
        key = "positions" if owner == "positions" else f"{owner}.{'weight' if kind == 'gain' else kind}"
        state[key].copy_(torch.from_numpy(value))
    model.load_state_dict(state)
    return model.eval(), Tokenizer(metadata["vocabulary"].split("\n")), metadata
