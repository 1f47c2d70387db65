"""Fits what the roles' probabilities are multiplied with, so that they fit screens as they are and not the crops of the training, in which
rare roles are frequent. calibrate.py --onnx FOLDER --checkpoint F [--data FOLDER...] [--screens 160]

Sixteen numbers, fitted by maximum likelihood on whole training screens (held-out ones and pages that show more of what is rare are left out);
text and cells count `PASSIVE` times. They are written into the checkpoint as `prior`; `export.py` builds them in. The ONNX files must be such without them.
"""
import argparse
import os
import random

import torch

from data import INDEX, listing, load
from evaluate import iou_many, nms
from export import networks
from model import ROLES
from pages import RARE_FROM
from places import place

import numpy as np

PASSIVE = .4


def finds(s, stem):
    """Probabilities and true role of what was found on one screen."""
    im, rows, _ = load(stem)
    h, w = im.shape[:2]
    x = np.full((-(-h // 32) * 32, -(-w // 32) * 32, 3), .45, np.float32)
    x[:h, :w] = im.astype(np.float32) / 255
    seen = nms(s(x.transpose(2, 0, 1)[None]), .25)
    for row in rows:
        if row[5] < 1 and len(seen):
            shared = iou_many(row, seen[:, :4])
            best = int(shared.argmax())
            if shared[best] > .4:
                yield seen[best, 5:5 + len(ROLES)], int(row[4])


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--onnx', required=True)
    a.add_argument('--checkpoint', required=True)
    a.add_argument('--data', nargs='+', default=[place(d) for d in ('data', 'canvas', 'qt', 'tk', 'gtk', 'win32', 'lazarus')])
    a.add_argument('--screens', type=int, default=160)
    a = a.parse_args()
    s, r, found = networks(a.onnx), random.Random(1), []
    for folder in a.data:
        stems = [f for f in listing([folder]) if not (os.path.basename(f)[0] == 'h' and int(os.path.basename(f)[1:]) >= RARE_FROM)]
        share = .4 if os.path.basename(folder) == 'data' else .6 / max(1, len(a.data) - 1)
        for stem in r.sample(stems, min(len(stems), round(a.screens * share))):
            found += finds(s, stem)
    p = torch.tensor(np.array([f[0] for f in found])).clamp(min=1e-6).log()
    y = torch.tensor([f[1] for f in found])
    weight = torch.tensor([PASSIVE if k in (INDEX['text'], INDEX['cell']) else 1. for k in y.tolist()])
    bias = torch.zeros(len(ROLES), requires_grad=True)
    opt = torch.optim.Adam([bias], lr=.05)
    for step in range(400):
        nll = (torch.nn.functional.cross_entropy(p + bias, y, reduction='none') * weight).sum() / weight.sum() + .001 * bias.pow(2).sum()
        if step % 399 == 0:
            right = ((p + bias).argmax(1) == y)
            print('%d finds, %.4f nats, %.1f %% right' % (len(y), nll.item(), 100 * right.float().mean().item()))
        opt.zero_grad()
        nll.backward()
        opt.step()
    prior = bias.detach().exp()
    print(' '.join('%s %.2f' % i for i in zip(ROLES, prior.tolist())))
    c = torch.load(a.checkpoint, weights_only=True, map_location='cpu')
    c['prior'] = prior
    torch.save(c, a.checkpoint + '.tmp')
    os.replace(a.checkpoint + '.tmp', a.checkpoint)


if __name__ == '__main__':
    main()
