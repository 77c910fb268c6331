"""What each head looks at: how often its largest weight is on the right word, against the best fixed offset."""
import re
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import torch

from tokenizer import UNKNOWN, split

LONGEST_OFFSET = 64
MARGIN, LEAST_RIGHT, LEAST_CASES = 0.15, 0.5, 40  # what a head must show to be named after a relation
PREVIOUS, INDUCTION = 0.8, 0.9

# Relation: (what a head with it is called, what counts as right).
RELATIONS = {
    "previous": ("previous word", "every word but the first: the word before"),
    "induction": ("induction", "random words, repeated: the word that came after the same word before"),
    "itself": ("the word itself", "every word: itself"),
    "same": ("same word before", "words that stood before: any such place"),
    "determiner": ("noun → its determiner", "`det`: the determiner of a noun"),
    "possessive": ("noun → whose", "`nmod:poss`: the possessor before a noun"),
    "adjective": ("noun → its adjective", "`amod`: an adjective before a noun"),
    "compound": ("noun → the noun before it", "`compound`, `flat`: the earlier part of a name or compound"),
    "preposition": ("noun → its preposition", "`case`: the preposition of a noun"),
    "subject": ("verb → its subject", "`nsubj`: the subject of a verb"),
    "noun_subject": ("verb → its subject, a noun", "`nsubj` of verbs, nouns and names alone"),
    "auxiliary": ("verb → its auxiliary", "`aux`: an auxiliary of a verb"),
    "object": ("object → its verb", "`obj`: the verb of an object"),
    "copula": ("predicate → is, was …", "`cop`: the copula of a predicate"),
    "attached": ("preposition → what it belongs to", "the verb or noun that a preposition's phrase hangs on"),
    "conjunct": ("joined word → the first", "`conj`: the first of the words joined by “and”"),
    "clause": ("verb → the verb above", "`xcomp`, `ccomp`, `advcl`: the verb whose clause this is"),
    "mark": ("mark → the mark before", "punctuation after punctuation: the latest mark before it"),
}


@dataclass
class Sentence:
    words: list
    cases: dict = field(default_factory=dict)  # relation: {row: [columns that are right]}


def add(cases, relation, row, column):
    cases[relation][row].append(column)


def is_mark(word):
    return re.fullmatch(r"[^\w\s]+", word) is not None


def plain_cases(words):
    """The relations that need no tree."""
    cases = {"previous": {}, "itself": {}, "same": {}, "mark": {}}
    for row, word in enumerate(words):
        cases["itself"][row] = [row]
        if row > 0:
            cases["previous"][row] = [row - 1]
        same = [i for i in range(row) if words[i].lower() == word.lower()]
        marks = [i for i in range(row) if is_mark(words[i])]
        if same:
            cases["same"][row] = same
        if marks and is_mark(word):
            cases["mark"][row] = marks[-1:]
    return cases


# --- trees ---------------------------------------------------------------------------------------------------

NOUNS, VERBS = {"NOUN", "PROPN"}, {"VERB"}


def read_trees(text):
    """Sentences of a treebank in CoNLL-U; what is written as one word (don't) is one word here."""
    return [tree for tree in map(_sentence, re.split(r"\n\n+", text)) if tree.words]


def _sentence(block):
    nodes, words, owner, until = [], [], {}, 0
    for line in block.split("\n"):
        cells = line.split("\t")
        if re.fullmatch(r"\d+-\d+", cells[0]):
            until = int(cells[0].split("-")[1])
            words.append(cells[1])
        elif cells[0].isdigit():
            if int(cells[0]) > until:
                words.append(cells[1])
            owner[int(cells[0])] = len(words) - 1
            nodes.append(cells)
    return Sentence(words, {**_tree_cases(nodes, owner), **plain_cases(words)})


def _tree_cases(nodes, owner):
    cases = defaultdict(lambda: defaultdict(list))
    kind = {int(cells[0]): cells[3] for cells in nodes}
    above = {int(cells[0]): int(cells[6]) for cells in nodes}
    for cells in nodes:
        word, head, relation = int(cells[0]), int(cells[6]), cells[7]
        if head == 0:
            continue
        base = relation.split(":")[0]
        noun, verb = kind[head] in NOUNS, kind[head] in VERBS
        links = [
            ("determiner", noun and base == "det", head, word),
            ("possessive", noun and relation == "nmod:poss", head, word),
            ("adjective", noun and base == "amod", head, word),
            ("compound", noun and base in ("compound", "flat"), max(head, word), min(head, word)),
            ("preposition", noun and base == "case" and kind[word] == "ADP", head, word),
            ("subject", verb and base == "nsubj", head, word),
            ("noun_subject", verb and base == "nsubj" and kind[word] in NOUNS, head, word),
            ("auxiliary", verb and base == "aux", head, word),
            ("object", verb and relation == "obj", word, head),
            ("copula", base == "cop", head, word),
            ("attached", base == "case" and kind[word] == "ADP" and above[head] != 0, word, above[head]),
            ("conjunct", base == "conj", word, head),
            ("clause", kind[word] in VERBS and verb and base in ("xcomp", "ccomp", "advcl"), word, head),
        ]
        for name, holds, row, column in links:
            row, column = owner.get(row), owner.get(column)
            if holds and column is not None and column < row:
                cases[name][row].append(column)
    return {name: dict(rows) for name, rows in cases.items()}


# --- measuring -----------------------------------------------------------------------------------------------

def tokens_of(words, tokenizer):
    """(ids with the start before them, of each id the word it belongs to or −1, of each word its last place)."""
    ids, owner, last = [tokenizer.ids["<s>"]], [-1], []
    for i, word in enumerate(words):
        some, _ = tokenizer.encode(split(word) or [UNKNOWN])
        ids += some
        owner += [i] * len(some)
        last.append(len(ids) - 1)
    return ids, np.array(owner), np.array(last)


@torch.no_grad()
def attention(model, ids):
    """All weights of one row of ids: [layers, heads, n, n]."""
    _, weights = model(torch.tensor([ids]))
    return torch.stack([layer[0] for layer in weights]).numpy()


class Tally:
    """Of one relation: how often each head is right, and each fixed offset."""

    def __init__(self, layers, heads):
        self.right = np.zeros((layers, heads), int)
        self.start = np.zeros((layers, heads), int)  # the start token has the largest weight
        self.offsets = np.zeros(LONGEST_OFFSET, int)
        self.cases = self.sentences = 0

    def add(self, rows, found, start):
        """rows: {row: right columns}; found: the word with the largest weight, [layers, heads, words]."""
        self.sentences += bool(rows)
        for row, columns in rows.items():
            self.cases += 1
            self.right += np.isin(found[:, :, row], columns)
            self.start += start[:, :, row]
            for offset in {row - column for column in columns if row - column < LONGEST_OFFSET}:
                self.offsets[offset] += 1

    def baseline(self):
        offset = int(self.offsets.argmax())
        return self.offsets[offset] / max(1, self.cases), offset


def measure(model, tokenizer, sentences):
    """({relation: Tally}, mean weight on the start token [layers, heads]) over sentences that fit the context."""
    shape = (model.config.layers, model.config.heads)
    tallies, sink, rows_seen = defaultdict(lambda: Tally(*shape)), np.zeros(shape), 0
    for sentence in sentences:
        ids, owner, last = tokens_of(sentence.words, tokenizer)
        if len(ids) > model.config.context:
            continue
        weights = attention(model, ids)[:, :, last]
        found = owner[1:][weights[..., 1:].argmax(-1)]
        start = weights.argmax(-1) == 0
        sink += weights[..., 0].sum(-1)
        rows_seen += len(last)
        for relation, rows in sentence.cases.items():
            tallies[relation].add(rows, found, start)
    return dict(tallies), sink / rows_seen


def induction(model, start, words, count=64, seed=2):
    """A Tally of repeated random words: right is the word after the same word before."""
    half = (model.config.context - 1) // 2
    tally = Tally(model.config.layers, model.config.heads)
    for drawn in np.random.default_rng(seed).choice(words, size=(count, half)):
        weights = attention(model, [start, *drawn, *drawn])[:, :, 1:]
        found = weights[..., 1:].argmax(-1)
        tally.add({row: [row - half + 1] for row in range(half, 2 * half)}, found, weights.argmax(-1) == 0)
    tally.offsets[:] = 0  # the distance is the same in all rows here, and differs in a reader's text
    return tally


# --- the table -----------------------------------------------------------------------------------------------

def named(relation, score, baseline, cases):
    if relation == "previous":
        return score >= PREVIOUS
    if relation == "induction":
        return score >= INDUCTION
    if relation == "itself":
        return score >= PREVIOUS
    return cases >= LEAST_CASES and score >= LEAST_RIGHT and score - baseline >= MARGIN


def table(tallies, sink, deepest=3):
    """The rows of the head table: of each head its best relations, those it is named after first; then of the
    relations in which a fixed offset beats every head the best head."""
    rows = []
    layers, heads = sink.shape
    for layer in range(layers):
        for head in range(heads):
            found = [row(relation, tally, layer, head) for relation, tally in tallies.items() if tally.cases]
            found.sort(key=lambda each: (not each["named"], each["baseline"] - each["score"]))
            _say_of_nouns(found)
            rows += found[:deepest]
    for relation, tally in tallies.items():
        best = row(relation, tally, *divmod(int(tally.right.argmax()), heads))
        if "note" in best and best not in rows:
            rows.append(best)
    return [{**each, "start": round(float(sink[each["layer"], each["head"]]), 3)} for each in rows]


def _say_of_nouns(found):
    """A subject is a pronoun so often that a head named after subjects must say how it does on nouns."""
    by_relation = {each["relation"]: each for each in found}
    subject, noun = by_relation["subject"], by_relation["noun_subject"]
    if subject["named"] and not noun["named"]:
        subject["note"] = (f"mostly pronouns: of subjects that are nouns, {100 * noun['score']:.0f} %, "
                           f"the best fixed offset {100 * noun['baseline']:.0f} %")


def row(relation, tally, layer, head):
    score = tally.right[layer, head] / tally.cases
    baseline, offset = (0.0, 0) if relation == "induction" else tally.baseline()
    if relation in ("previous", "itself"):
        baseline = 0.0  # a fixed offset by its definition
    entry = {"layer": layer, "head": head, "relation": relation, "name": RELATIONS[relation][0],
             "score": round(float(score), 3), "baseline": round(float(baseline), 3), "baseline_offset": offset,
             "cases": tally.cases, "sentences": tally.sentences,
             "start_wins": round(float(tally.start[layer, head] / tally.cases), 3),
             "named": bool(named(relation, score, baseline, tally.cases))}
    if score < baseline:
        entry["note"] = "loses to position"
    return entry
