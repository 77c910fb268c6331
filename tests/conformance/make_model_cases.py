"""The cases of what stands beside attention in a model, and of a whole small decoder."""
import numpy as np
import torch
import torch.nn.functional as F

import operator_answers as answers
from case_writer import Draw, write_case

TIGHT = dict(rtol=2e-5, atol=2e-6)


def parts():
    for width in (1, 2, 3, 4, 7, 8, 17, 64, 100, 768):
        draw = Draw(f"layer_norm_{width}", gain=3)
        X, gain, bias = draw(5, width) + 2, draw(width), draw(width)
        Y = F.layer_norm(X.double(), (width,), gain.double(), bias.double(), 1e-5)
        write_case(f"layer_norm_{width}", "LayerNormalization", "layer_norm", [],
                   [("X", X, "f32"), ("Scale", gain, "f32"), ("B", bias, "f32")], [("Y", Y, "f32")], **TIGHT)
    draw = Draw("layer_norm_epsilon")
    X, gain = draw(2, 3, 4), draw(3, 4)
    Y = F.layer_norm(X.double(), (3, 4), gain.double(), None, 0.1)
    write_case("layer_norm_two_axes_no_bias", "LayerNormalization", "layer_norm", [("axis", 1), ("epsilon", 0.1)],
               [("X", X, "f32"), ("Scale", gain, "f32")], [("Y", Y, "f32")], **TIGHT)
    equal = torch.full((2, 5), 3.0)
    write_case("layer_norm_equal", "LayerNormalization", "layer_norm", [],
               [("X", equal, "f32"), ("Scale", torch.ones(5), "f32")], [("Y", equal * 0, "f32")], **TIGHT)

    X = torch.cat([torch.linspace(-12, 12, 301), torch.tensor([0.0, -0.0, 1e-20, 1e4, -1e4, 3e38, -3e38])])
    for kind in ("none", "tanh"):
        write_case(f"gelu_{kind}", "Gelu", "gelu", [("approximate", kind)], [("X", X, "f32")],
                   [("Y", F.gelu(X.double(), approximate=kind), "f32")], rtol=2e-5, atol=1e-6)

    for width in (2, 6, 7, 64):
        draw, rows = Draw(f"sinusoidal_{width}"), 12
        X = draw(2, 9, width)
        columns = torch.arange(width)
        angles = torch.arange(rows).double()[:, None] / 10000.0 ** ((columns // 2 * 2).double() / width)
        table = torch.where(columns % 2 == 0, angles.sin(), angles.cos())
        write_case(f"positions_sinusoidal_{width}", "PositionEmbedding", "positions",
                   [("max_positions", rows), ("first", 3)], [("X", X, "f32")],
                   [("Y", X.double() + table[3:], "f32")], **TIGHT)
    draw = Draw("learned")
    X, table = draw(2, 4, 6), draw(9, 6)
    ids = torch.tensor([[0, 8, 3, 3], [1, 2, 0, 7]])
    write_case("positions_learned", "PositionEmbedding", "positions", [], [("X", X, "f32"), ("table", table, "f32"),
               ("position_ids", ids, "i64")], [("Y", X.double() + table.double()[ids], "f32")], **TIGHT)


def decoder(name, *, D=12, H=3, layers=2, hidden=20, V=17, n=9, context=16, tied=True):
    """Shaped and named as GPT-2; Conv1D matrices are (in, out), of which torch knows nothing."""
    draw = Draw(name, gain=0.5)
    parameters = {"wte": draw(V, D), "wpe": draw(context, D), "ln_f.g": 1 + draw(D), "ln_f.b": draw(D)}
    for i in range(layers):
        parameters.update({
            f"h{i}.ln_1.g": 1 + draw(D), f"h{i}.ln_1.b": draw(D), f"h{i}.ln_2.g": 1 + draw(D), f"h{i}.ln_2.b": draw(D),
            f"h{i}.attn.c_attn.w": draw(D, 3 * D), f"h{i}.attn.c_attn.b": draw(3 * D),
            f"h{i}.attn.c_proj.w": draw(D, D), f"h{i}.attn.c_proj.b": draw(D),
            f"h{i}.mlp.c_fc.w": draw(D, hidden), f"h{i}.mlp.c_fc.b": draw(hidden),
            f"h{i}.mlp.c_proj.w": draw(hidden, D), f"h{i}.mlp.c_proj.b": draw(D)})
    if not tied:
        parameters["lm_head"] = draw(V, D)
    tokens = torch.tensor(np.random.RandomState(n).randint(0, V, n))

    p = {key: value.double() for key, value in parameters.items()}
    conv = lambda x, key: torch.addmm(p[key + ".b"], x, p[key + ".w"])
    norm = lambda x, key: F.layer_norm(x, (D,), p[key + ".g"], p[key + ".b"], 1e-5)
    x = p["wte"][tokens] + p["wpe"][:n]
    for i in range(layers):
        q, k, v = conv(norm(x, f"h{i}.ln_1"), f"h{i}.attn.c_attn").split(D, dim=1)
        heads = [y.reshape(1, n, H, D // H).transpose(1, 2) for y in (q, k, v)]
        full = answers.attention(*heads, mask=None, causal=True, offset=[0], lengths=None, window=(-1, -1),
                                 scale=None, softcap=0.0)
        x = x + conv(full.Y.transpose(1, 2).reshape(n, D), f"h{i}.attn.c_proj")
        x = x + conv(F.gelu(conv(norm(x, f"h{i}.ln_2"), f"h{i}.mlp.c_fc"), approximate="tanh"), f"h{i}.mlp.c_proj")
    Y = norm(x, "ln_f") @ p["wte" if tied else "lm_head"].T
    write_case(name, "Decoder", "decoder", [("layers", layers), ("num_heads", H)],
               [("tokens", tokens, "i64")] + [(key, value, "f32") for key, value in parameters.items()],
               [("Y", Y, "f32"), ("Y_f64", Y, "f64")], rtol=1e-4, atol=2e-5)


def decoders():
    decoder("decoder_tied")
    decoder("decoder_own_output", tied=False, layers=1, D=10, H=5, V=33)
    decoder("decoder_longer", n=70, context=70, D=8, H=1, layers=3, hidden=9)
