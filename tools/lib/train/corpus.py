"""The texts to train on, and those kept back to measure with."""
import hashlib
import re
from collections import Counter
from pathlib import Path

import numpy as np

import tokenizer as tok

# How often each file counts; blank lines stand between its books, or stories.
FILES = {
    "gutenberg_children.txt": 1.0,
    "gutenberg_children_2.txt": 1.0,
    "storybooks_ccby.txt": 2.0,
    "coco_captions.txt": 1.5,
}
# Whole books that are never trained on, and words that stand in no other.
HELD_OUT = {
    "Black Beauty, by Anna Sewell": "The Autobiography of a Horse\nTo my dear and honored Mother",
    "The Railway Children, by E. Nesbit": "To my dear son Paul Bland, behind whose knowledge of railways",
    "Understood Betsy, by Dorothy Canfield": "DOROTHY CANFIELD Author of \"The Bent Twig,\"",
}
SENTENCE_ENDS, CLOSING = frozenset(".!?"), frozenset("\"'”)")


def read(folder):
    """(books to train on as [(weight, text)], held-out books as {title: text}, SHA-256 of all the files)."""
    books, held, digest = [], {}, hashlib.sha256()
    for name, weight in FILES.items():
        data = (Path(folder) / name).read_bytes()
        digest.update(data)
        for book in re.split(r"\n\n+", data.decode("utf8").replace("_", " ")):
            title = next((title for title, words in HELD_OUT.items() if words in book), None)
            if title:
                held[title] = book
            elif book.strip():
                books.append((weight, book))
    if len(held) != len(HELD_OUT):
        raise SystemExit(f"These books are not in {folder}: {', '.join(HELD_OUT.keys() - held.keys())}")
    return books, held, digest.hexdigest()


def paragraphs(book):
    return [words for words in map(tok.split, book.split("\n")) if words]


class Stream:
    """Books as one row of ids; starts[i] is where the sentence of token i begins, weights[i] how often it counts."""

    def __init__(self, books, tokenizer):
        ids, starts, weights = [], [], []
        for weight, book in books:
            for words in paragraphs(book):
                self._append(ids, starts, words, tokenizer)
            weights += [weight] * (len(ids) - len(weights))
        self.ids = np.array(ids, dtype=np.int64)
        self.starts = np.array(starts, dtype=np.int64)
        self.chance = np.cumsum(weights)

    @staticmethod
    def _append(ids, starts, words, tokenizer):
        start, ended = len(ids), False
        for word in words:
            if ended and word not in CLOSING:
                start, ended = len(ids), False
            ended = word in SENTENCE_ENDS or (ended and word in CLOSING)
            pieces = [tokenizer.ids[piece] for piece in tokenizer.pieces(word)]
            ids += pieces
            starts += [start] * len(pieces)

    def windows(self, random, count, length):
        """count rows of length ids that begin where a sentence begins."""
        places = np.searchsorted(self.chance, random.random(count) * self.chance[-1], side="right")
        first = np.minimum(self.starts[places], len(self.ids) - length)
        return self.ids[first[:, None] + np.arange(length)]


def word_counts(books):
    counts = Counter()
    for weight, book in books:
        for words in paragraphs(book):
            for word in words:
                counts[word] += weight
    return counts


def repeats(random, words, count, length, shortest=8):
    """Rows of random words that start over: (ids, whether each has stood in the row before), [count, length]."""
    period = random.integers(shortest, length // 2 + 1, size=(count, 1))
    drawn = random.choice(words, size=(count, length))
    ids = np.take_along_axis(drawn, np.arange(length)[None] % period, axis=1)
    return ids, np.arange(length)[None] >= period
