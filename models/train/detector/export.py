"""Writes detector.onnx from a checkpoint (or fresh weights) and measures it. export.py [--checkpoint F] [--out F] [--bench] [--weights F]

Input `image`: float32 [1, 3, H, W], RGB 0..1, H and W any multiples of 32 (pad right and below, e.g. with 0.45).
Output `rows`: float32 [N, 24], N = H*W/64 + H*W/1024: x0 y0 x1 y1 (pixels), element score, 16 role probabilities (their order in the metadata
`roles`), 3 state probabilities (`states`: checked, disabled, focused). No NMS inside.
"""
import argparse
import os
import time

import torch

from model import ROLES, STATES, Detector, decode


class Flat(torch.nn.Module):
    def __init__(self, net, prior):
        super().__init__()
        self.net, self.prior = net, prior

    def forward(self, image):
        return decode(self.net(image), self.prior)[0]


def export(net, path, prior=None):
    import onnx
    net.eval()
    kw = dict(input_names=['image'], output_names=['rows'], dynamic_axes={'image': {2: 'height', 3: 'width'}, 'rows': {0: 'n'}}, opset_version=17)
    torch.onnx.export(Flat(net, prior), torch.zeros(1, 3, 320, 384), path + '.tmp', dynamo=False, **kw)
    m = onnx.load(path + '.tmp')
    for k, v in (('roles', ','.join(ROLES)), ('states', ','.join(STATES)), ('strides', '8,32'), ('input', 'rgb/255 nchw, multiples of 32')):
        p = m.metadata_props.add()
        p.key, p.value = k, v
    onnx.save(m, path + '.tmp')
    os.replace(path + '.tmp', path)


def clock(path, size=(800, 1280), times=5, norm=None):
    import numpy as np
    import onnxruntime as ort
    o = ort.SessionOptions()
    o.intra_op_num_threads = o.inter_op_num_threads = 1
    s = ort.InferenceSession(path, o, providers=['CPUExecutionProvider'])
    x = np.random.default_rng(1).random((1, 3) + size, dtype=np.float32)
    name = s.get_inputs()[0].name
    s.run(None, {name: x})
    best = []
    for _ in range(times):
        t = time.process_time()
        s.run(None, {name: x})
        best.append(time.process_time() - t)
    return sorted(best)[len(best) // 2] * 1000


if __name__ == '__main__':
    a = argparse.ArgumentParser()
    a.add_argument('--checkpoint')
    a.add_argument('--out', default='detector.onnx')
    a.add_argument('--bench', action='store_true')
    a.add_argument('--weights', help='also writes the weights alone, in half precision, to go on from')
    a.add_argument('--ocr', default=os.path.expanduser('~/.cache/deskhand/models/PP-OCRv6_det_small.onnx'))
    a = a.parse_args()
    torch.set_num_threads(1)
    if a.checkpoint:
        c = torch.load(a.checkpoint, weights_only=True, map_location='cpu')
        net = Detector(**c['config'])
        net.load_state_dict(c['ema'])
    else:
        net = Detector()
    export(net, a.out, c.get('prior') if a.checkpoint else None)
    if a.weights:
        half = {k: v.half() if v.dtype.is_floating_point else v for k, v in net.state_dict().items()}
        torch.save({'config': net.config, 'ema': half, 'step': c.get('step', 0), 'minutes': c.get('minutes', 0.), **({'prior': c['prior']} if 'prior' in c else {})}, a.weights)
    print('%.2f M parameters, %.1f MB' % (sum(p.numel() for p in net.parameters()) / 1e6, os.path.getsize(a.out) / 1e6))
    if a.bench:
        d, o = clock(a.out), clock(a.ocr)
        print('CPU ms at 1280x800, one thread: detector %.0f, PP-OCR detection %.0f, ratio %.3f' % (d, o, d / o))
