"""What PyTorch makes of the shipped file, for the engine's tests: tests/data/model."""
import json
from pathlib import Path

import numpy as np
import torch

import heads
from tokenizer import START, split

TEXTS = [
    "The small dog chased a cat, and the cat ran up a tree.",
    "My sister bought two red apples at the market.",
    "The old king was very tired, so he went to bed.",
    "“Where are you going?” asked the fox. “I’m going home,” said the hen.",
    "A quokka photobombed the well-known astronaut's selfie in 2024.",  # words in pieces
    "Ελένη saw 東京 and 🙂.",  # unknown words
    "The children who had been playing in the garden came into the house because it was raining, and their mother "
    "gave them warm milk, bread and honey. Then they sat by the fire, and the old man told them a long story about a "
    "fox, a goose and a very clever little mouse who lived under the floor of a church in the",
]
REPEATED = "window river seven butter horse letter purple teacher garden soldier candle morning"
SPLIT = [
    "", "   ", "The DOG barked!", "don't", "don’t", "'tis the dogs' bone", "rock'n'roll", "well-known -- but",
    "3.14 or 1,000", "in 2024", "roamed", "unbelievably", "quokka", "telescopes", "e-mail me: a_b@c.de",
    "Ça va? Garçon!", "naïve café", "I’ll say “yes”…", "‘Oh’ – no—never", "東京 is big", "Привет, мир", "हिन्दी",
    "🙂🙂 ok", "👩‍👩‍👧", "İstanbul", "ΣΊΣΥΦΟΣ", "x²+y²", "a\tb\nc", "e\u0301clair", "the '' quotes",
    "100% of $5 & #1", "''", "it's'", "½ cup", "\u00a0nbsp",
]
EVERY = 97  # of the logits, one in so many ids is kept


def repeated(text):
    return f"{text} {text}"


def write(model, tokenizer, path, sample_path, plain):
    """Writes tokens.json, expected.json, expected.bin and expected-heads.json beside the sample.
    model: with the values of the shipped file; plain: the same before its matrices were rounded to int8."""
    folder = Path(sample_path).parent
    texts = [*SPLIT, *TEXTS]
    dump(folder / "tokens.json", [{"text": text, "tokens": spelled(text, tokenizer)} for text in texts])
    numbers, cases, differences = [], [], []
    for text in [*TEXTS, repeated(REPEATED)]:
        case, floats, difference = expected(model, plain, tokenizer, text)
        for name, values in floats.items():
            case[name] = {"at": sum(map(len, numbers)), "count": len(values)}
            numbers.append(values)
        cases.append(case)
        differences.append(difference)
    np.concatenate(numbers).astype("<f4").tofile(folder / "expected.bin")
    int8 = {name: max(each[name] for each in differences) for name in differences[0]}
    about = ("expected.bin holds float32, little-endian; at and count are in numbers. weights: [layers, heads, rows], "
             "row i with the i + 1 columns it may see. logits: [rows, ids], the ids 0, every, 2·every …")
    dump(folder / "expected.json", {"model": path.name, "about": about, "every": EVERY, "int8": int8, "cases": cases})
    sample = read_sample(sample_path)
    tallies, _ = heads.measure(model, tokenizer, sample)
    dump(folder / "expected-heads.json", {"model": path.name, "sentences": len(sample), "relations": {
        relation: {"cases": tally.cases, "right": tally.right.tolist(),
                   "baseline": round(float(tally.baseline()[0]), 4), "baseline_offset": tally.baseline()[1]}
        for relation, tally in sorted(tallies.items())}})
    return int8


def spelled(text, tokenizer):
    return [piece for word in split(text) for piece in tokenizer.pieces(word)]


@torch.no_grad()
def expected(model, plain, tokenizer, text):
    tokens = [START, *spelled(text, tokenizer)][:model.config.context]
    ids = torch.tensor([[tokenizer.ids[token] for token in tokens]])
    lower = np.tril_indices(len(tokens))
    logits, weights = outputs(model, ids)
    plain_logits, plain_weights = outputs(plain, ids)
    best = logits.argsort(-1)[:, ::-1][:, :5]
    case = {"text": text, "tokens": tokens, "ids": ids[0].tolist(),
            "best": [[[int(i), round(float(row[i]), 5)] for i in five] for row, five in zip(logits, best)]}
    floats = {"weights": weights[:, :, lower[0], lower[1]].ravel(), "logits": logits[:, ::EVERY].ravel()}
    return case, floats, {"weights": float(np.abs(weights - plain_weights).max()),
                          "logits": float(np.abs(logits - plain_logits).max())}


def outputs(model, ids):
    rows, weights = model(ids)
    return model.logits(rows)[0].numpy(), torch.stack([layer[0] for layer in weights]).numpy()


def read_sample(path):
    """The annotated sentences: arcs[relation] = [[row, column] …], indices of words."""
    sentences = []
    for entry in json.loads(Path(path).read_text()):
        words, cases = entry["words"], heads.plain_cases(entry["words"])
        if words != split(entry["text"]):
            raise ValueError(f"These are not the words of its text: {words}")
        for relation, arcs in entry["arcs"].items():
            rows = cases.setdefault(relation, {})
            for row, column in arcs:
                if not 0 <= column < row < len(words):
                    raise ValueError(f"{relation} {row} → {column} does not point back in: {entry['text']}")
                rows.setdefault(row, []).append(column)
        sentences.append(heads.Sentence(words, cases))
    return sentences


def dump(path, value):
    """JSON, an entry of a list a line."""
    one = lambda each: json.dumps(each, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, list):
        text = "[\n" + ",\n".join(map(one, value)) + "\n]\n"
    else:
        text = "{\n" + ",\n".join(f'"{key}":{one(each)}' for key, each in value.items()) + "\n}\n"
    path.write_text(text)
