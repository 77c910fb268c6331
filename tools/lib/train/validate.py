"""Losses on the books kept back, in nats a word, and the floor: a bigram table over the same tokens."""
import numpy as np
import torch
from torch.nn import functional as F

import tokenizer as tok
from corpus import paragraphs

DISCOUNT = 0.75


def held_out(book, tokenizer):
    """(ids of a book, how many words they spell, how many of these are one token, how many have unknown letters)."""
    words = [word for paragraph in paragraphs(book) for word in paragraph]
    ids, _ = tokenizer.encode(words)
    whole = sum(word in tokenizer.ids for word in words)
    unknown = sum(tokenizer.pieces(word) == [tok.UNKNOWN] for word in words)
    return np.array(ids), len(words), whole, unknown


@torch.no_grad()
def nats(model, ids, start, batch=32):
    """Total loss over ids, each foretold from the 32 to 63 tokens before it (the first ones from all there are)."""
    context = model.config.context
    half = context // 2
    places = range(0, len(ids) - half, half)  # of windows; each scores its second half, the first one all
    rows = np.stack([np.concatenate([[start], np.pad(part := ids[at:at + context], (0, context - len(part)))])
                     for at in places])
    total = 0.0
    for at in range(0, len(rows), batch):
        some = torch.from_numpy(rows[at:at + batch])
        out, _ = model(some[:, :-1])
        for i, (hidden, targets) in enumerate(zip(out, some[:, 1:]), start=at):
            scored = slice(0 if i == 0 else half, min(context, len(ids) - places[i]))
            total += F.cross_entropy(model.logits(hidden[scored]), targets[scored], reduction="sum").item()
    return total


class Bigram:
    """Kneser and Ney's interpolated bigram: what a count lacks is shared by how many words a word follows."""

    def __init__(self, ids, vocabulary):
        pairs, counts = np.unique(ids[:-1] * vocabulary + ids[1:], return_counts=True)
        self.vocabulary = vocabulary
        self.count = dict(zip(pairs.tolist(), counts.tolist()))
        before, after = np.divmod(pairs, vocabulary)
        self.seen = np.bincount(before, weights=counts, minlength=vocabulary)
        self.kinds = np.bincount(before, minlength=vocabulary)
        follows = np.bincount(after, minlength=vocabulary) + 0.5  # no token is impossible
        self.lower = follows / follows.sum()

    def chance(self, before, after):
        if self.seen[before] == 0:
            return self.lower[after]
        count = self.count.get(int(before) * self.vocabulary + int(after), 0)
        share = DISCOUNT * self.kinds[before] * self.lower[after]
        return (max(count - DISCOUNT, 0) + share) / self.seen[before]

    def nats(self, ids):
        return -sum(np.log(self.chance(a, b)) for a, b in zip(ids[:-1], ids[1:])) - np.log(self.lower[ids[0]])


def measure(model, shipped, data):
    """Per book and in all: words, and nats a word of the model, of the model as shipped, and of the bigram table."""
    bigram = Bigram(data.train.ids, len(data.tokenizer.tokens))
    books = []
    for title, text in sorted(data.held.items()):
        ids, words, whole, unknown = held_out(text, data.tokenizer)
        books.append({"title": title, "words": words, "whole": whole / words, "unknown": unknown,
                      "model": nats(model, ids, data.start) / words, "shipped": nats(shipped, ids, data.start) / words,
                      "bigram": bigram.nats(ids) / words})
    words = sum(book["words"] for book in books)
    keys = ("whole", "model", "shipped", "bigram")
    return books, {"words": words, "unknown": sum(book["unknown"] for book in books),
                   **{key: sum(book[key] * book["words"] for book in books) / words for key in keys}}
