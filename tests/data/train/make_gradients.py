"""Writes gradients.bin: models, batches, and their losses and gradients by PyTorch in float64.

Run with a Python that has torch and numpy: python3 tests/data/train/make_gradients.py
tests/core/train/pytorch_test.cpp reads it. A model: 15 int32 (see SHAPE), the number of parameters as int32,
the parameters as float32 in the order of Trainer::arrays(), tokens, second tokens and targets as int32, then the
loss as float64 and the gradients as float32.
"""
import math
import pathlib

import numpy as np
import torch

SHAPE = ("vocabulary", "context", "slots", "d_model", "heads", "d_k", "layers", "hidden", "positions", "tied",
         "causal", "scaled", "texts", "length", "second")
MODELS = (
    dict(zip(SHAPE, (9, 10, 1, 12, 2, 6, 2, 0, 1, 0, 1, 1, 3, 10, 0))),
    dict(zip(SHAPE, (11, 12, 1, 12, 3, 5, 2, 20, 2, 0, 0, 1, 2, 9, 0))),
    dict(zip(SHAPE, (8, 7, 1, 16, 1, 16, 1, 10, 0, 1, 1, 0, 2, 7, 1))),
    dict(zip(SHAPE, (7, 13, 2, 10, 2, 3, 3, 0, 2, 0, 1, 0, 2, 13, 1))),
)


def arrays(m):
    """Names and shapes in order."""
    d, keys = m["d_model"], m["heads"] * m["d_k"]
    yield "embeddings", (m["vocabulary"], d)
    if m["positions"]:
        yield "positions", (m["context"], d)
    for n in range(m["layers"]):
        yield f"gain_1.{n}", (d,)
        yield f"bias_1.{n}", (d,)
        yield f"query.{n}", (d, keys)
        yield f"key.{n}", (d, keys)
        yield f"value.{n}", (d, d)
        yield f"out.{n}", (d, d)
        if m["hidden"]:
            yield f"gain_2.{n}", (d,)
            yield f"bias_2.{n}", (d,)
            yield f"up.{n}", (d, m["hidden"])
            yield f"down.{n}", (m["hidden"], d)
    yield "final_gain", (d,)
    yield "final_bias", (d,)
    if not m["tied"]:
        yield "output", (d, m["slots"] * m["vocabulary"])


def loss_of(m, p, tokens, second, targets):
    """As a framework's user would write it."""
    d, heads, texts, length = m["d_model"], m["heads"], m["texts"], m["length"]
    norm = lambda x, gain, bias: torch.nn.functional.layer_norm(x, (d,), gain, bias, 1e-5)
    split = lambda x: x.view(texts, length, heads, -1).transpose(1, 2)
    x = torch.nn.functional.embedding(tokens, p["embeddings"])
    if m["second"]:
        x = x + torch.where(second[..., None] >= 0, torch.nn.functional.embedding(second.clamp(min=0), p["embeddings"]), torch.zeros(()).double())
    if m["positions"] == 1:
        x = x + p["positions"][:length]
    for n in range(m["layers"]):
        normed = norm(x, p[f"gain_1.{n}"], p[f"bias_1.{n}"])
        placed = normed + p["positions"][:length] if m["positions"] == 2 else normed
        q, k, v = split(placed @ p[f"query.{n}"]), split(placed @ p[f"key.{n}"]), split(normed @ p[f"value.{n}"])
        scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(m["d_k"]) if m["scaled"] else 1)
        if m["causal"]:
            scores = scores.masked_fill(torch.ones(length, length).triu(1).bool(), -math.inf)
        x = x + (scores.softmax(-1) @ v).transpose(1, 2).reshape(texts, length, d) @ p[f"out.{n}"]
        if m["hidden"]:
            up = norm(x, p[f"gain_2.{n}"], p[f"bias_2.{n}"]) @ p[f"up.{n}"]
            x = x + torch.nn.functional.gelu(up, approximate="tanh") @ p[f"down.{n}"]
    last = norm(x, p["final_gain"], p["final_bias"])
    logits = last @ (p["embeddings"].T if m["tied"] else p["output"])
    return torch.nn.functional.cross_entropy(logits.reshape(-1, m["vocabulary"]), targets.flatten(), ignore_index=-1)


def main():
    random = np.random.default_rng(7)
    with (pathlib.Path(__file__).parent / "gradients.bin").open("wb") as out:
        for m in MODELS:
            weights = {name: (random.normal(size=shape) * 0.6).astype(np.float32) for name, shape in arrays(m)}
            tokens = random.integers(0, m["vocabulary"], (m["texts"], m["length"]))
            second = random.integers(-1, m["vocabulary"], tokens.shape)
            targets = random.integers(-1, m["vocabulary"], (*tokens.shape, m["slots"]))
            p = {name: torch.tensor(w.astype(np.float64), requires_grad=True) for name, w in weights.items()}
            loss = loss_of(m, p, *(torch.tensor(each) for each in (tokens, second, targets)))
            loss.backward()
            out.write(np.array([*m.values(), sum(w.size for w in weights.values())], np.int32).tobytes())
            for w in weights.values():
                out.write(w.tobytes())
            for ids in (tokens, second, targets):
                out.write(ids.astype(np.int32).tobytes())
            out.write(np.float64(loss.item()).tobytes())
            for each in p.values():
                out.write(each.grad.numpy().astype(np.float32).tobytes())


main()
