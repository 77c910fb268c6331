"""Text to tokens: lower-case words and marks; a word that is not known becomes the fewest pieces that spell it."""
import re
import unicodedata
from collections import Counter

START, UNKNOWN = "<s>", "<unk>"
PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "--", "…": "..."})
WORD = re.compile(r"\w+(?:'\w+)*|[^\w\s]")  # letters, digits and _, also around an inner '; or one mark


def split(text):
    """The words and marks of a text, in order: NFC, curly quotes and dashes as typewriters have them, lower-case."""
    return WORD.findall(unicodedata.normalize("NFC", text).translate(PLAIN).lower())


class Tokenizer:
    """tokens: the vocabulary in the order of its ids; "##x" continues a word."""

    def __init__(self, tokens):
        self.tokens = list(tokens)
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        self.longest = max(len(token) for token in self.tokens)
        self.known = {}

    def pieces(self, word):
        """The fewest tokens that spell a word, of several such spellings the one whose earlier pieces are longer."""
        if word not in self.known:
            self.known[word] = self._spell(word) or [UNKNOWN]
        return self.known[word]

    def _spell(self, word):
        best = [None] * len(word) + [[]]  # of each place, the spelling of what follows
        for at in range(len(word) - 1, -1, -1):
            for end in range(min(len(word), at + self.longest), at, -1):
                piece = word[at:end] if at == 0 else "##" + word[at:end]
                rest = best[end]
                if piece in self.ids and rest is not None and (best[at] is None or 1 + len(rest) < len(best[at])):
                    best[at] = [piece, *rest]
        return best[0]

    def encode(self, words):
        """The ids of words (of split), and of each word the index of its last token."""
        ids, last = [], []
        for word in words:
            ids += [self.ids[piece] for piece in self.pieces(word)]
            last.append(len(ids) - 1)
        return ids, last


def build(counts, words=7600, pieces=400, least_character=20):
    """A vocabulary from how often each word stands: the commonest words, the most useful pieces, the characters."""
    characters = Counter()
    for word, count in counts.items():
        for character in word:
            characters[character] += count
    kept = sorted(c for c, count in characters.items() if count >= least_character)
    singles = [START, UNKNOWN, *kept, *("##" + c for c in kept if c.isalnum() or c in "'_")]
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    common = [word for word in ranked if len(word) > 1][:words]
    rare = {word: count for word, count in counts.items() if word not in set(common) and len(word) > 1}
    return singles + common + _useful_pieces(rare, singles + common, pieces)


def _useful_pieces(rare, known, wanted):
    """Pieces that the fewest-pieces spelling of the rare words uses most: many at first, fewer each round."""
    found = Counter()
    for word, count in rare.items():
        for end in range(2, min(6, len(word))):
            found[word[:end]] += count * (end - 1)
        for at in range(1, len(word) - 1):
            for end in range(at + 2, min(at + 7, len(word)) + 1):
                found["##" + word[at:end]] += count * (end - at - 1)
    taken = set(known)
    pool = [piece for piece, _ in found.most_common() if piece not in taken][:16 * wanted]
    while len(pool) > wanted:
        spelling = Tokenizer(known + pool)
        used = Counter()
        for word, count in rare.items():
            for piece in spelling.pieces(word):
                used[piece] += count
        pool = sorted(pool, key=lambda piece: (-used[piece], piece))[:max(wanted, len(pool) * 2 // 3)]
    return pool
