#!/usr/bin/python3
"""Makes the cases of known answers in tests/conformance/cases, one file a suite:

    /usr/bin/python3 tests/conformance/make_cases.py tests/conformance/cases

Needs PyTorch 1.13 (tools/setup train). Nothing here is needed to build or to test; the cases are kept
with the sources. The same numbers come out every time, but for the last bits of a few doubles where
another machine's libraries add in another order: each case draws from a generator seeded by its name.

Expected values are computed here, in double from the float32 inputs, one explicit operation after
another, and share no code with the library. case_reader.h describes the files.
"""
import os
import sys

import numpy as np
import torch

import operator_answers as answers
from case_writer import Draw, write_case, write_suite

TIGHT = dict(rtol=2e-5, atol=2e-6)


def present(past, new):
    return new if past is None else torch.cat([past, new], dim=2)


def to_3d(x):
    """(B, H, n, d) to (B, n, H * d)."""
    B, H, n, d = x.shape
    return x.transpose(1, 2).reshape(B, n, H * d)


def attention(name, categories, *, B=1, H=2, H_kv=None, n=5, m=None, d=8, d_v=None, layout="4d",
              mask=None, causal=False, align=None, past=0, lengths=None, window=(-1, -1), scale=None,
              softcap=0.0, temperature=1.0, mode=None, alibi=None, precision=None, half=False, outs=("Y",), stored="f32", gain=1.0, change=None,
              tol=TIGHT):
    """One case of op Attention. m counts the new keys, without the past."""
    H_kv, m, d_v = H_kv or H, m or n, d_v or d
    draw = Draw(name, stored, gain)
    Q, K, V = draw(B, H, n, d), draw(B, H_kv, m, d), draw(B, H_kv, m, d_v)
    past_key = draw(B, H_kv, past, d) if past else None
    past_value = draw(B, H_kv, past, d_v) if past else None
    if callable(mask):
        mask = mask(draw)
    if half:  # 16-bit numbers, widened
        Q, K, V, past_key, past_value, mask = (
            x.half().float() if x is not None and x.dtype == torch.float32 else x
            for x in (Q, K, V, past_key, past_value, mask))
        tol = dict(rtol=2e-3, atol=2e-3)
    if change:
        change(Q, K, V)
    if stored == "q8" and scale is None:
        scale = 1024.0 / np.sqrt(d) / 16  # q8 numbers are small: this spreads the logits over ±4
    offset = answers.offsets(n, past + m, B, past=past, lengths=lengths, align=align)
    full = answers.attention(Q, present(past_key, K), present(past_value, V), mask=mask, causal=causal,
                             offset=offset, lengths=lengths, window=window, scale=scale,
                             softcap=softcap, alibi=alibi, temperature=temperature)
    flat = to_3d if layout == "3d" else (lambda x: x)
    attributes = []
    if layout == "3d":
        attributes += [("q_num_heads", H), ("kv_num_heads", H_kv)]
    attributes += [("is_causal", 1)] if causal else []
    attributes += [("causal_align", align)] if align else []
    attributes += [("scale", float(np.float32(scale)))] if scale is not None else []
    attributes += [("softcap", float(softcap))] if softcap else []
    attributes += [("temperature", float(temperature))] if temperature != 1 else []
    attributes += [("left_window_size", window[0])] if window[0] >= 0 else []
    attributes += [("right_window_size", window[1])] if window[1] >= 0 else []
    attributes += [("qk_matmul_output_mode", mode)] if mode is not None else []
    attributes += [("softmax_precision", precision)] if precision is not None else []
    inputs = [("Q", flat(Q), stored), ("K", flat(K), stored), ("V", flat(V), stored)]
    if mask is not None:
        inputs.append(("attn_mask", mask, "u8" if mask.dtype == torch.bool else "f32"))
    if past:
        inputs += [("past_key", past_key, stored), ("past_value", past_value, stored)]
    if lengths is not None:
        inputs.append(("nonpad_kv_seqlen", torch.tensor(lengths), "i64"))
    if alibi is not None:
        inputs.append(("alibi_slopes", alibi, "f32"))
    results = {
        "Y": (flat(full.Y), "f32"), "Y_f64": (flat(full.Y), "f64"), "P": (full.weights, "f32"),
        "attn": (full.weights[0], "f32"), "context": (to_3d(full.Y), "f32"),
        "present_key": (present(past_key, K), stored),
        "present_value": (present(past_value, V), stored),
        "qk_matmul_output": ([full.scaled, full.capped, full.masked, full.weights][mode or 0], "f32"),
    }
    write_case(name, "Attention", categories, attributes, inputs,
               [(out, *results[out]) for out in outs], **tol)


def shapes():
    attention("self_4d", "self", B=2, outs=("Y", "Y_f64", "P"))
    attention("self_3d", "self,layout", B=2, H=3, layout="3d", outs=("Y", "Y_f64"))
    attention("cross_4d", "cross", B=2, n=4, m=9, outs=("Y", "Y_f64", "attn")[:2])
    attention("cross_3d", "cross,layout", n=7, m=3, layout="3d", outs=("Y", "attn", "context"))
    attention("wide_values_4d", "cross,dv", n=3, m=6, d=8, d_v=11)
    attention("narrow_values_3d", "cross,dv,layout", B=2, n=3, m=6, d=9, d_v=2, layout="3d")
    attention("one_token", "self", H=1, n=1, d=1, outs=("Y", "P"))
    attention("many_heads", "self,heads", H=12, n=4, d=4, layout="3d")
    for n in (1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256,
              257, 511, 512, 513):
        attention(f"edge_full_{n}", "edge,self", H=1, n=n, d=4 if n < 100 else 2, stored="q8")
        attention(f"edge_causal_{n}", "edge,causal", H=1, n=n, m=n + n % 3, d=3, causal=True,
                  stored="q8")
    for d in (1, 2, 3, 5, 6, 7, 9, 11, 13, 15, 17, 23, 31, 33, 47, 63, 65, 80, 96, 99, 100):
        attention(f"width_{d}", "width", H=1, n=5, m=6, d=d, d_v=101 - d, stored="q8",
                  layout="3d" if d % 2 else "4d")
    attention("long_full", "long", H=1, n=260, m=1030, d=2, stored="q8")
    attention("long_causal", "long,causal", H=1, n=1025, d=2, causal=True, stored="q8")
    attention("long_window", "long,window", H=1, n=700, d=3, causal=True, window=(65, -1), stored="q8")
    attention("long_keys", "long", H=1, n=2, m=3000, d=1, stored="q8")


def masks():
    B, H, n, m = 2, 3, 4, 6
    for shape in ((6,), (4, 6), (1, 6), (3, 4, 6), (1, 4, 6), (3, 1, 6), (2, 3, 4, 6), (2, 1, 4, 6),
                  (1, 3, 4, 6), (2, 1, 1, 6), (1, 1, 1, 6), (2, 3, 1, 6), (4,), (1,), (4, 3), (4, 1),
                  (3, 4, 2), (2, 1, 4, 5), (1, 1, 1, 3)):
        label = "x".join(map(str, shape)) + ("_short" if shape[-1] < m else "")
        for kind in ("bool", "float"):
            attention(f"mask_{kind}_{label}", f"mask,rank{len(shape)}", B=B, H=H, n=n, m=m, d=4,
                      stored="q8", layout="3d" if len(shape) == 3 else "4d",
                      causal=len(shape) == 2 and kind == "bool",
                      mask=lambda draw, s=shape, k=kind: draw.mask(k, *s))
    attention("mask_float_infinite", "mask,infinite", n=6, m=7,
              mask=lambda draw: torch.where(draw.mask("bool", 6, 7), draw.mask("float", 6, 7),
                                            torch.tensor(-np.inf)), outs=("Y", "Y_f64", "P"))
    attention("mask_softcap_order", "mask,softcap", n=6, softcap=2.0, gain=3,
              mask=lambda draw: draw.mask("bool", 6, 6), outs=("Y", "Y_f64", "P"))
    attention("mask_past_short", "mask,past", past=4, n=3,
              mask=lambda draw: draw.mask("float", 3, 5), outs=("Y", "present_key", "present_value"))


def causality():
    for n, m in ((4, 4), (3, 7), (7, 3), (1, 6), (6, 1)):
        attention(f"causal_{n}x{m}", "causal", n=n, m=m, causal=True, outs=("Y", "P"))
        for align in ("top_left", "bottom_right"):
            attention(f"causal_{align}_{n}x{m}", "causal,align", n=n, m=m, causal=True, align=align,
                      layout="3d" if n > m else "4d")
    attention("causal_past", "causal,past", B=2, n=3, past=5, causal=True,
              outs=("Y", "Y_f64", "present_key", "present_value"))
    attention("causal_past_3d", "causal,past,layout", B=2, n=3, m=4, past=2, d_v=5, causal=True,
              layout="3d", outs=("Y", "Y_f64", "present_key", "present_value"))
    attention("causal_past_top_left", "causal,past,align", n=4, past=3, causal=True, align="top_left")
    attention("present_without_past", "present", B=2, n=3, layout="3d",
              outs=("Y", "present_key", "present_value"))
    attention("decode_one", "decode,past", H=4, H_kv=2, n=1, past=70, d=8, causal=True, stored="q8",
              outs=("Y", "present_key"))
    attention("decode_one_3d", "decode,past,layout", B=2, H=4, n=1, past=16, causal=True, layout="3d",
              stored="q8")
    attention("decode_one_window", "decode,past,window", n=1, past=20, causal=True, window=(6, -1))
    for n, lengths in ((3, (0, 2, 7)), (1, (1, 4, 7)), (5, (3, 5, 6)), (7, (1, 7, 2))):
        label = "_".join(map(str, lengths))
        attention(f"lengths_{n}_{label}", "lengths", B=3, n=n, m=7, lengths=lengths)
        attention(f"lengths_causal_{n}_{label}", "lengths,causal", B=3, n=n, m=7, lengths=lengths,
                  causal=True, layout="3d", outs=("Y", "Y_f64"))
    attention("lengths_window", "lengths,window", B=3, n=4, m=9, lengths=(2, 9, 6), window=(2, 1))
    attention("lengths_mask", "lengths,mask", B=2, n=4, m=9, lengths=(5, 8), causal=True,
              mask=lambda draw: draw.mask("bool", 2, 1, 4, 9))


def windows():
    for left, right in ((0, 0), (2, 0), (0, 3), (1, 1), (3, -1), (-1, 2), (100, 100)):
        label = f"{left}_{right}".replace("-1", "open")
        attention(f"window_{label}", "window", H=1, n=9, window=(left, right), stored="q8",
                  outs=("Y", "P"))
        attention(f"window_causal_past_{label}", "window,causal,past", H=1, n=4, past=6, causal=True,
                  window=(left, right), stored="q8", layout="3d")
    attention("window_past", "window,past", n=3, past=5, window=(2, 1))
    attention("window_bottom_right", "window,align", n=3, m=8, window=(1, 1), align="bottom_right")
    attention("window_beyond_the_keys", "window,masked_rows", n=9, m=4, window=(1, 0))
    attention("window_edge", "window,edge", H=1, n=70, d=2, window=(63, 0), stored="q8")
    attention("window_float_mask", "window,mask", n=6, window=(2, 2), outs=("Y", "Y_f64"),
              mask=lambda draw: draw.mask("float", 2, 6, 6))


def scores():
    for label, scale in (("small", 0.01), ("one", 1.0), ("large", 5.0), ("negative", -0.5), ("zero", 0.0)):
        attention(f"scale_{label}", "scale", n=5, scale=scale, outs=("Y", "Y_f64"))
    for cap in (0.1, 0.5, 2.0, 30.0, 1000.0):
        attention(f"softcap_{cap:g}", "softcap", n=5, m=6, softcap=cap, gain=2, causal=cap == 2.0,
                  outs=("Y", "Y_f64"))
    for mode in range(4):
        attention(f"scores_mode_{mode}", "scores", n=4, m=6, softcap=1.5, causal=True, mode=mode,
                  gain=2, mask=lambda draw: draw.mask("float", 4, 6), outs=("Y", "qk_matmul_output"))
        attention(f"scores_mode_{mode}_plain", "scores,layout", B=2, n=3, m=5, mode=mode, layout="3d",
                  outs=("Y", "qk_matmul_output"))
        attention(f"scores_mode_{mode}_past", "scores,past,mask", n=3, past=4, mode=mode, softcap=3.0,
                  mask=lambda draw: draw.mask("bool", 3, 7), outs=("Y", "qk_matmul_output"))
    for H, H_kv in ((4, 2), (6, 3), (6, 2), (9, 3), (4, 1), (7, 1)):
        for layout in ("4d", "3d"):
            attention(f"grouped_{H}_{H_kv}_{layout}", "gqa" if H_kv > 1 else "mqa", B=2, H=H, H_kv=H_kv,
                      n=3, m=4, d=4, layout=layout, causal=H == 6)
    attention("grouped_past", "gqa,past", B=2, H=6, H_kv=2, n=2, past=3, d=4, causal=True,
              layout="3d", outs=("Y", "present_key", "present_value"))
    attention("grouped_mask", "gqa,mask", H=4, H_kv=2, n=3, d=4,
              mask=lambda draw: draw.mask("bool", 4, 3, 3), outs=("Y", "Y_f64", "P"))


def masked_rows():
    def rows(*masked):
        mask = torch.ones(5, 6, dtype=torch.bool)
        mask[list(masked)] = False
        return mask

    infinite = lambda mask: torch.where(mask, 0.0, -np.inf).float()
    attention("masked_rows_bool", "masked_rows,mask", n=5, m=6, mask=rows(0, 3), outs=("Y", "Y_f64", "P"))
    attention("masked_rows_float", "masked_rows,mask", n=5, m=6, mask=infinite(rows(1, 4)),
              outs=("Y", "Y_f64", "P"))
    attention("masked_rows_all", "masked_rows,mask", n=5, m=6, mask=rows(0, 1, 2, 3, 4), layout="3d",
              outs=("Y", "Y_f64"))
    attention("masked_rows_softcap", "masked_rows,softcap", n=5, m=6, softcap=1.0, mask=rows(2))
    attention("masked_rows_causal_and_mask", "masked_rows,causal", n=5, m=6, causal=True,
              mask=torch.arange(6)[None, :] > 1, outs=("Y", "P"))
    for mode in (2, 3):
        attention(f"masked_rows_scores_{mode}", "masked_rows,scores", n=5, m=6, mask=rows(0, 2),
                  mode=mode, outs=("Y", "qk_matmul_output"))
    attention("masked_rows_long", "masked_rows,edge", H=1, n=70, d=2, stored="q8",
              mask=(torch.arange(70) % 3 > 0)[:, None].expand(70, 70).contiguous())


def extremes():
    """q8 inputs and a power of two as scale: every score is exact in float32, however large."""
    for label, scale in (("1e4", 2.0 ** 18), ("1e6", 2.0 ** 24)):
        for causal in (False, True):
            attention(f"logits_{label}" + ("_causal" if causal else ""), "extreme", n=9, d=4, d_v=5,
                      stored="q8", scale=scale, causal=causal, outs=("Y", "Y_f64", "P")[:3])
        attention(f"logits_{label}_negative", "extreme", n=6, d=4, stored="q8", scale=-scale)
        attention(f"logits_{label}_softcap", "extreme,softcap", n=6, d=4, stored="q8", scale=scale,
                  softcap=50.0)

    def far_below(Q, K, V):
        Q.fill_(-0.125), K.fill_(0.1171875)

    attention("logits_all_minus_1e4", "extreme", n=5, d=4, stored="q8", scale=2.0 ** 18,
              change=far_below, outs=("Y", "P"))
    biases = {"1e30": 1e30, "minus_1e30": -1e30, "minus_1e9": -1e9, "float_min": -3.4e38}
    for label, bias in biases.items():
        mask = torch.zeros(5, 7)
        mask[:, 2], mask[0, 4], mask[3, 1:5] = bias, bias, bias
        attention(f"bias_{label}", "extreme,mask", n=5, m=7, mask=mask, outs=("Y", "Y_f64", "P"))
    attention("bias_all_minus_1e30", "extreme,mask", n=5, m=7, mask=torch.full((5, 7), -1e30),
              outs=("Y", "P"))
    attention("bias_both_1e30", "extreme,mask", n=2, m=4, outs=("Y", "P"),
              mask=torch.tensor([[1e30, 1e30, -1e30, 0], [-1e30, 16, 16, -np.inf]]))

    def huge_values(Q, K, V):
        V.abs_().mul_(1e30)

    def tiny(Q, K, V):
        Q.mul_(1e-20), K.mul_(1e-20)

    def equal(Q, K, V):
        K.copy_(K[:, :, :1].expand_as(K).clone())

    def not_numbers(Q, K, V):
        Q[0, 0, 1, 3] = np.nan

    def not_numbers_key(Q, K, V):
        K[0, 1, 3, 0] = np.nan

    attention("values_1e30", "extreme", n=5, change=huge_values, tol=dict(rtol=2e-5, atol=0))
    attention("scores_underflow", "extreme", n=5, change=tiny)
    attention("equal_keys", "extreme", n=5, m=64, H=1, d=2, change=equal)
    attention("nan_query", "extreme,nan", n=5, change=not_numbers, outs=("Y", "Y_f64", "P"))
    attention("nan_key_causal", "extreme,nan", n=5, causal=True, change=not_numbers_key, outs=("Y", "P"))


def positions():
    """ALiBi's slopes, as the paper gives them for a power of two, and others."""
    slopes = lambda heads: torch.tensor([2.0 ** (-8 * (h + 1) / heads) for h in range(heads)]).float()
    attention("alibi", "alibi", H=4, n=6, causal=True, alibi=slopes(4), outs=("Y", "Y_f64", "P"))
    attention("alibi_both_sides", "alibi", B=2, H=2, n=5, m=8, alibi=slopes(2), layout="3d")
    attention("alibi_past", "alibi,past", H=2, n=3, past=5, causal=True, alibi=slopes(2))
    attention("alibi_lengths", "alibi,lengths", B=2, H=2, n=3, m=7, lengths=(4, 7), causal=True,
              alibi=slopes(2))
    attention("alibi_window_mask", "alibi,window,mask", H=4, H_kv=2, n=9, window=(3, 0), alibi=slopes(4),
              mask=lambda draw: draw.mask("float", 9, 9))
    attention("alibi_long", "alibi,long", H=1, n=130, d=2, causal=True, stored="q8",
              alibi=torch.tensor([0.03125]))


def precisions():
    """16-bit numbers widened to 32, and the softmax's own precision, which never falls below float32."""
    for label, options in {"self": {}, "causal": dict(causal=True), "grouped": dict(H=4, H_kv=2, m=7),
                           "past": dict(past=5, causal=True), "wide": dict(d=96, n=17)}.items():
        attention(f"half_{label}", "half", half=True, **options)
    attention("half_mask", "half,mask", half=True, layout="3d", mask=lambda draw: draw.mask("float", 5, 5))
    for precision in (1, 10, 11, 16):  # float, float16, double, bfloat16
        attention(f"softmax_precision_{precision}", "precision", precision=precision)


def mixtures():
    """Everything at once, drawn at random."""
    for index in range(48):
        r = np.random.RandomState(1000 + index)
        B, H_kv, n, m = r.randint(1, 4), r.randint(1, 4), r.randint(1, 12), r.randint(1, 12)
        H, d, d_v = H_kv * r.randint(1, 4), r.randint(1, 14), r.randint(1, 14)
        past = r.choice([0, 0, 0, r.randint(1, 9)])
        lengths = tuple(int(x) for x in r.randint(0, m + 1, B)) if not past and r.rand() < 0.25 else None
        S = past + m
        shape = [r.choice([1, B]), r.choice([1, H]), r.choice([1, n]), S if r.rand() < 0.7 else r.randint(1, S + 1)]
        shape = [int(x) for x in shape[r.randint(0, 4):]]
        kind = r.choice(["none", "bool", "float"])
        attention(f"mixture_{index:02d}", "mixture", B=B, H=H, H_kv=H_kv, n=n, m=m, d=d, d_v=d_v,
                  layout=r.choice(["3d", "4d"]), causal=bool(r.rand() < 0.5), past=int(past),
                  align=r.choice([None, None, "top_left", "bottom_right"]), lengths=lengths,
                  window=(int(r.randint(-1, 8)), int(r.randint(-1, 8))) if r.rand() < 0.4 else (-1, -1),
                  scale=r.choice([None, 0.3, 1.0]), softcap=float(r.choice([0, 0, 1, 20])),
                  mask=None if kind == "none" else lambda draw: draw.mask(kind, *shape),
                  mode=int(r.randint(0, 4)) if index % 4 == 0 else None,
                  outs=("Y", "qk_matmul_output") if index % 4 == 0 else ("Y_f64",) if index % 4 == 1 else ("Y",))


def temperatures():
    """After cap, bias and mask; 0 is arg-max, and equals share."""
    def equal_keys(Q, K, V):
        K[..., 3, :] = K[..., 1, :]

    for t in (0.0, 0.25, 2.0):
        attention(f"temperature_{t:g}", "temperature", B=2, n=5, m=7, temperature=t, outs=("Y", "Y_f64", "P"))
        attention(f"temperature_{t:g}_softcap", "temperature,softcap", n=6, softcap=1.5, gain=2, causal=True,
                  temperature=t, outs=("Y", "P"))
        attention(f"temperature_{t:g}_bias", "temperature,mask", H=4, H_kv=2, n=4, m=9, window=(2, 3), temperature=t,
                  mask=lambda draw: draw.mask("float", 4, 9), alibi=torch.tensor([0.5, 0.25, 0.125, 0.0625]), outs=("Y", "P"))
    attention("temperature_0_ties", "temperature", n=4, m=5, temperature=0.0, change=equal_keys, outs=("Y", "P"))
    attention("temperature_0_masked_row", "temperature,masked_rows", n=3, m=4, temperature=0.0, outs=("Y", "P"),
              mask=torch.tensor([[True, True, False, False], [False] * 4, [False, False, True, True]]))
    attention("temperature_0_one_query", "temperature,past", n=1, past=6, temperature=0.0, layout="3d", outs=("Y",))
    attention("temperature_long", "temperature,long,causal", H=1, n=530, d=3, causal=True, temperature=0.5, stored="q8")


def main():
    from make_layer_cases import layers, rotary, softmax
    from make_model_cases import berts, decoders, llamas, neoxes, parts
    suites = {"attention": (shapes, masks, causality, windows, scores, masked_rows, extremes, positions, precisions,
                            mixtures, temperatures),
              "multi_head": (layers,), "rotary": (rotary,), "softmax": (softmax,), "parts": (parts,),
              "decoder": (decoders,), "llama": (llamas,), "neox": (neoxes,), "bert": (berts,)}
    if len(sys.argv) < 2 or not suites.keys() >= set(sys.argv[2:]):
        sys.exit(f"usage: make_cases.py FOLDER [SUITE...]\nSuites: {', '.join(suites)}; all of them when none is named.")
    os.makedirs(sys.argv[1], exist_ok=True)
    torch.set_num_threads(1)
    answers.check_against_torch()
    for suite in sys.argv[2:] or suites:
        for group in suites[suite]:
            group()
        write_suite(os.path.join(sys.argv[1], f"{suite}.safetensors"))


if __name__ == "__main__":
    main()
