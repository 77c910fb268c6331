"""Prints what PyTorch takes for the same attention on one thread: "torch/n:1024/causal:0 MILLISECONDS"."""
import sys
import time

import torch

H, D = 12, 64
torch.set_num_threads(1)
torch.set_grad_enabled(False)


def attention(q, k, v, mask):
    scores = torch.bmm(q, k.transpose(1, 2)) * D ** -0.5
    if mask is not None:
        scores += mask
    return torch.bmm(torch.softmax(scores, dim=-1), v)


for n in map(int, sys.argv[1:]):
    q, k, v = (torch.randn(H, n, D) for _ in range(3))
    for causal in (0, 1):
        mask = torch.full((n, n), float("-inf")).triu(1) if causal else None
        attention(q, k, v, mask)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            attention(q, k, v, mask)
            times.append(time.perf_counter() - start)
        print(f"torch/n:{n}/causal:{causal} {min(times) * 1e3:.3f}")
