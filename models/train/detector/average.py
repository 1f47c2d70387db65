"""Joins runs that went on side by side from one checkpoint, each with its --seed: their mean weights.

  average.py CHECKPOINT... --out F
"""
import argparse

import torch


def mean(values):
    return sum(v.float() for v in values) / len(values) if values[0].dtype.is_floating_point else values[0].clone()


def main():
    a = argparse.ArgumentParser()
    a.add_argument('checkpoints', nargs='+')
    a.add_argument('--out', required=True)
    a = a.parse_args()
    runs = [torch.load(f, weights_only=True, map_location='cpu') for f in a.checkpoints]
    joined = {'config': runs[0]['config'], 'step': max(r['step'] for r in runs), 'minutes': max(r['minutes'] for r in runs)}
    for part in ('weights', 'ema'):
        joined[part] = {k: mean([r[part][k] for r in runs]) for k in runs[0][part]}
    torch.save(joined, a.out)


if __name__ == '__main__':
    main()
