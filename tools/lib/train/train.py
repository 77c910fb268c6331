"""Trains the model: the same text, seed and number of tokens give the same model, whatever interrupted it."""
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import corpus
from model import Config, Model, TiedLoss
from tokenizer import START, Tokenizer, build

BATCH = 32
REPEATED = 3  # rows of a batch that are random words, repeated
RATE, WARM_STEPS, LAST_RATE = 2.5e-3, 300, 0.04
CHECK_EVERY = 320  # steps


class Data:
    """The tokenizer, what is trained on and what is kept back."""

    def __init__(self, folder, cache):
        books, self.held, self.digest = corpus.read(folder)
        self.tokenizer = Tokenizer(self._vocabulary(books, Path(cache)))
        self.train = corpus.Stream(books, self.tokenizer)
        self.valid = corpus.Stream([(1.0, text) for text in self.held.values()], self.tokenizer)
        self.words = np.array([i for token, i in self.tokenizer.ids.items() if token.isalpha() and len(token) > 1])
        self.start = self.tokenizer.ids[START]

    def _vocabulary(self, books, cache):
        """Kept beside the checkpoints, because it takes a while to find."""
        path = cache / f"vocabulary-{self.digest[:8]}.json"
        if not path.exists():
            path.write_text(json.dumps(build(corpus.word_counts(books)), ensure_ascii=False))
        return json.loads(path.read_text())

    def after_start(self, rows):
        return np.concatenate([np.full((len(rows), 1), self.start), rows], axis=1)

    def batch(self, seed, step, context):
        """(inputs, targets), both [BATCH, context]; the same for the same seed and step."""
        random = np.random.default_rng([seed, step])
        text = self.train.windows(random, BATCH - REPEATED, context)
        again, stood = corpus.repeats(random, self.words, REPEATED, context)
        rows = np.concatenate([text, again])
        targets = np.concatenate([text, np.where(stood, again, -1)])  # a word drawn at random cannot be foretold
        return torch.from_numpy(self.after_start(rows)[:, :-1]), torch.from_numpy(targets)

    def held_windows(self, count, context):
        rows = self.valid.windows(np.random.default_rng(1), count, context)
        return torch.from_numpy(self.after_start(rows)[:, :-1]), torch.from_numpy(rows)

    def held_repeats(self, count, context):
        """`<s>`, random words, the same words again: ids [count, 1 + 2 · half]."""
        half = (context - 1) // 2
        words = np.random.default_rng(2).choice(self.words, size=(count, half))
        return torch.from_numpy(self.after_start(np.concatenate([words, words], axis=1))), half


def rate(step, steps):
    """Linear up, then half a cosine down."""
    if step < WARM_STEPS:
        return RATE * (step + 1) / WARM_STEPS
    done = (step - WARM_STEPS) / max(1, steps - WARM_STEPS)
    return RATE * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * done)))


def optimizer(model):
    """Matrices decay, gains and biases do not."""
    flat = [p for p in model.parameters() if p.ndim < 2]
    matrices = [p for p in model.parameters() if p.ndim >= 2]
    groups = [{"params": matrices, "weight_decay": 0.05}, {"params": flat, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.98), foreach=True)


def train_step(model, chosen, ids, targets):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rows, _ = model(ids)
    loss = TiedLoss.apply(rows.float().flatten(0, 1), model.embeddings.weight, targets.flatten())
    chosen.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    chosen.step()
    return loss.item()


@torch.no_grad()
def check(model, data):
    """Losses on held-out text and on repeated words, and the sharpest previous-word and induction heads."""
    context = model.config.context
    ids, targets = data.held_windows(64, context)
    rows, weights = model(ids)
    held = F.cross_entropy(model.logits(rows).flatten(0, 1), targets.flatten()).item()
    previous = best_head(weights, offset=1, first_row=2)
    ids, half = data.held_repeats(32, context)
    rows, weights = model(ids)
    second = slice(half, 2 * half)  # rows whose next word has stood before
    again = F.cross_entropy(model.logits(rows[:, second]).flatten(0, 1), ids[:, half + 1:].flatten()).item()
    return {"held": held, "again": again, "previous": previous,
            "induction": best_head(weights, offset=half - 1, first_row=half + 1)}


def best_head(weights, offset, first_row):
    """Over all heads, the largest share of rows whose arg-max, the start left out, lies offset back."""
    shares = []
    for layer in weights:
        found = layer[:, :, first_row:, 1:].argmax(-1) + 1
        wanted = torch.arange(first_row, layer.shape[-1]) - offset
        shares.append((found == wanted).float().mean((0, 2)).max().item())
    return max(shares)


def train(data, folder, seed, tokens, positions="query_key", threads=1, resume=False):
    """Trains on about `tokens` tokens and returns (model, log); checkpoints lie in folder."""
    config = Config(vocabulary=len(data.tokenizer.tokens), positions=positions)
    steps = int(tokens / (BATCH * config.context))
    torch.manual_seed(seed)
    model, log, first = Model(config), [], 0
    chosen = optimizer(model)
    path = Path(folder) / "checkpoint.pt"
    if resume and path.exists():
        saved = torch.load(path)
        if saved["config"] != config.as_dict() or saved["steps"] != steps or saved["seed"] != seed:
            raise SystemExit(f"{path} is of another run: {saved['config']}, {saved['steps']} steps, "
                             f"seed {saved['seed']}")
        model.load_state_dict(saved["model"])
        chosen.load_state_dict(saved["optimizer"])
        log, first = saved["log"], saved["step"]
    torch.set_num_threads(threads)
    running, spent = None, log[-1]["seconds"] if log else 0.0
    for step in range(first, steps):
        began = time.monotonic()
        for group in chosen.param_groups:
            group["lr"] = rate(step, steps)
        loss = train_step(model, chosen, *data.batch(seed, step, config.context))
        spent += min(time.monotonic() - began, 5.0)  # a stopped process has not worked
        running = loss if running is None else 0.98 * running + 0.02 * loss
        if step % 10 == 0:
            show_progress(step + 1, steps, spent, running, log)
        if (step + 1) % CHECK_EVERY == 0 or step + 1 == steps:
            log.append({"tokens": (step + 1) * BATCH * config.context, "train": running, **check(model, data),
                        "seconds": spent})
            print("\r" + report(log[-1]), flush=True)
            saved = {"config": config.as_dict(), "steps": steps, "step": step + 1, "seed": seed, "log": log,
                     "model": model.state_dict(), "optimizer": chosen.state_dict(), "data": data.digest}
            torch.save(saved, path.with_suffix(".part"))
            path.with_suffix(".part").rename(path)
    return model.eval(), log


def report(entry):
    return (f"{entry['tokens'] / 1e6:6.2f} Mtok  train {entry['train']:.3f}  held out {entry['held']:.3f}  "
            f"repeated words {entry['again']:.3f}  previous {entry['previous']:.2f}  "
            f"induction {entry['induction']:.2f}  {entry['seconds'] / 60:.1f} min" + " " * 20)


def show_progress(step, steps, spent, loss, log):
    since = log[-1]["seconds"] if log else 0.0
    done = step * BATCH * 64 - (log[-1]["tokens"] if log else 0)
    speed = done / max(spent - since, 1e-9)
    left = (steps - step) * BATCH * 64 / max(speed, 1) / 60
    bar = "█" * (30 * step // steps)
    print(f"\r[{bar:<30}] {100 * step / steps:.1f} %  {speed / 1000:.1f} k tokens/s  loss {loss:.3f}  "
          f"{left:.0f} min left  ", end="", flush=True)
