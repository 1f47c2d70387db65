#!/bin/sh
# Makes assets/fonts/DeskhandSans.otf: the part of Noto Sans CJK SC that Deskhand's own windows need, under a name of
# its own so that it never mixes with an installed Noto. Wants the Debian package fonts-noto-cjk (the source font) and
# `pip install fonttools`. The result is committed; run this only to change the set of characters.
set -eu
cd "$(dirname "$0")"
source_font=${1:-/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc}
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ASCII, Latin-1, general punctuation, currency, arrows, shapes, CJK punctuation, full-width forms, and all of GB2312
# (levels 1 and 2 of the hanzi, kana, Greek, Cyrillic, box drawing).
"$python" - >"$work/characters.txt" <<'PY'
ranges = [(0x20, 0x7E), (0xA0, 0xFF), (0x2010, 0x2027), (0x2030, 0x203B), (0x20AC, 0x20AC), (0x2103, 0x2103),
          (0x2116, 0x2122), (0x2190, 0x2199), (0x25A0, 0x25CF), (0x2605, 0x2606), (0x2713, 0x2717),
          (0x3000, 0x301F), (0xFF01, 0xFF5E), (0xFFE0, 0xFFE6)]
wanted = {chr(c) for first, last in ranges for c in range(first, last + 1)}
for row in range(0xA1, 0xF8):
    for cell in range(0xA1, 0xFF):
        try:
            wanted.add(bytes([row, cell]).decode("gb2312"))
        except UnicodeDecodeError:
            pass
print("".join(sorted(wanted)))
PY

"$python" -m fontTools.subset "$source_font" --font-number=2 --text-file="$work/characters.txt" \
    --output-file="$work/subset.otf" --layout-features='kern' --no-hinting --desubroutinize --notdef-outline \
    --name-IDs='0,1,2,3,4,5,6,7,8,11,13,14' --drop-tables+=vhea,vmtx,VORG,BASE,DSIG

"$python" - "$work/subset.otf" DeskhandSans.otf <<'PY'
import sys
from fontTools.ttLib import TTFont

font = TTFont(sys.argv[1], recalcTimestamp=False)
names = {1: "Deskhand Sans", 2: "Regular", 3: "DeskhandSans-Regular", 4: "Deskhand Sans Regular", 6: "DeskhandSans-Regular"}
for record in list(font["name"].names):
    if record.nameID in names:
        record.string = names[record.nameID]
font["CFF "].cff.fontNames = ["DeskhandSans-Regular"]
font["CFF "].cff[0].FamilyName = "Deskhand Sans"
font["CFF "].cff[0].FullName = "Deskhand Sans Regular"
font.save(sys.argv[2])
PY
ls -l DeskhandSans.otf
