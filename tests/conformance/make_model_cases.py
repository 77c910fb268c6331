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


def turn(x, rates, interleaved):
    """(H, n, d) turned by position times rate, pair by pair, as complex numbers."""
    half = len(rates)
    first, second = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    angles = torch.arange(x.shape[1]).double()[:, None] * rates
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    parts = (turned.real, turned.imag)
    return torch.stack(parts, dim=-1).reshape(x.shape) if interleaved else torch.cat(parts, dim=-1)


def llama3_rates(rates, factor, low, high, original):
    """As Llama 3.1 published it: by wavelengths."""
    wavelengths = 2 * np.pi / rates
    smooth = (original / wavelengths - low) / (high - low)
    between = (1 - smooth) * rates / factor + smooth * rates
    return torch.where(wavelengths > original / low, rates / factor,
                       torch.where(wavelengths < original / high, rates, between))


def yarn_rates(rates, base, factor, original, beta_fast=32.0, beta_slow=1.0, truncate=True, attention_factor=None, mscale=None, mscale_all_dim=None):
    """As Peng et al. 2023 and transformers have it: rates, and what cos and sin are times. From the pair that turns beta_fast times
    in the original context to the one that turns beta_slow times, rates go over to those divided by the factor."""
    half = len(rates)
    pair_of = lambda turns: half * np.log(original / (2 * np.pi * turns)) / np.log(base)
    low, high = pair_of(beta_fast), pair_of(beta_slow)
    if truncate:
        low, high = np.floor(low), np.ceil(high)
    low, high = max(low, 0), min(high, 2 * half - 1)
    divided = ((torch.arange(half).double() - low) / (high - low if high != low else 0.001)).clamp(0, 1)
    grown = lambda by: 0.1 * by * np.log(factor) + 1 if factor > 1 else 1.0
    if attention_factor is None:
        attention_factor = grown(mscale) / grown(mscale_all_dim) if mscale and mscale_all_dim else grown(1)
    return rates / factor * divided + rates * (1 - divided), attention_factor


def llama(name, *, n=9, D=12, H=4, H_kv=2, d=6, layers=2, hidden=20, V=17, base=10000.0, scaling=None, yarn=None, tied=True, biased=False, interleaved=False, head_norms=False):
    """Shaped as Llama, or with head_norms as Qwen 3, its tensors named as transformers stores them; the weights of every head, too."""
    numbers = Draw(name)
    draw = lambda *shape: (numbers(*shape) / np.sqrt(shape[-1])).float()
    parameters = {"model.embed_tokens.weight": draw(V, D), "model.norm.weight": 1 + draw(D)}
    for i in range(layers):
        at = f"model.layers.{i}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            parameters[f"{at}{norm}.weight"] = 1 + draw(D)
        for part, rows in (("q_proj", H * d), ("k_proj", H_kv * d), ("v_proj", H_kv * d)):
            parameters[f"{at}self_attn.{part}.weight"] = draw(rows, D)
            if biased:
                parameters[f"{at}self_attn.{part}.bias"] = draw(rows)
        if head_norms:
            for part in ("q_norm", "k_norm"):
                parameters[f"{at}self_attn.{part}.weight"] = 1 + numbers(d)
        parameters[f"{at}self_attn.o_proj.weight"] = draw(D, H * d)
        for part, shape in (("gate_proj", (hidden, D)), ("up_proj", (hidden, D)), ("down_proj", (D, hidden))):
            parameters[f"{at}mlp.{part}.weight"] = draw(*shape)
    if not tied:
        parameters["lm_head.weight"] = draw(V, D)
    tokens = torch.tensor(np.random.RandomState(n).randint(0, V, n))

    p = {key: value.double() for key, value in parameters.items()}
    rates = base ** (-torch.arange(0, d, 2).double() / d)
    if scaling:
        rates = rates / scaling[0] if len(scaling) == 1 else llama3_rates(rates, *scaling)
    grown = 1.0
    if yarn:
        rates, grown = yarn_rates(rates, base, **yarn)
    norm = lambda x, key: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * p[key + ".weight"]
    linear = lambda x, key: F.linear(x, p[key + ".weight"], p.get(key + ".bias"))
    x, weights = p["model.embed_tokens.weight"][tokens], []
    hidden_keys = torch.ones(n, n).triu(1).bool()
    for i in range(layers):
        at = f"model.layers.{i}."
        y = norm(x, at + "input_layernorm")
        q, k, v = (linear(y, f"{at}self_attn.{part}_proj").reshape(n, -1, d).transpose(0, 1) for part in "qkv")
        if head_norms:
            q, k = norm(q, at + "self_attn.q_norm"), norm(k, at + "self_attn.k_norm")
        q, k = grown * turn(q, rates, interleaved), grown * turn(k, rates, interleaved)
        k, v = k.repeat_interleave(H // H_kv, 0), v.repeat_interleave(H // H_kv, 0)
        scores = (q @ k.transpose(1, 2) / np.sqrt(d)).masked_fill(hidden_keys, -np.inf)
        weights.append(scores.softmax(-1))
        x = x + linear((weights[-1] @ v).transpose(0, 1).reshape(n, H * d), at + "self_attn.o_proj")
        y = norm(x, at + "post_attention_layernorm")
        x = x + linear(F.silu(linear(y, at + "mlp.gate_proj")) * linear(y, at + "mlp.up_proj"), at + "mlp.down_proj")
    Y = norm(x, "model.norm") @ p["model.embed_tokens.weight" if tied else "lm_head.weight"].T
    factor, low, high, original = {0: (1.0, 1.0, 4.0, 0.0), 1: (*(scaling or ()), 1.0, 4.0, 0.0), 4: scaling}[len(scaling or ())]
    write_case(name, "Llama", "llama",
               [("layers", layers), ("num_heads", H), ("num_kv_heads", H_kv), ("head_dim", d), ("interleaved", int(interleaved)), ("base", base),
                ("factor", factor), ("low_turns", low), ("high_turns", high), ("original_context", original),
                *((f"yarn_{key}", value) for key, value in (yarn or {}).items())],
               [("tokens", tokens, "i64")] + [(key, value, "f32") for key, value in parameters.items()],
               [("Y", Y, "f32"), ("Y_f64", Y, "f64"), ("weights", torch.stack(weights), "f32")], rtol=1e-4, atol=2e-5)


def neox(name, *, n=9, D=12, H=3, layers=2, hidden=20, V=17, pct=0.25, base=10000.0, parallel=True, tied=False, biased=True, gelu="none"):
    """Shaped as GPT-NeoX (Black et al. 2022; Pythia), its tensors named as transformers stores them: of query_key_value, the
    rows of a head lie together, its query's, its key's, its value's."""
    numbers = Draw(name)
    draw = lambda *shape: (numbers(*shape) / np.sqrt(shape[-1])).float()
    d = D // H
    parameters = {"gpt_neox.embed_in.weight": draw(V, D)}
    for i in range(layers):
        at = f"gpt_neox.layers.{i}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            parameters.update({f"{at}{norm}.weight": 1 + draw(D), f"{at}{norm}.bias": draw(D)})
        for part, shape in (("attention.query_key_value", (3 * D, D)), ("attention.dense", (D, D)),
                            ("mlp.dense_h_to_4h", (hidden, D)), ("mlp.dense_4h_to_h", (D, hidden))):
            parameters[f"{at}{part}.weight"] = draw(*shape)
            if biased or part.startswith("mlp"):
                parameters[f"{at}{part}.bias"] = draw(shape[0])
    parameters.update({"gpt_neox.final_layer_norm.weight": 1 + draw(D), "gpt_neox.final_layer_norm.bias": draw(D)})
    if not tied:
        parameters["embed_out.weight"] = draw(V, D)
    tokens = torch.tensor(np.random.RandomState(n).randint(0, V, n))

    p = {key: value.double() for key, value in parameters.items()}
    turned = int(d * pct)
    rates = base ** (-torch.arange(0, turned, 2).double() / turned)
    norm = lambda x, key: F.layer_norm(x, (D,), p[key + ".weight"], p[key + ".bias"], 1e-5)
    linear = lambda x, key: F.linear(x, p[key + ".weight"], p.get(key + ".bias"))
    x, weights = p["gpt_neox.embed_in.weight"][tokens], []
    hidden_keys = torch.ones(n, n).triu(1).bool()
    for i in range(layers):
        at = f"gpt_neox.layers.{i}."
        packed = linear(norm(x, at + "input_layernorm"), at + "attention.query_key_value").reshape(n, H, 3 * d).transpose(0, 1)
        q, k, v = packed.split(d, dim=-1)
        q, k = (torch.cat([turn(y[..., :turned], rates, False), y[..., turned:]], dim=-1) for y in (q, k))
        weights.append((q @ k.transpose(1, 2) / np.sqrt(d)).masked_fill(hidden_keys, -np.inf).softmax(-1))
        attended = linear((weights[-1] @ v).transpose(0, 1).reshape(n, D), at + "attention.dense")
        y = norm(x if parallel else x + attended, at + "post_attention_layernorm")
        x = x + attended + linear(F.gelu(linear(y, at + "mlp.dense_h_to_4h"), approximate=gelu), at + "mlp.dense_4h_to_h")
    Y = norm(x, "gpt_neox.final_layer_norm") @ p["gpt_neox.embed_in.weight" if tied else "embed_out.weight"].T
    write_case(name, "GPTNeoX", "gpt_neox",
               [("layers", layers), ("num_heads", H), ("rotary_dim", turned), ("base", base), ("parallel", int(parallel)), ("approximate", gelu)],
               [("tokens", tokens, "i64")] + [(key, value, "f32") for key, value in parameters.items()],
               [("Y", Y, "f32"), ("Y_f64", Y, "f64"), ("weights", torch.stack(weights), "f32")], rtol=1e-4, atol=2e-5)


def neoxes():
    neox("neox_as_pythia", D=24, H=3, pct=0.25)
    neox("neox_one_after_the_other", parallel=False, pct=0.5, n=30)
    neox("neox_whole_heads_turned", pct=1.0, base=1000.0, layers=1, tied=True)
    neox("neox_gelu_tanh_no_biases", D=20, H=2, pct=0.4, gelu="tanh", biased=False, V=33)


def bert(name, *, n=9, D=12, H=3, layers=2, hidden=20, V=17, context=32, kinds=2, first=0, epsilon=1e-12, gelu="none", head_gelu=None, own_output=False, head=True, separator=None):
    """Shaped as BERT (Devlin et al. 2019), its tensors named as transformers stores them: post-norm, every token sees all
    tokens, all of one kind, or of none; the first place is row `first` of its table. Tokens behind the first `separator` are of
    the second kind. Y: the logits of BertForMaskedLM, or without its head the rows after the last layer, times the embeddings."""
    numbers = Draw(name)
    draw = lambda *shape: (numbers(*shape) / np.sqrt(shape[-1])).float()
    parameters = {"bert.embeddings.word_embeddings.weight": draw(V, D), "bert.embeddings.position_embeddings.weight": draw(context, D),
                  **({"bert.embeddings.token_type_embeddings.weight": draw(kinds, D)} if kinds else {})}
    norms = ["bert.embeddings.LayerNorm"]
    linears = {"cls.predictions.transform.dense": (D, D)} if head else {"bert.pooler.dense": (D, D)}
    for i in range(layers):
        at = f"bert.encoder.layer.{i}."
        norms += [f"{at}attention.output.LayerNorm", f"{at}output.LayerNorm"]
        linears.update({**{f"{at}attention.self.{part}": (D, D) for part in ("query", "key", "value")}, f"{at}attention.output.dense": (D, D),
                        f"{at}intermediate.dense": (hidden, D), f"{at}output.dense": (D, hidden)})
    if head:
        norms.append("cls.predictions.transform.LayerNorm")
        parameters["cls.predictions.bias"] = draw(V)
        if own_output:
            parameters["cls.predictions.decoder.weight"] = draw(V, D)
    for norm in norms:
        parameters.update({f"{norm}.weight": 1 + draw(D), f"{norm}.bias": draw(D)})
    for linear, shape in linears.items():
        parameters.update({f"{linear}.weight": draw(*shape), f"{linear}.bias": draw(shape[0])})
    tokens = torch.tensor(np.random.RandomState(n).randint(0, V, n))
    second = n
    if separator is not None:
        tokens[tokens == separator] += 1
        second = n // 2
        tokens[[second - 1, n - 1]] = separator

    p = {key: value.double() for key, value in parameters.items()}
    norm = lambda x, key: F.layer_norm(x, (D,), p[key + ".weight"], p[key + ".bias"], epsilon)
    linear = lambda x, key: F.linear(x, p[key + ".weight"], p[key + ".bias"])
    words = p["bert.embeddings.word_embeddings.weight"]
    x = norm(words[tokens] + (p["bert.embeddings.token_type_embeddings.weight"][(torch.arange(n) >= second).long()] if kinds else 0) + p["bert.embeddings.position_embeddings.weight"][first:first + n], "bert.embeddings.LayerNorm")
    weights = []
    for i in range(layers):
        at = f"bert.encoder.layer.{i}."
        q, k, v = (linear(x, f"{at}attention.self.{part}").reshape(n, H, D // H).transpose(0, 1) for part in ("query", "key", "value"))
        weights.append((q @ k.transpose(1, 2) / np.sqrt(D // H)).softmax(-1))
        x = norm(x + linear((weights[-1] @ v).transpose(0, 1).reshape(n, D), f"{at}attention.output.dense"), f"{at}attention.output.LayerNorm")
        x = norm(x + linear(F.gelu(linear(x, f"{at}intermediate.dense"), approximate=gelu), f"{at}output.dense"), f"{at}output.LayerNorm")
    if head:
        x = norm(F.gelu(linear(x, "cls.predictions.transform.dense"), approximate=head_gelu or gelu), "cls.predictions.transform.LayerNorm")
        Y = x @ p.get("cls.predictions.decoder.weight", words).T + p["cls.predictions.bias"]
    else:
        Y = x @ words.T
    write_case(name, "BERT", "bert", [("layers", layers), ("num_heads", H), ("epsilon", epsilon), ("approximate", gelu),
                *([("first_position", first)] if first else []), *([("head_approximate", head_gelu)] if head_gelu else []), *([("second_segment", second)] if second < n else [])],
               [("tokens", tokens, "i64")] + [(key, value, "f32") for key, value in parameters.items()],
               [("Y", Y, "f32"), *([("Y_f64", Y, "f64")] if second == n else []), ("weights", torch.stack(weights), "f32")], rtol=1e-4, atol=2e-5)


def berts():
    bert("bert_masked_words", D=24, H=3, layers=3, n=20)
    bert("bert_own_output", own_output=True, V=33, epsilon=1e-5)
    bert("bert_gelu_tanh", gelu="tanh", kinds=1, layers=1, n=30)
    bert("bert_without_head", head=False, H=4)
    bert("bert_two_sentences", n=11, separator=3)
    bert("bert_as_distilbert", kinds=0, own_output=True, V=21, n=12)
    bert("bert_as_roberta", kinds=1, first=2, epsilon=1e-5, context=34, n=32, V=19)
    bert("bert_as_roberta_gelu_tanh", kinds=1, first=3, epsilon=1e-5, gelu="tanh", head_gelu="none", layers=1, H=2)


def llamas():
    llama("llama_tied")
    llama("llama_own_output", tied=False, layers=1, D=10, H=5, H_kv=1, d=4, V=33)
    llama("llama_biased_as_qwen_2", H=6, H_kv=3, d=4, D=24, base=1e6, biased=True)
    llama("llama_interleaved", H_kv=4, interleaved=True, n=30)
    llama("llama_as_stories", D=16, H=4, H_kv=2, d=4, hidden=11, V=19, n=12, interleaved=True)
    llama("llama_linear", scaling=(4.0,), n=40, layers=1)
    llama("llama_3_1", scaling=(8.0, 1.0, 4.0, 64.0), base=500000.0, d=32, D=16, H=2, H_kv=1, n=70, layers=1)
    llama("llama_as_qwen_3", head_norms=True, H=6, H_kv=2, d=8, D=20, base=1e6, tied=False)
    llama("llama_as_qwen_3_one_key_head", head_norms=True, H=3, H_kv=1, d=4, D=18, n=20, layers=1)
    yarn = dict(factor=4.0, original=64.0)
    llama("llama_yarn", yarn=yarn, d=32, D=16, H=2, H_kv=1, n=70, layers=1)
    llama("llama_yarn_own_ramp", yarn=dict(yarn, beta_fast=8.0, beta_slow=0.5, truncate=False, attention_factor=1.5), d=32, D=16, H=2, H_kv=1, n=40, layers=1)
    llama("llama_yarn_mscale", yarn=dict(yarn, mscale=1.0, mscale_all_dim=0.7), head_norms=True, d=16, D=16, H=2, H_kv=1, n=30, layers=1, base=1000.0)
