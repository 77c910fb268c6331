"""From text to the shipped model and its card."""
import argparse
import datetime
from pathlib import Path

import card
import expected
import export
import heads
import train
import validate

ROOT = Path(__file__).resolve().parents[3]


def options():
    parser = argparse.ArgumentParser(prog="tools/train", description="Trains the model that ships with the page, "
                                     "measures its heads, and writes its file, card and test data.")
    parser.add_argument("--corpus", required=True, metavar="FOLDER", help="the texts (web/docs/model.md names them)")
    parser.add_argument("--trees", nargs="+", required=True, metavar="FILE", help="CoNLL-U trees to measure heads on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tokens", type=float, default=25, metavar="MILLIONS", help="how much to read (25)")
    parser.add_argument("--positions", choices=["query_key", "rope", "learned"], default="query_key")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on where such a run was interrupted")
    parser.add_argument("--no-ship", action="store_true", help="train and measure, and leave the repository as it is")
    parser.add_argument("--out", metavar="FOLDER", help="for the checkpoints (build/train/…)")
    return parser.parse_args()


def main():
    chosen = options()
    folder = Path(chosen.out or ROOT / f"build/train/{chosen.positions}-{chosen.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    data = train.Data(chosen.corpus, folder)
    model, log = train.train(data, folder, chosen.seed, chosen.tokens * 1e6, chosen.positions, chosen.threads,
                             chosen.resume)
    if chosen.no_ship:
        tallies, sink = measure(model, data, chosen.trees)
        print("\n" + card.head_names(heads.table(tallies, sink)) + "\n\n" + card.best_of_relation(tallies))
    else:
        ship(chosen, folder, data, model, log)


def measure(model, data, files):
    """Every relation on the trees, and induction on random words: ({relation: Tally}, weight on the start)."""
    trees = [tree for file in files for tree in heads.read_trees(Path(file).read_text())]
    tallies, sink = heads.measure(model, data.tokenizer, trees)
    tallies["induction"] = heads.induction(model, data.start, data.words)
    return {relation: tallies[relation] for relation in heads.RELATIONS}, sink


def ship(chosen, folder, data, model, log):
    """Writes the model's file, the tests' numbers, the card, the plot and the credits."""
    draft = folder / "draft.safetensors"
    draft.write_bytes(export.shipped(model, data.tokenizer, [], {}))
    rounded, tokenizer, _ = export.load(draft)
    tallies, sink = measure(rounded, data, chosen.trees)
    table = heads.table(tallies, sink)
    books, total = validate.measure(model, rounded, data)
    trained = datetime.date.fromtimestamp((folder / "checkpoint.pt").stat().st_mtime).isoformat()
    facts = {"seed": chosen.seed, "tokens": log[-1]["tokens"], "seconds": round(log[-1]["seconds"]),
             "positions": chosen.positions, "data": data.digest, "date": trained, "total": total}
    file = export.write(export.shipped(model, data.tokenizer, table, facts), ROOT / "web/model")
    sample = ROOT / "tests/data/model/sentences.json"
    int8 = expected.write(rounded, tokenizer, file, sample, model)
    facts |= {"file": file.name, "bytes": file.stat().st_size, "vocabulary": len(tokenizer.tokens), "books": books,
              "parameters": sum(p.numel() for p in model.parameters()), "log": log, "int8": int8, "heads": table,
              "tallies": tallies, "sink": sink}
    card.write(ROOT / "web/docs/model.md", card.report(facts))
    (ROOT / "web/docs/pictures/model-loss.svg").write_text(card.plot(log))
    (ROOT / "web/model/credits.txt").write_text(card.credits(Path(chosen.corpus)))
    print(f"{file.relative_to(ROOT)}: {facts['bytes']:,} bytes; held out {total['model']:.3f} nats a word, "
          f"bigram {total['bigram']:.3f}")


if __name__ == "__main__":
    main()
