#!/usr/bin/python3
"""Packs a folder of seeds: pack_seeds.py ARCHIVE FOLDER. The same seeds give the same bytes everywhere."""
import hashlib
import pathlib
import sys
import zipfile

archive, folder = sys.argv[1:]
seeds = {hashlib.sha1(seed).hexdigest(): seed for seed in (path.read_bytes() for path in pathlib.Path(folder).iterdir())}
with zipfile.ZipFile(archive, "w") as out:  # stored: they are too small to be worth deflating
    for name, seed in sorted(seeds.items()):
        entry = zipfile.ZipInfo(name[:12])  # dated 1980
        entry.create_system, entry.external_attr = 3, 0o644 << 16
        out.writestr(entry, seed)
