"""Prints what PyTorch takes for the same on one thread: "torch/n:1024/causal:0 MILLISECONDS", "torch/decode:1024 …"."""
import sys
import time

import torch
from torch.nn.functional import gelu, layer_norm, linear

H, D = 12, 64
torch.set_num_threads(1)
torch.set_grad_enabled(False)


def least(work, turns):
    work()
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def attention(q, k, v, mask):
    scores = torch.bmm(q, k.transpose(1, 2)) * D ** -0.5
    if mask is not None:
        scores += mask
    return torch.bmm(torch.softmax(scores, dim=-1), v)


for n in map(int, sys.argv[1:]):
    q, k, v = (torch.randn(H, n, D) for _ in range(3))
    for causal in (0, 1):
        mask = torch.full((n, n), float("-inf")).triu(1) if causal else None
        print(f"torch/n:{n}/causal:{causal} {least(lambda: attention(q, k, v, mask), 5):.3f}")

# One token through a block of GPT-2's, after 1,024 whose keys and values lie in a cache with room for it.
M, before = H * D, 1024
x = torch.randn(1, M)
qkv, out, up, down = (torch.randn(o, i) * 0.03 for o, i in ((3 * M, M), (M, M), (4 * M, M), (M, 4 * M)))
zeros = {size: torch.zeros(size) for size in (M, 3 * M, 4 * M)}
ones = torch.ones(M)
keys, values = (torch.randn(H, before + 1, D) for _ in range(2))


def block():
    q, k, v = linear(layer_norm(x, (M,), ones, zeros[M]), qkv, zeros[3 * M]).view(3, H, 1, D)
    keys[:, before:], values[:, before:] = k, v
    context = attention(q, keys, values, None).transpose(0, 1).reshape(1, M)
    y = x + linear(context, out, zeros[M])
    hidden = gelu(linear(layer_norm(y, (M,), ones, zeros[M]), up, zeros[4 * M]))
    return y + linear(hidden, down, zeros[M])


print(f"torch/decode:{before} {least(block, 50):.3f}")
