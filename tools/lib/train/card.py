"""The model card's figures and the plot of the losses; its prose is web/docs/model.md's own."""
import re
from pathlib import Path

from heads import RELATIONS

BEGIN, END = "<!-- train:begin -->", "<!-- train:end -->"


def percent(share):
    return f"{100 * share:.1f} %"


def rows(head, *body):
    """A table in Markdown; columns that begin with “>” lie to the right."""
    line = "|" + "|".join("--:" if cell.startswith(">") else "---" for cell in head) + "|"
    cells = [[cell.lstrip(">") for cell in head], *body]
    lines = ["| " + " | ".join(map(str, each)) + " |" for each in cells]
    return "\n".join([lines[0], line, *lines[1:]])


def report(facts):
    """All that the command measured, as Markdown."""
    return "\n\n".join([run(facts), held_out(facts), progress(facts["log"]), int8(facts), head_names(facts["heads"]),
                        best_of_relation(facts["tallies"]), every_head(facts["tallies"], facts["sink"])])


def run(f):
    return f"""### The run

`{f['file']}`, {f['bytes']:,} bytes, {f['parameters']:,} parameters, {f['vocabulary']:,} tokens in the vocabulary,
positions: {f['positions']}. Seed {f['seed']}, {f['tokens'] / 1e6:.1f} million tokens in {f['seconds'] / 60:.0f} minutes, \
{f['date']}.
SHA-256 of the texts: `{f['data']}`."""


def held_out(f):
    body = [[book["title"], f"{book['words']:,}", percent(book["whole"]), book["unknown"], f"{book['bigram']:.3f}",
             f"{book['model']:.3f}", f"{book['shipped']:.3f}"]
            for book in [*f["books"], {"title": "**all three**", **f["total"]}]]
    table = rows(["never trained on", ">words and marks", ">whole in the vocabulary", ">`<unk>`", ">bigram table",
                  ">model", ">as shipped, int8"], *body)
    return f"""### Losses on books kept back

Nats a word; a word in pieces counts with all its pieces. The bigram table (Kneser–Ney, same tokens, same training
text) is the floor.

{table}

Second half of repeated random words: **{f['log'][-1]['again']:.2f}** nats a word."""


def progress(log):
    chosen = [log[i] for i in sorted({round(i * (len(log) - 1) / 9) for i in range(10)})]
    table = rows(["million tokens", *(f">{each['tokens'] / 1e6:.1f}" for each in chosen)],
                 ["held-out text, nats a token", *(f"{each['held']:.2f}" for each in chosen)],
                 ["repeated random words", *(f"{each['again']:.2f}" for each in chosen)],
                 ["best previous-word head, on held-out text", *(f"{each['previous']:.2f}" for each in chosen)],
                 ["best induction head", *(f"{each['induction']:.2f}" for each in chosen)])
    return f"### While it learnt\n\n![Losses against tokens seen](pictures/model-loss.svg)\n\n{table}"


def int8(f):
    return f"""### What int8 changes

Each row of a matrix is stored as int8 with one scale. Held-out loss {f['total']['model']:.4f} → \
{f['total']['shipped']:.4f} nats a word;
on the sentences in `tests/data/model`, no attention weight by more than {f['int8']['weights']:.3f}, no logit by more \
than {f['int8']['logits']:.2f}."""


def head_names(heads):
    """Of each head the first row, and any other relation it could be named after."""
    shown, first = [], set()
    for each in heads:
        place = (each["layer"], each["head"])
        if place not in first or each["named"]:
            name = f"**{each['name']}**" if each["named"] else f"– ({each['name']})"
            shown.append(["" if place in first else f"{place[0] + 1}.{place[1] + 1}", name, percent(each["score"]),
                          baseline(each), percent(each["start_wins"]), f"{each['cases']:,}", f"{each['sentences']:,}",
                          "" if place in first else percent(each["start"]), each.get("note", "")])
            first.add(place)
    return "### The heads\n\n" + rows(
        ["layer.head", "name, or what comes nearest", ">right", ">best fixed offset", ">`<s>` ahead", ">cases",
         ">sentences", ">weight on `<s>`", ""], *shown)


def baseline(each):
    return f"{percent(each['baseline'])} ({each['baseline_offset']} back)" if each["baseline"] else "–"


def best_of_relation(tallies):
    body = []
    for relation, tally in tallies.items():
        layer, head = divmod(int(tally.right.argmax()), tally.right.shape[1])
        share, offset = tally.baseline()
        score = tally.right[layer, head] / tally.cases
        fixed = relation in ("previous", "itself", "induction")
        verdict = "" if fixed else "position wins" if score < share else f"+{100 * (score - share):.0f}"
        body.append([RELATIONS[relation][0], RELATIONS[relation][1], f"{layer + 1}.{head + 1}", percent(score),
                     "–" if fixed else f"{percent(share)} ({offset} back)", verdict])
    return "### Of each relation, the best head\n\n" + rows(
        ["relation", "what counts as right", ">head", ">right", ">best fixed offset", ">"], *body)


def every_head(tallies, sink):
    names = [f"{layer + 1}.{head + 1}" for layer in range(sink.shape[0]) for head in range(sink.shape[1])]
    body = [[RELATIONS[relation][0], *(f"{100 * right / tally.cases:.0f}" for right in tally.right.ravel())]
            for relation, tally in tallies.items()]
    body.append(["weight on `<s>`", *(f"{100 * share:.0f}" for share in sink.ravel())])
    return "### Every head and every relation, in percent\n\n" + rows(["", *(">" + name for name in names)], *body)


def write(path, text):
    """Puts the text between the card's marks."""
    path = Path(path)
    page = path.read_text()
    found = re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n{text}\n{END}", page, flags=re.S)
    if found == page and text not in page:
        raise ValueError(f"{path} lacks the marks {BEGIN} and {END}.")
    path.write_text(found)


def credits(folder):
    """The storybooks' credits, a line a book, without the paths of their sources; and the other texts."""
    attribution = (folder / "ATTRIBUTION-storybooks.txt").read_text()
    books = re.findall(r"(\S+)_(\d+)", (folder / "gutenberg-titles.txt").read_text())
    gutenberg = ", ".join(f"{title.replace('-', ' ')} ({number})" for title, number in books)
    projects = {"asp-source": "African Storybook", "pb-source": "Pratham Books"}
    found = {name: [] for name in projects.values()}
    for line in attribution.splitlines():
        match = re.match(r"([\w-]+)/\S+?: (.*) — License: \[(.*?)\]; (.*)", line)
        if match:
            source, title, licence, people = match.groups()
            other = "" if licence == "CC-BY" else f" ({licence})"
            found[projects[source]].append(f"{title} — {people.removeprefix('Text: ')}{other}")
    parts = ["What the model was trained on (web/docs/model.md says how).",
             "Captions of the COCO dataset, © COCO Consortium, cocodataset.org, CC BY 4.0.",
             "Project Gutenberg, public domain in the United States (title, number of the e-book): " + gutenberg +
             "; and Buster Bear by T. W. Burgess and The Parent's Assistant by M. Edgeworth.",
             "Storybooks, under CC BY unless said otherwise: title — author; other contributors."]
    return "\n\n".join(parts + [f"{name}\n" + "\n".join(lines) for name, lines in found.items()]) + "\n"


# --- the plot ------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 56, 40, 624, 276
STYLE = """text{font:13px system-ui,sans-serif;fill:#1f2328}.paper{fill:#fff}.grid{stroke:#d8dee4}
path.line{fill:none;stroke-width:2}.c0{stroke:#0072b2}.c1{stroke:#b34700}text.c0{stroke:none;fill:#0072b2}text.c1{stroke:none;fill:#b34700}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#30363d}.c0{stroke:#58b4ec}\
.c1{stroke:#f0883e}text.c0{fill:#58b4ec}text.c1{fill:#f0883e}}"""

CURVES = {"held": "held-out text", "again": "second half of repeated random words"}


def plot(log):
    """An SVG: the losses on held-out text and on repeated words against the tokens seen."""
    last = log[-1]["tokens"]
    x = lambda tokens: LEFT + (RIGHT - LEFT) * tokens / last
    y = lambda loss: BOTTOM - (BOTTOM - TOP) * min(loss, 10) / 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
             'aria-label="Loss on held-out text and on repeated random words against the number of tokens seen">',
             "<!-- Written by tools/train -->", f"<style>{STYLE}</style>",
             f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>']
    for loss in range(0, 11, 2):
        parts.append(f'<path class="grid" d="M{LEFT} {y(loss):.1f}H{RIGHT}"/>'
                     f'<text x="{LEFT - 8}" y="{y(loss) + 4:.1f}" text-anchor="end">{loss}</text>')
    for million in range(0, int(last / 1e6) + 1, 5):
        parts.append(f'<text x="{x(million * 1e6):.1f}" y="{BOTTOM + 20}" text-anchor="middle">{million}</text>')
    for colour, (key, name) in enumerate(CURVES.items()):
        points = "L".join(f"{x(each['tokens']):.1f} {y(each[key]):.1f}" for each in log)
        parts.append(f'<path class="line c{colour}" d="M{points}"/>')
        parts.append(f'<text class="c{colour}" x="{LEFT + 190 * colour}" y="24">{name}</text>')
    parts.append(f'<text x="{RIGHT}" y="{HEIGHT - 6}" text-anchor="end">million tokens; nats a token</text></svg>')
    return "\n".join(parts) + "\n"
