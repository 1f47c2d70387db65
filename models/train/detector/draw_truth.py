"""Draws the truth over a screen, to look at it: draw_truth.py PNG... -> PNG.truth.png"""
import json
import sys

from PIL import Image, ImageDraw

COLORS = dict(button='red', icon='magenta', link='blue', textbox='green', combobox='orange', checkbox='cyan', radio='purple', tab='brown', menuitem='olive', listitem='teal',
              cell='gray', slider='deeppink', switch='lime', text='silver', image='gold', window='black')
for f in sys.argv[1:]:
    im = Image.open(f).convert('RGB')
    d = ImageDraw.Draw(im)
    for e in json.load(open(f[:-4] + '.json'))['elements']:
        d.rectangle(e['bbox'], outline='yellow' if e.get('ignore') else COLORS[e['role']])
        if 'checked' in e:
            d.text((e['bbox'][0], e['bbox'][1] - 8), str(e['checked'])[0], fill='red')
    im.save(f + '.truth.png')
