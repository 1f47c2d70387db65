"""Scores a detector (a folder with near.onnx and far.onnx) on the held-out screens (seed % 20 == 7): recall, precision, role, state by role, language, source.

  evaluate.py [--onnx FOLDER] [--data FOLDER...] [--limit N] [--score 0.3] [--json F] [--all] [--draw FOLDER]

A true element is found when a listed one of the same group (interactive or passive) has its centre in it and at most 4 times its area (the
click rule of vision-bench), the best by overlap counts. Precision: listed interactive elements whose centre lies in a true interactive or ignored one
(`lax`: or in a true text, as vision-bench does). `--bench FOLDER` reads vision-bench's format (only for a final figure, never to tune).
"""
import argparse
import collections
import glob
import json
import os
import time

import numpy as np
from PIL import Image, ImageDraw

from data import listing
from export import networks
from model import ROLES
from places import place

PASSIVE = {'text', 'image', 'window', 'cell'}
TICKS = ('checkbox', 'radio', 'switch')


def iou_many(b, m):
    i = np.clip(np.minimum(b[2], m[:, 2]) - np.maximum(b[0], m[:, 0]), 0, None) * np.clip(np.minimum(b[3], m[:, 3]) - np.maximum(b[1], m[:, 1]), 0, None)
    return i / ((b[2] - b[0]) * (b[3] - b[1]) + (m[:, 2] - m[:, 0]) * (m[:, 3] - m[:, 1]) - i + 1e-6)


def nms(rows, least=.3, overlap=.5):
    rows = rows[rows[:, 4] >= least]
    rows = rows[np.argsort(-rows[:, 4])]
    keep = []
    while len(rows):
        keep.append(rows[0])
        rows = rows[1:][iou_many(rows[0], rows[1:]) < overlap]
    return np.array(keep).reshape(-1, 5 + len(ROLES) + 3)


def detect(s, im, least=.3):
    h, w = im.shape[:2]
    x = np.full((-(-h // 32) * 32, -(-w // 32) * 32, 3), .45, np.float32)
    x[:h, :w] = im.astype(np.float32) / 255
    rows = s(x.transpose(2, 0, 1)[None])
    return [{'bbox': r[:4].tolist(), 'score': float(r[4]), 'role': ROLES[int(r[5:21].argmax())], 'states': r[21:].tolist()} for r in nms(rows, least)]


def holds(b, q):
    x, y = (q[0] + q[2]) / 2, (q[1] + q[3]) / 2
    return b[0] <= x <= b[2] and b[1] <= y <= b[3]


def area(b):
    return max(0, b[2] - b[0]) * max(0, b[3] - b[1])


def iou(a, b):
    i = max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
    return i / (area(a) + area(b) - i or 1)


def judge(n, truth, seen, tags, roles):
    def count(key, ok):
        for t in tags:
            n[t, key][0] += bool(ok)
            n[t, key][1] += 1
    for g in truth:
        if g.get('ignore'):
            continue
        passive = g['role'] in PASSIVE
        b, alt = g['bbox'], g.get('bbox_alt', g['bbox'])
        hits = [e for e in seen if (e['role'] in PASSIVE) == passive and holds(b, e['bbox']) and area(e['bbox']) <= 4 * area(b)]
        e = max(hits, key=lambda e: max(iou(b, e['bbox']), iou(alt, e['bbox'])), default=None)
        key = 'passive' if passive else 'active'
        count((key, 'recall'), e)
        roles[g['role']][1] += 1
        if e is None:
            continue
        roles[g['role']][0] += 1
        roles[g['role']][2] += e['role'] == g['role']
        ov = max(iou(b, e['bbox']), iou(alt, e['bbox']))
        roles[g['role']][3] += ov
        count((key, 'iou>.7'), ov > .7)
        count((key, 'role'), e['role'] == g['role'])
        if g['role'] in TICKS and 'checked' in g:
            count('checked', (e['states'][0] > .5) == g['checked'])
        if not passive:
            count('enabled', (e['states'][1] > .5) == (g.get('enabled') is False))
            if g.get('enabled') is False:
                count('greyed found', e['states'][1] > .5)
            if g.get('focused'):
                count('focused found', e['states'][2] > .5)
    act = [g['bbox'] for g in truth if g['role'] not in PASSIVE or g.get('ignore')]
    words = [g['bbox'] for g in truth if g['role'] in ('text', 'cell')]
    for e in seen:
        if e['role'] not in PASSIVE:
            hit = any(holds(b, e['bbox']) for b in act)
            count('precision', hit)
            count('precision lax', hit or any(holds(b, e['bbox']) for b in words))


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--onnx', default=place('detector'))
    a.add_argument('--data', nargs='+', default=[place(d) for d in ('data', 'canvas', 'qt', 'tk', 'gtk')])
    a.add_argument('--bench')
    a.add_argument('--limit', type=int, default=0)
    a.add_argument('--score', type=float, default=.3)
    a.add_argument('--json')
    a.add_argument('--draw')
    a = a.parse_args()
    s = networks(a.onnx)
    n, roles = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0, 0, 0.])
    stems = sorted(p[:-4] for p in glob.glob(os.path.join(a.bench, '*.png'))) if a.bench else listing(a.data, held=True)
    if a.limit:
        stems = [stems[i * len(stems) // a.limit] for i in range(a.limit)] if len(stems) > a.limit else stems
    t = time.process_time()
    for stem in stems:
        d = json.load(open(stem + '.json'))
        im = np.asarray(Image.open(stem + '.png').convert('RGB'))
        seen = detect(s, im, a.score)
        truth = d['elements']
        if a.bench:
            truth = truth + [dict(x, role='text') for x in d.get('texts', [])]
        judge(n, truth, seen, ['all', d['lang'], d['source'], d.get('toolkit') or d['source']], roles)
        if a.draw:
            os.makedirs(a.draw, exist_ok=True)
            p = Image.fromarray(im)
            w = ImageDraw.Draw(p)
            for e in seen:
                w.rectangle(e['bbox'], outline='gray' if e['role'] in PASSIVE else 'red')
                if e['role'] != 'text':
                    w.text((e['bbox'][0] + 1, e['bbox'][1] - 2), e['role'][:4] + ('+' if e['states'][0] > .5 and e['role'] in TICKS else ''), fill='blue')
            p.save(os.path.join(a.draw, os.path.basename(stem) + '.png'))
    print('%d held-out screens, %.0f CPU ms each' % (len(stems), (time.process_time() - t) * 1000 / max(1, len(stems))))
    pct = lambda c: 100. * c[0] / c[1] if c[1] else 0.
    print('%-10s %6s %7s %7s %6s' % ('role', 'n', 'recall', 'role', 'iou'))
    for r in ROLES:
        f, k, right, ov = roles[r]
        if k:
            print('%-10s %6d %7.1f %7.1f %6.2f' % (r, k, 100. * f / k, 100. * right / max(1, f), ov / max(1, f)))
    keys = [('active', 'recall'), ('active', 'role'), ('active', 'iou>.7'), 'precision', 'precision lax', ('passive', 'recall'), ('passive', 'role'), 'checked', 'enabled', 'greyed found', 'focused found']
    tags = sorted({k[0] for k in n}, key=lambda x: (x != 'all', x not in ('en', 'zh'), x))
    print('%-16s ' % '' + ' '.join('%14s' % (k if isinstance(k, str) else ' '.join(k)) for k in keys))
    for tag in tags:
        print('%-16s ' % tag + ' '.join('%14s' % ('%.1f (%d)' % (pct(n[tag, k]), n[tag, k][1])) for k in keys))
    if a.json:
        json.dump({'%s %s' % (t, k if isinstance(k, str) else ' '.join(k)): pct(n[t, k]) for t in tags for k in keys}, open(a.json, 'w'), indent=1)


if __name__ == '__main__':
    main()
