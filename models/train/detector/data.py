"""Random crops of the made screens. New files are picked up while training; a screen is held out when its seed % 20 == 7."""
import glob
import json
import os
import random

import numpy as np
from PIL import Image

from model import ROLES

INDEX = {r: i for i, r in enumerate(ROLES)}
RARE = {'slider': 6, 'switch': 6, 'radio': 4, 'combobox': 4, 'checkbox': 3, 'tab': 4, 'menuitem': 3, 'listitem': 3, 'textbox': 3, 'link': 4, 'button': 2, 'icon': 2, 'image': 2, 'window': 1, 'cell': .4, 'text': .3}
# Kinds of screens (first letter of the name) and how often they are drawn: HTML, canvas, Qt, Tk, GTK, Win32, Lazarus.
SHARE = {'h': .54, 'c': .26, 'q': .09, 't': .05, 'g': .06, 'w': .12, 'l': .06}
TICKS = ('checkbox', 'radio', 'switch')


def held_out(name):
    return int(''.join(c for c in os.path.basename(name) if c.isdigit())) % 20 == 7


def listing(folders, held=False):
    out = []
    for f in folders:
        out += [j[:-5] for j in glob.glob(os.path.join(f, '*.json')) if held_out(j[:-5]) == held]
    return sorted(out)


def load(stem):
    """Pixels and rows x0 y0 x1 y1 role ignore checked disabled focused (checked -1: does not apply)."""
    d = json.load(open(stem + '.json'))
    rows = [e['bbox'] + [INDEX[e['role']], 1 if e.get('ignore') else 0, int(e['checked']) if e['role'] in TICKS and 'checked' in e else -1, int(e.get('enabled') is False), int(bool(e.get('focused')))] for e in d['elements']]
    return np.asarray(Image.open(stem + '.png').convert('RGB')), np.array(rows, np.float32).reshape(-1, 9), d


def recolour(r, x):
    """x float 0..1"""
    if r.random() < .08:
        x = 1 - x
    if r.random() < .12:
        x = x[..., r.sample(range(3), 3)]
    if r.random() < .08:
        x = np.repeat(x.mean(-1, keepdims=True), 3, -1)
    if r.random() < .3:
        x = np.clip(x, 0, 1) ** r.uniform(.7, 1.5)
    if r.random() < .3:
        x = (x - .5) * r.uniform(.75, 1.1) + .5 + r.uniform(-.06, .06)
    if r.random() < .15:
        x = x * np.array([r.uniform(.88, 1) for _ in range(3)], np.float32)
    if r.random() < .08:
        x = x + np.random.default_rng(r.randrange(1 << 30)).normal(0, r.uniform(.005, .02), x.shape).astype(np.float32)
    return np.clip(x, 0, 1).astype(np.float32)


def crop(r, im, rows, h, w):
    """A crop of h x w around some element, scaled now and then."""
    H, W = im.shape[:2]
    s = 1.0
    if r.random() < .4:
        s = r.choice([r.uniform(.7, 1), r.uniform(1, 1.6)])
    ch, cw = int(round(h / s)), int(round(w / s))
    if len(rows):
        p = np.array([RARE[ROLES[int(k)]] for k in rows[:, 4]]) * (rows[:, 5] < 1) + 1e-6
        b = rows[r.choices(range(len(rows)), p)[0]]
        cx, cy = r.uniform(b[0], b[2]) + r.uniform(-.35, .35) * cw, r.uniform(b[1], b[3]) + r.uniform(-.35, .35) * ch
    else:
        cx, cy = r.uniform(0, W), r.uniform(0, H)
    x0, y0 = int(min(max(0, cx - cw / 2), max(0, W - cw))), int(min(max(0, cy - ch / 2), max(0, H - ch)))
    part = im[y0:y0 + ch, x0:x0 + cw]
    if s != 1:
        part = np.asarray(Image.fromarray(part).resize((max(1, int(round(part.shape[1] * s))), max(1, int(round(part.shape[0] * s)))), r.choice([Image.BILINEAR, Image.BICUBIC, Image.BOX if s < 1 else Image.NEAREST])))
    part = part[:h, :w]
    out = np.full((h, w, 3), .45, np.float32)
    out[:part.shape[0], :part.shape[1]] = recolour(r, part.astype(np.float32) / 255)
    t = rows.copy()
    if len(t):
        t[:, [0, 2]] = (t[:, [0, 2]] - x0) * s
        t[:, [1, 3]] = (t[:, [1, 3]] - y0) * s
        area = (t[:, 2] - t[:, 0]) * (t[:, 3] - t[:, 1])
        t[:, [0, 2]] = t[:, [0, 2]].clip(0, part.shape[1])
        t[:, [1, 3]] = t[:, [1, 3]].clip(0, part.shape[0])
        left = (t[:, 2] - t[:, 0]) * (t[:, 3] - t[:, 1])
        share = left / np.maximum(area, 1)
        large = np.minimum(rows[:, 2] - rows[:, 0], rows[:, 3] - rows[:, 1]) * s > 64
        need = np.where(np.isin(t[:, 4], [INDEX['checkbox'], INDEX['radio'], INDEX['icon'], INDEX['switch']]), .9, np.where(large, .3, .55))
        t[share < need, 5] = 1
        t = t[(share > .05) & (t[:, 2] - t[:, 0] > 2) & (t[:, 3] - t[:, 1] > 2)]
    return out.transpose(2, 0, 1), t


class Pool:
    """Some decoded screens, exchanged one after the other."""

    def __init__(self, folders, seed, size=96):
        self.r, self.folders, self.size, self.have, self.names, self.tick = random.Random(seed), folders, size, [], [], 0

    def renew(self):
        if self.tick % 200 == 0:
            names = listing(self.folders)
            if len(names) != len(self.names):
                print('screens', len(names), flush=True)
            self.names = names
            self.kinds = {k: [n for n in names if os.path.basename(n)[0] == k] for k in SHARE}
        self.tick += 1
        for _ in range(self.size if not self.have else 1):
            try:
                kind = self.r.choices(list(SHARE), [SHARE[k] * (len(self.kinds[k]) > 0) for k in SHARE])[0]
                n = self.r.choice(self.kinds[kind])
                im, rows, _ = load(n)
            except Exception:  # being written just now
                continue
            if len(self.have) < self.size:
                self.have.append((im, rows))
            else:
                self.have[self.r.randrange(self.size)] = (im, rows)

    def batch(self, n, h, w):
        self.renew()
        xs, ts = zip(*(crop(self.r, *self.r.choice(self.have), h, w) for _ in range(n)))
        return np.stack(xs), list(ts)
