"""Writes the two networks of the detector from a checkpoint (or fresh weights) and measures them.
export.py [--checkpoint F] [--out FOLDER] [--bench] [--weights F]

`near.onnx` looks at the picture: input `image`, float32 [1, 3, H, W], RGB 0..1, H and W any multiples of 32 (pad right and below, e.g. with
0.45); outputs `a8`, `a16`, `a32`, what is seen near each cell of stride 8, 16 and 32, float32 [1, C, H/stride, W/stride]. What is there of a
part of the picture is the same as of the whole but at its edges (about 64 pixels matter), so after a change only that part is looked at again.
`far.onnx` makes elements of these three: `rows`, float32 [N, 24], N = H*W/64 + H*W/1024: x0 y0 x1 y1 (pixels), element score, 16 role
probabilities (their order in its metadata `roles`), 3 state probabilities (`states`: checked, disabled, focused). No NMS inside.
"""
import argparse
import os
import time

import torch

from model import ROLES, STATES, Detector, decode


class Far(torch.nn.Module):
    def __init__(self, net, prior):
        super().__init__()
        self.net, self.prior = net, prior

    def forward(self, a8, a16, a32):
        return decode(self.net.far(a8, a16, a32), self.prior)[0]


class Near(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, image):
        return self.net.near(image)


def export(net, folder, prior=None):
    net.eval()
    image = torch.zeros(1, 3, 320, 384)
    maps = ['a8', 'a16', 'a32']
    # The names of the sizes: two networks, the maps of one are the input of the other.
    free = {name: {2: 'height' + name[1:], 3: 'width' + name[1:]} for name in maps}
    with torch.no_grad():
        seen = net.near(image)
    write(Near(net), image, os.path.join(folder, 'near.onnx'), ['image'], maps, {'image': {2: 'height', 3: 'width'}, **free},
          {'strides': '8,16,32', 'input': 'rgb/255 nchw, multiples of 32'})
    write(Far(net, prior), seen, os.path.join(folder, 'far.onnx'), maps, ['rows'], {**free, 'rows': {0: 'n'}},
          {'roles': ','.join(ROLES), 'states': ','.join(STATES)})


def write(module, given, path, inputs, outputs, free, metadata):
    import onnx
    torch.onnx.export(module, given, path + '.tmp', dynamo=False, input_names=inputs, output_names=outputs, dynamic_axes=free, opset_version=17)
    m = onnx.load(path + '.tmp')
    for k, v in metadata.items():
        p = m.metadata_props.add()
        p.key, p.value = k, v
    onnx.save(m, path + '.tmp')
    os.replace(path + '.tmp', path)


def session(path):
    import onnxruntime as ort
    o = ort.SessionOptions()
    o.intra_op_num_threads = o.inter_op_num_threads = 1
    return ort.InferenceSession(path, o, providers=['CPUExecutionProvider'])


def networks(folder):
    """Both networks in a row: an image [1, 3, H, W] in, rows out."""
    near, far = (session(os.path.join(folder, name)) for name in ('near.onnx', 'far.onnx'))
    maps = [i.name for i in far.get_inputs()]
    return lambda image: far.run(['rows'], dict(zip(maps, near.run(maps, {'image': image}))))[0]


def clock(run, size=(800, 1280), times=5):
    import numpy as np
    x = np.random.default_rng(1).random((1, 3) + size, dtype=np.float32)
    run(x)
    best = []
    for _ in range(times):
        t = time.process_time()
        run(x)
        best.append(time.process_time() - t)
    return sorted(best)[len(best) // 2] * 1000


if __name__ == '__main__':
    a = argparse.ArgumentParser()
    a.add_argument('--checkpoint')
    a.add_argument('--out', default='.', help='the folder for near.onnx and far.onnx')
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
    size = sum(os.path.getsize(os.path.join(a.out, name)) for name in ('near.onnx', 'far.onnx'))
    print('%.2f M parameters, %.1f MB' % (sum(p.numel() for p in net.parameters()) / 1e6, size / 1e6))
    if a.bench:
        ocr = session(a.ocr)
        d, o = clock(networks(a.out)), clock(lambda x: ocr.run(None, {ocr.get_inputs()[0].name: x}))
        print('CPU ms at 1280x800, one thread: detector %.0f, PP-OCR detection %.0f, ratio %.3f' % (d, o, d / o))
