"""Trains the detector. Stops after --minutes or on SIGTERM; starts again where the checkpoint is.

  train.py --data FOLDER... --checkpoint F [--minutes 60] [--onnx FOLDER] [--threads 1] [--lr 2e-3] [--cool 0.25]
"""
import argparse
import math
import os
import random
import signal
import time

import numpy as np
import torch
import torch.nn.functional as F

from data import Pool
from export import export
from model import ARROWED, CLASS_WEIGHT, LARGE_FROM, ROLES, SMALL_BELOW, STRIDES, WIDE, Detector, cells, ends
from places import place

NR = len(ROLES)
SIZES = [(256, 320), (256, 256), (320, 256), (192, 448), (288, 384), (448, 192)]
TICK = torch.tensor([r in ('checkbox', 'radio', 'switch') for r in ROLES])


def targets(rows, at, stride, small):
    """For one picture and stride: heat [N], weight of negatives [N], index of the row each positive cell belongs to (-1: none)."""
    n = len(at)
    heat, keep, owner = torch.zeros(n), torch.ones(n), torch.full((n,), -1, dtype=torch.long)
    if not len(rows):
        return heat, keep, owner
    t = torch.from_numpy(rows)
    wh = t[:, 2:4] - t[:, :2]
    side = wh.min(1).values
    mine = side < SMALL_BELOW if small else side >= LARGE_FROM
    order = torch.argsort(wh.prod(1), descending=True)
    order = order[mine[order]]
    if not len(order):
        return heat, keep, owner
    b = t[order]
    c, wh = (b[:, :2] + b[:, 2:4]) / 2, wh[order]
    d = (at[None] - c[:, None]).abs()                                           # boxes x cells x 2
    inside = (d < wh[:, None] / 2).all(-1)
    near = (d <= torch.minimum(torch.full_like(wh, stride), wh * .33)[:, None]).all(-1)
    best = d.pow(2).sum(-1).argmin(1)
    near[torch.arange(len(b)), best] = True
    sigma = (wh / 6).clamp(min=stride * .4)
    g = torch.exp(-(d / sigma[:, None]).pow(2).sum(-1) / 2) * inside
    ok = b[:, 5] < 1
    if (~ok).any():
        keep[inside[~ok].any(0) | near[~ok].any(0)] = 0
    if ok.any():
        heat = g[ok].max(0).values
        idx = order[ok]
        own = near[ok]
        last = torch.where(own, torch.arange(1, len(idx) + 1)[:, None], 0).max(0).values    # the smallest box wins
        owner = torch.where(last > 0, idx[(last - 1).clamp(min=0)], owner)
        heat[owner >= 0] = 1
        keep[owner >= 0] = 1
    return heat, keep, owner


def at_the_ends(rows, owner, height, width):
    """Cells of stride 8 at the ends of what is wide in one picture, where nothing smaller stands: cell, row, is it the right end."""
    t = torch.from_numpy(rows)
    if not len(t):
        return []
    left, right, y = ends(t)
    size = t[:, 2:4] - t[:, :2]
    wide = (size[:, 0] > WIDE * size[:, 1]) & (t[:, 5] < 1) & (size[:, 1] < SMALL_BELOW)
    found = []
    for i in wide.nonzero()[:, 0].tolist():
        for x, is_right in ((left[i], False), (right[i], True)):
            # An end that the crop has cut off is none.
            if float(t[i, 2] if is_right else 8 * width - t[i, 0]) > 8 * width - 2:
                continue
            cell = min(max(int(y[i] // 8), 0), height - 1) * width + min(max(int(x // 8), 0), width - 1)
            if int(owner[cell]) in (-1, i):
                found.append((cell, i, is_right))
    return found


def giou_loss(d, g):
    """Distances left, top, right, bottom, predicted and true."""
    i = torch.minimum(d, g)
    inter = (i[:, 0] + i[:, 2]) * (i[:, 1] + i[:, 3])
    union = (d[:, 0] + d[:, 2]) * (d[:, 1] + d[:, 3]) + (g[:, 0] + g[:, 2]) * (g[:, 1] + g[:, 3]) - inter
    o = torch.maximum(d, g)
    hull = (o[:, 0] + o[:, 2]) * (o[:, 1] + o[:, 3])
    return 1 - inter / union.clamp(min=1) + (hull - union) / hull.clamp(min=1)


def loss_of(raws, batch):
    total, parts = 0, {}

    def add(name, v):
        nonlocal total
        total = total + v
        parts[name] = parts.get(name, 0) + float(v.detach())

    for raw, stride in zip(raws, STRIDES):
        at = cells(raw, stride)
        v = raw.flatten(2).transpose(1, 2)
        T = [targets(rows, at, stride, stride == 8) for rows in batch]
        heat, keep, owner = (torch.stack(x) for x in zip(*T))
        p = v[..., 4].sigmoid().clamp(1e-4, 1 - 1e-4)
        pos = owner >= 0
        n = max(1, int(pos.sum()))
        miss = -((1 - p).log() * p ** 2 * (1 - heat) ** 4 * keep)[~pos].sum()
        if not pos.any():
            add('obj', miss)
            continue
        img, cell = pos.nonzero(as_tuple=True)
        rows = torch.stack([torch.from_numpy(batch[i])[owner[i, c]] for i, c in zip(img.tolist(), cell.tolist())])
        weight = torch.where((rows[:, 4] == ROLES.index('text')) | (rows[:, 4] == ROLES.index('cell')), .5, 1.)
        hit = -((p.log() * (1 - p) ** 2)[pos] * weight).sum()
        add('obj', (hit + miss) / n)
        q = v[pos]
        role = rows[:, 4].long()
        add('role', F.cross_entropy(q[:, 5:5 + NR], role, CLASS_WEIGHT) * .7)
        if stride == 8:
            found = [(i, *f) for i, rows_of in enumerate(batch) for f in at_the_ends(rows_of, owner[i], *raw.shape[-2:])]
            if found:
                q_end = v[[f[0] for f in found], [f[1] for f in found]]
                t_end = torch.stack([torch.from_numpy(batch[f[0]])[f[2]] for f in found])
                is_right = torch.tensor([f[3] for f in found])
                a_end = at[[f[1] for f in found]]
                g_end = torch.cat([a_end - t_end[:, :2], t_end[:, 2:4] - a_end], 1).clamp(min=.5)
                near = torch.stack([~is_right, torch.ones_like(is_right), is_right, torch.ones_like(is_right)], 1).float()
                off = (q_end[:, :4].clamp(-6, 6).exp() * stride - g_end).abs() / (g_end[:, 1] + g_end[:, 3]).clamp(min=8)[:, None]
                add('edge', (off.clamp(max=2) * near).sum() / near.sum() * .8)
                arrowed = is_right & torch.tensor([ROLES[int(k)] in ARROWED for k in t_end[:, 4]])
                if arrowed.any():
                    add('end', F.cross_entropy(q_end[arrowed, 5:5 + NR], t_end[arrowed, 4].long(), CLASS_WEIGHT) * .4)
        a = at[cell]
        g = torch.cat([a - rows[:, :2], rows[:, 2:4] - a], 1).clamp(min=.5)
        lo = q[:, :4].clamp(-6, 6)
        size = (g[:, :2] + g[:, 2:]).min(1).values[:, None]
        d = lo.exp() * stride
        # Edges in pixels, against the shorter side: the ends of a long field may be a little off.
        add('box', giou_loss(d, g).mean() + .25 * F.smooth_l1_loss(lo, (g / stride).log()) + .3 * ((d - g).abs() / size.clamp(min=8)).clamp(max=2).mean())
        s, k = q[:, 5 + NR:], rows[:, 6:9]
        tick = TICK[role] & (k[:, 0] >= 0)
        if tick.any():
            add('check', F.binary_cross_entropy_with_logits(s[tick, 0], k[tick, 0]) * .4)
        act = role < 13
        add('state', (F.binary_cross_entropy_with_logits(s[act, 1:], k[act, 1:], pos_weight=torch.tensor([3., 3.])) * .2) if act.any() else v.sum() * 0)
    return total, parts


def save(path, net, ema, opt, step, minutes):
    torch.save({'config': net.config, 'weights': net.state_dict(), 'ema': ema, 'opt': opt.state_dict(), 'step': step, 'minutes': minutes}, path + '.tmp')
    os.replace(path + '.tmp', path)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--data', nargs='+', default=[place('data')])
    a.add_argument('--checkpoint', default=place('detector.pt'))
    a.add_argument('--onnx', default=place('detector'))
    a.add_argument('--minutes', type=float, default=60)
    a.add_argument('--threads', type=int, default=1)
    a.add_argument('--batch', type=int, default=8)
    a.add_argument('--lr', type=float, default=2e-3)
    a.add_argument('--cool', type=float, default=.25)
    a.add_argument('--save', type=float, default=3)
    a.add_argument('--steps', type=int, default=0)
    a = a.parse_args()
    torch.set_num_threads(a.threads)
    step, spent = 0, 0.
    saved = None
    for f in (a.checkpoint,):
        if os.path.exists(f):
            saved = torch.load(f, weights_only=True, map_location='cpu')
    net = Detector(**(saved['config'] if saved else {})).to(memory_format=torch.channels_last)
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{'params': decay, 'weight_decay': .02}, {'params': rest, 'weight_decay': 0}], lr=a.lr, betas=(.9, .99))
    if saved:
        net.load_state_dict(saved.get('weights') or saved['ema'])
        if 'opt' in saved:
            opt.load_state_dict(saved['opt'])
        step, spent = saved.get('step', 0), saved.get('minutes', 0.)
        print('resumed at step', step, flush=True)
    ema = {k: v.float() if v.dtype.is_floating_point else v.clone() for k, v in (saved['ema'] if saved else net.state_dict()).items()}
    ema = {k: v.clone() for k, v in ema.items()}
    # Draws never repeat after a restart: the seed holds the step.
    r, pool = random.Random(step + 1), Pool(a.data, step)
    stop = []
    signal.signal(signal.SIGTERM, lambda *_: stop.append(1))    # saves, exports, ends
    start = last = time.time()
    first, mean = step, {}
    net.train()
    while True:
        now = time.time()
        done = (now - start) / 60 / a.minutes
        if done >= 1 or stop or (a.steps and step - first >= a.steps):
            break
        warm = min(1, (step - first + 1) / (80 if first == 0 else 30))
        lr = a.lr * warm * (1 if done < 1 - a.cool else max(.02, (1 - done) / a.cool))
        for g in opt.param_groups:
            g['lr'] = lr
        h, w = r.choice(SIZES)
        x, rows = pool.batch(a.batch, h, w)
        raws = net(torch.from_numpy(x).to(memory_format=torch.channels_last))
        loss, parts = loss_of(raws, rows)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 8.)
        if math.isfinite(loss.item()):
            opt.step()
        step += 1
        d = min(.995 if step < 6000 else .999, (1 + step) / (10 + step))
        with torch.no_grad():
            for k, v in net.state_dict().items():
                if v.dtype.is_floating_point:
                    ema[k].lerp_(v, 1 - d)
                else:
                    ema[k].copy_(v)
        for k, v in parts.items():
            mean[k] = .98 * mean.get(k, v) + .02 * v
        if step % 25 == 0:
            print('%d %.1f min lr %.5f %.2f s/step ' % (step, spent + (time.time() - start) / 60, lr, (time.time() - start) / (step - first)) + ' '.join('%s %.3f' % i for i in mean.items()), flush=True)
        if time.time() - last > a.save * 60:
            last = time.time()
            save(a.checkpoint, net, ema, opt, step, spent + (last - start) / 60)
    save(a.checkpoint, net, ema, opt, step, spent + (time.time() - start) / 60)
    m = Detector(**net.config)
    m.load_state_dict(ema)
    os.makedirs(a.onnx, exist_ok=True)
    export(m, a.onnx)
    print('done at step', step, flush=True)


if __name__ == '__main__':
    main()
