"""The cases of whole multi-head layers, of rotary embedding and of softmax."""
import numpy as np
import torch

import operator_answers as answers
from case_writer import Draw, write_case

TIGHT = dict(rtol=2e-5, atol=2e-6)


def _split(x, heads):
    B, n, width = x.shape
    return x.reshape(B, n, heads, width // heads).transpose(1, 2)


def layer(name, categories, *, E=12, H=3, H_kv=None, n=5, m=None, E_k=None, E_v=None, d_v=None, B=None,
          biases=True, mask=None, causal=False, align=None, window=(-1, -1), softcap=0.0, scale=None,
          packed=False, rank=None, turned=None, alibi=None, identity=False, mode=None,
          outs=("Y", "attn", "context"), torch_agrees=True):
    """One case of MultiheadAttention; held against torch.nn.MultiheadAttention where that can do it."""
    cross, H_kv = bool(m or E_k), H_kv or H
    m, d, d_v = m or n, E // H, d_v or E // H
    E_k, E_v = E_k or E, E_v or E_k or E
    draw, weight = Draw(name), Draw(name + "W", "q8")
    X = draw(B or 1, n, E)
    XK, XV = (draw(B or 1, m, E_k), draw(B or 1, m, E_v)) if cross else (X, X)
    W = {"q": weight(E, E), "k": weight(H_kv * d, E_k), "v": weight(H_kv * d_v, rank or E_v),
         "o": weight(E, H * d_v)}
    if rank:
        W["vd"] = weight(rank, E_v)
    W = {letter: 4 * w for letter, w in W.items()}
    b = {letter: draw(len(w)) for letter, w in W.items()} if biases else {}
    if callable(mask):
        mask = mask(draw)

    project = lambda x, letter: x.double() @ W[letter].double().T + (b[letter].double() if biases else 0)
    low = project(XV, "vd") if rank else XV
    heads = [_split(project(x, letter), h)
             for x, letter, h in ((X, "q", H), (XK, "k", H_kv), (low, "v", H_kv))]
    rotary_inputs = []
    if turned:
        rates = 10000.0 ** (-torch.arange(turned // 2).double() * 2 / turned)
        angles = torch.arange(40).double()[:, None] * rates
        positions = torch.arange(n).expand(B or 1, n) + 7
        tables = [angles.cos().float(), angles.sin().float()]
        heads[:2] = [answers.rotary(x, tables[0][positions], tables[1][positions], False, turned)
                     for x in heads[:2]]
        rotary_inputs = [("cos_cache", tables[0], "f32"), ("sin_cache", tables[1], "f32"),
                         ("position_ids", positions, "i64")]
    whole = mask  # a last axis of 1 goes for every key
    if mask is not None and mask.shape[-1] == 1:
        whole = mask.expand(*mask.shape[:-1], m)
    full = answers.attention(*heads, mask=whole, causal=causal,
                             offset=answers.offsets(n, m, B or 1, align=align), lengths=None,
                             window=window, scale=scale, softcap=softcap, alibi=alibi)
    context = full.Y.transpose(1, 2).reshape(B or 1, n, H * d_v)
    Y = context if identity else project(context, "o")
    if torch_agrees:
        _hold_against_torch(E, H, E_k, E_v, X, XK, XV, W, b, mask, causal, Y, full.weights)

    flat = (lambda x: x) if B else (lambda x: x[0])
    inputs = [("X", flat(X), "f32")]
    inputs += [("XK", flat(XK), "f32"), ("XV", flat(XV), "f32")] if cross else []
    if packed:
        W["qkv"] = torch.cat([W.pop(letter) for letter in "qkv"])
        if biases:
            b["qkv"] = torch.cat([b.pop(letter) for letter in "qkv"])
    if identity:
        del W["o"]
    for letter in W:
        inputs.append(("W" + letter, W[letter], "f32"))
        inputs += [("b" + letter, b[letter], "f32")] if biases else []
    inputs += rotary_inputs
    inputs += [("alibi_slopes", alibi, "f32")] if alibi is not None else []
    inputs += [("attn_mask", mask, "u8" if mask.dtype == torch.bool else "f32")] if mask is not None else []
    attributes = [("num_heads", H)]
    attributes += [("kv_num_heads", H_kv)] if H_kv != H else []
    attributes += [("is_causal", 1)] if causal else []
    attributes += [("causal_align", align)] if align else []
    attributes += [("left_window_size", window[0]), ("right_window_size", window[1])] if window != (-1, -1) else []
    attributes += [("softcap", softcap)] if softcap else []
    attributes += [("scale", scale)] if scale is not None else []
    attributes += [("qk_matmul_output_mode", mode)] if mode is not None else []
    logits = [full.scaled, full.capped, full.masked, full.weights][mode or 0]
    results = {"qk_matmul_output": (logits, "f32"), "Y": (flat(Y), "f32"), "Y_f64": (flat(Y), "f64"), "context": (flat(context), "f32"),
               "attn": (full.weights[0], "f32"), "P": (full.weights, "f32")}
    write_case(name, "MultiheadAttention", categories, attributes, inputs,
               [(out, *results[out]) for out in outs], rtol=2e-5, atol=2e-6 * max(1, E // 20))


def _hold_against_torch(E, H, E_k, E_v, X, XK, XV, W, b, mask, causal, Y, weights):
    module = torch.nn.MultiheadAttention(E, H, bias=bool(b), kdim=E_k, vdim=E_v, batch_first=True).double()
    with torch.no_grad():
        if module.in_proj_weight is not None:  # packed
            module.in_proj_weight.copy_(torch.cat([W["q"], W["k"], W["v"]]))
        else:
            for letter in "qkv":
                getattr(module, f"{letter}_proj_weight").copy_(W[letter])
        module.out_proj.weight.copy_(W["o"])
        if b:
            module.in_proj_bias.copy_(torch.cat([b["q"], b["k"], b["v"]]))
            module.out_proj.bias.copy_(b["o"])
        blocked = None
        if mask is not None:
            blocked = ~mask if mask.dtype == torch.bool else mask.double()
        if causal:
            assert mask is None
            blocked = torch.ones(X.shape[1], XK.shape[1], dtype=torch.bool).triu(1)
        theirs, their_weights = module(X.double(), XK.double(), XV.double(), attn_mask=blocked,
                                       average_attn_weights=False)
    assert torch.allclose(theirs, Y, rtol=1e-11, atol=1e-11)
    assert torch.allclose(their_weights, weights, rtol=1e-11, atol=1e-11)


def layers():
    layer("layer_self", "layer,self", outs=("Y", "Y_f64", "attn", "context"))
    layer("layer_no_biases", "layer,self", biases=False)
    layer("layer_one_head", "layer,self", H=1, outs=("Y", "P", "context"))
    layer("layer_heads_of_one", "layer,self", E=7, H=7)
    layer("layer_odd", "layer,self", E=15, H=5, n=7)
    layer("layer_causal", "layer,causal", n=7, causal=True)
    layer("layer_batch", "layer,batch", B=3, outs=("Y", "P", "context"))
    layer("layer_cross", "layer,cross", n=4, m=9)
    layer("layer_cross_causal", "layer,cross,causal", n=4, m=9, causal=True)
    layer("layer_separate", "layer,cross,kdim", n=4, m=6, E_k=5, E_v=9)
    layer("layer_separate_no_biases", "layer,cross,kdim", n=4, m=6, E_k=10, E_v=3, biases=False, B=2,
          outs=("Y", "P"))
    layer("layer_mask_bool", "layer,mask", mask=lambda draw: draw.mask("bool", 5, 5) | torch.eye(5).bool())
    layer("layer_mask_float", "layer,mask", mask=lambda draw: draw.mask("float", 5, 5))
    layer("layer_mask_heads", "layer,mask", mask=lambda draw: draw.mask("float", 3, 5, 5))
    layer("layer_mask_batch", "layer,mask,batch", B=2, outs=("Y", "P"), torch_agrees=False,
          mask=lambda draw: draw.mask("bool", 2, 1, 1, 5))
    layer("layer_masked_rows", "layer,mask,masked_rows", torch_agrees=False,
          mask=lambda draw: torch.arange(25).reshape(5, 5) > 9)
    layer("layer_grouped", "layer,gqa", E=24, H=6, H_kv=2, torch_agrees=False)
    layer("layer_one_key_head", "layer,mqa,causal", E=16, H=4, H_kv=1, causal=True, torch_agrees=False)
    layer("layer_wide_values", "layer,dv", d_v=7, torch_agrees=False)
    layer("layer_bottom_right", "layer,align", n=3, m=6, causal=True, align="bottom_right",
          torch_agrees=False)
    layer("layer_window_softcap_scale", "layer,window,softcap,scale", n=8, window=(2, 1), softcap=2.0,
          scale=0.75, torch_agrees=False, outs=("Y", "attn"))
    layer("layer_packed", "layer,packed", packed=True, n=6, causal=True)
    layer("layer_packed_no_biases", "layer,packed,batch", packed=True, B=2, E=20, H=4, biases=False,
          outs=("Y", "Y_f64"))
    layer("layer_low_rank", "layer,low_rank", rank=2, torch_agrees=False, outs=("Y", "Y_f64", "context"))
    layer("layer_low_rank_cross", "layer,low_rank,cross,batch", rank=5, B=2, n=3, m=7, E_k=9, E_v=4,
          torch_agrees=False, outs=("Y", "P"))
    layer("layer_without_out_proj", "layer,identity", identity=True, torch_agrees=False)
    layer("layer_rotary", "layer,rotary", E=24, turned=8, causal=True, torch_agrees=False)
    layer("layer_rotary_partial", "layer,rotary,batch", E=24, B=2, turned=4, torch_agrees=False,
          outs=("Y", "P"))
    layer("layer_alibi", "layer,alibi", E=16, H=2, n=6, causal=True, torch_agrees=False,
          alibi=torch.tensor([0.0625, 0.00390625]))
    layer("layer_cross_mask", "layer,cross,mask", n=3, m=6, B=2, outs=("Y", "P"), torch_agrees=False,
          mask=lambda draw: draw.mask("bool", 2, 1, 3, 6) | (torch.arange(6) == 0))
    layer("layer_mask_of_keys", "layer,mask,broadcast", torch_agrees=False,
          mask=lambda draw: draw.mask("float", 5))
    layer("layer_mask_of_queries", "layer,mask,broadcast", torch_agrees=False,
          mask=torch.tensor([[True], [True], [False], [True], [False]]))
    layer("layer_mask_of_heads", "layer,mask,broadcast", torch_agrees=False,
          mask=lambda draw: draw.mask("float", 3, 1, 1))
    layer("layer_mask_one", "layer,mask,broadcast", torch_agrees=False, mask=torch.tensor([[1.5]]))
    for mode in range(4):
        layer(f"layer_scores_mode_{mode}", "layer,scores", n=4, mode=mode, softcap=1.5, causal=True,
              torch_agrees=False, outs=("Y", "qk_matmul_output"))
    for E, H in ((6, 6), (33, 3), (45, 5), (100, 1), (34, 2)):
        layer(f"layer_width_{E}_{H}", "layer,width", E=E, H=H, n=9, causal=True, outs=("Y", "Y_f64"))
    for n in (15, 16, 17, 31, 33, 63, 65, 129):
        layer(f"layer_edge_{n}", "layer,edge", E=4, H=1, n=n, causal=n % 2 == 1, outs=("Y",))
    layer("layer_larger", "layer,causal", E=32, H=2, n=66, causal=True, outs=("Y",))


def rotary():
    for interleaved in (0, 1):
        style = "interleaved" if interleaved else "halved"
        for label, d, width, layout, ids in (
                ("4d", 8, 0, "4d", True), ("3d", 6, 0, "3d", True), ("partial_4d", 10, 4, "4d", True),
                ("partial_3d", 9, 6, "3d", True), ("tables_4d", 8, 0, "4d", False),
                ("tables_3d", 8, 4, "3d", False), ("two", 2, 0, "4d", True), ("wide", 64, 32, "3d", False)):
            name = f"rotary_{style}_{label}"
            draw, B, H, n = Draw(name), 2, 3, 5
            X, turned = draw(B, H, n, d), width or d
            positions = torch.randint(0, 40, (B, n), generator=torch.Generator().manual_seed(d))
            positions[0, 0], positions[1, 0] = 0, 39
            rates = 10000.0 ** (-torch.arange(turned // 2).double() * 2 / turned)
            angles = torch.arange(40).double()[:, None] * rates
            cosines, sines = angles.cos().float(), angles.sin().float()
            picked = [cosines[positions], sines[positions]]
            Y = answers.rotary(X, *picked, interleaved, turned)
            flat = (lambda x: x.transpose(1, 2).reshape(B, n, H * d)) if layout == "3d" else (lambda x: x)
            tables = [cosines, sines] if ids else picked
            inputs = [("X", flat(X), "f32"), ("cos_cache", tables[0], "f32"), ("sin_cache", tables[1], "f32")]
            inputs += [("position_ids", positions, "i64")] if ids else []
            attributes = [("interleaved", interleaved)] if interleaved else []
            attributes += [("num_heads", H)] if layout == "3d" else []
            attributes += [("rotary_embedding_dim", width)] if width else []
            outputs = [("Y", flat(Y), "f32")] + ([("Y_f64", flat(Y), "f64")] if label == "4d" else [])
            write_case(name, "RotaryEmbedding", "rotary," + style, attributes, inputs, outputs, **TIGHT)


def softmax():
    def case(name, X, axis=None):
        Y = torch.softmax(X.double(), dim=-1 if axis is None else axis)
        write_case(name, "Softmax", "softmax", [("axis", axis)] if axis is not None else [],
                   [("X", X, "f32")], [("Y", Y, "f32")], **TIGHT)

    draw = Draw("softmax", gain=3)
    case("softmax_default", draw(3, 5))
    for axis in (-3, -2, -1, 0, 1, 2):
        case(f"softmax_axis_{axis}".replace("-", "minus_"), draw(3, 4, 5), axis)
    case("softmax_rank_1", draw(9), 0)
    case("softmax_rank_5", draw(2, 3, 2, 3, 2), 2)
    case("softmax_one", draw(4, 1), 1)
    for length in (2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 64, 65):
        case(f"softmax_length_{length}", draw(2, length))
    case("softmax_large", torch.tensor([[1e4, 0, -1e4, 9999], [1e30, 1e30, -1e30, 0], [-1e30, -1e30, -1e30, -1e30],
                                        [3e38, -3e38, 0, 1], [-88, -90, -100, -104]]))
    case("softmax_infinite", torch.tensor([[-np.inf, 0, 1, -np.inf], [np.nan, 1, 2, 3], [5, -np.inf, -np.inf, -np.inf]]))
