"""What each operator should give, in double, by explicit operations."""
from collections import namedtuple

import numpy as np
import torch

Attention = namedtuple("Attention", "scaled capped masked weights Y")


def offsets(n, S, B, *, past=0, lengths=None, align=None):
    """Per batch: how many keys stand before the first query."""
    if align == "top_left":
        return [0] * B
    if align == "bottom_right":
        return [S - n] * B
    if past == 0 and lengths is not None:
        return [length - n for length in lengths]
    return [past] * B


def attention(Q, K, V, *, mask, causal, offset, lengths, window, scale, softcap, alibi=None, temperature=1.0):
    """Q (B, H, n, d), K (B, H_kv, S, d), V (B, H_kv, S, d_v)."""
    Q, K, V = Q.double(), K.double(), V.double()
    B, H, n, d = Q.shape
    S = K.shape[2]
    repeats = H // K.shape[1]
    K, V = K.repeat_interleave(repeats, dim=1), V.repeat_interleave(repeats, dim=1)
    factor = 1 / np.sqrt(d) if scale is None else float(np.float32(scale))
    scaled = torch.einsum("bhid,bhjd->bhij", Q, K) * factor
    cap = float(np.float32(softcap))
    capped = cap * torch.tanh(scaled / cap) if cap > 0 else scaled

    allowed = torch.ones(B, H, n, S, dtype=torch.bool)
    bias = torch.zeros(B, H, n, S, dtype=torch.float64)
    if mask is not None:
        width = mask.shape[-1]
        allowed[..., width:] = False
        if mask.dtype == torch.bool:
            allowed[..., :width] &= mask
        else:
            bias[..., :width] += mask.double()
            allowed &= bias != -np.inf
    for b in range(B):
        place = torch.arange(n)[:, None] + offset[b]
        key = torch.arange(S)[None, :]
        if causal:
            allowed[b] &= key <= place
        if window[0] >= 0:
            allowed[b] &= key >= place - window[0]
        if window[1] >= 0:
            allowed[b] &= key <= place + window[1]
        if lengths is not None:
            allowed[b] &= key < lengths[b]
        if alibi is not None:
            bias[b] -= alibi.double()[:, None, None] * (key - place).abs().double()
    masked = torch.where(allowed, capped + bias, torch.tensor(-np.inf, dtype=torch.float64))
    if temperature == 0:
        largest = (masked == masked.max(-1, keepdim=True).values).double()
        weights = largest / largest.sum(-1, keepdim=True)
    else:
        weights = torch.softmax(masked / float(np.float32(temperature)), dim=-1)
    weights = torch.where(allowed.any(-1, keepdim=True), weights, torch.zeros_like(weights))
    return Attention(scaled, capped, masked, weights, torch.einsum("bhij,bhje->bhie", weights, V))


def check_against_torch():
    """Holds attention() against PyTorch's own, where both agree on the conventions."""
    torch.manual_seed(7)
    Q, K, V = (torch.randn(2, 3, length, 5, dtype=torch.float64) for length in (4, 6, 6))
    mask = torch.rand(4, 6) > 0.3
    mask[:, 0] = True
    ours = attention(Q, K, V, mask=mask, causal=False, offset=[0, 0], lengths=None, window=(-1, -1),
                     scale=None, softcap=0)
    theirs, weights = torch._C._nn._scaled_dot_product_attention(Q, K, V, mask, 0.0, True, False)
    assert torch.allclose(ours.Y, theirs, rtol=1e-12, atol=1e-12)
    assert torch.allclose(ours.weights, weights, rtol=1e-12, atol=1e-12)


def rotary(X, cosines, sines, interleaved, width):
    """X (B, H, n, d); cosines and sines (B, n, width / 2)."""
    X, c, s = X.double(), cosines.double()[:, None], sines.double()[:, None]
    turned, rest = X[..., :width], X[..., width:]
    if interleaved:
        pairs = torch.view_as_complex(turned.reshape(*turned.shape[:-1], width // 2, 2).contiguous())
    else:
        pairs = torch.complex(turned[..., :width // 2].contiguous(), turned[..., width // 2:].contiguous())
    pairs = pairs * torch.complex(c, s)
    if interleaved:
        turned = torch.view_as_real(pairs).flatten(-2)
    else:
        turned = torch.cat([pairs.real, pairs.imag], dim=-1)
    return torch.cat([turned, rest], dim=-1)
