"""Runs every script of a folder on its own, and writes what each printed beside it. Python starts once, since PyTorch is slow to load."""
import contextlib
import io
import pathlib
import sys

for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    path.with_suffix(".txt").write_text(printed.getvalue(), encoding="utf-8")
