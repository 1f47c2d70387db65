"""The detector: a small one-stage network without anchors. Cells of stride 8 find ordinary controls, cells of stride 32 large ones."""
import torch
import torch.nn as nn
import torch.nn.functional as F

ROLES = ('button', 'icon', 'link', 'textbox', 'combobox', 'checkbox', 'radio', 'tab', 'menuitem', 'listitem', 'cell', 'slider', 'switch', 'text', 'image', 'window')
# Of the roles in the loss; `calibrate.py` finds what the probabilities are multiplied with afterwards.
CLASS_WEIGHT = torch.tensor([{'text': .4, 'cell': .4, 'icon': .8, 'combobox': 2, 'link': 1.6, 'tab': 1.5, 'slider': 1.6, 'switch': 1.6, 'radio': 1.4}.get(r, 1.2) for r in ROLES])
STATES = ('checked', 'disabled', 'focused')
STRIDES = (8, 32)
# Boxes whose shorter side is below / from this many pixels belong to stride 8 / 32 (both in between).
SMALL_BELOW, LARGE_FROM = 84, 64
OUTPUTS = 4 + 1 + len(ROLES) + len(STATES)
# What tells these apart stands at the right end of the box (the arrow): their role is read there too when they are wide.
ARROWED = ('button', 'textbox', 'combobox')
WIDE = 2.


class Conv(nn.Sequential):
    def __init__(self, cin, cout, k=3, stride=1, groups=1, act=True):
        parts = [nn.Conv2d(cin, cout, k, stride, k // 2, groups=groups, bias=False), nn.BatchNorm2d(cout)]
        super().__init__(*(parts + ([nn.ReLU(inplace=True)] if act else [])))


class Split(nn.Module):
    """Half of the channels go through dense 3x3 layers, all parts are joined (after CSP)."""

    def __init__(self, c, n, wide=None):
        super().__init__()
        h = wide or c // 2
        self.a, self.b = Conv(c, h, 1), Conv(c, h, 1)
        self.m = nn.ModuleList(nn.Sequential(Conv(h, h), Conv(h, h, act=False)) for _ in range(n))
        self.o = Conv(2 * h, c, 1)

    def forward(self, x):
        y = self.a(x)
        for m in self.m:
            y = F.relu(y + m(y))
        return self.o(torch.cat([y, self.b(x)], 1))


class Far(nn.Module):
    """A depthwise layer with a large window, then mixing: context from far."""

    def __init__(self, c, k):
        super().__init__()
        self.d, self.p, self.q = Conv(c, c, k, groups=c, act=False), Conv(c, c, 1), Conv(c, c, 1, act=False)

    def forward(self, x):
        return F.relu(x + self.q(self.p(self.d(x))))


class Head(nn.Module):
    def __init__(self, c, stride, tower):
        super().__init__()
        self.stride, self.tower, self.out = stride, tower, nn.Conv2d(c, OUTPUTS, 1)
        nn.init.normal_(self.out.weight, std=.01)
        nn.init.zeros_(self.out.bias)
        self.out.bias.data[4] = -4.6
        self.out.bias.data[:4] = 0.7

    def forward(self, x):
        return self.out(self.tower(x))


class Detector(nn.Module):
    """Input [B, 3, H, W], RGB 0..1, H and W multiples of 32. Output: a raw map per stride; `decode` makes rows of them."""

    def __init__(self, c4=24, c8=64, c16=128, c32=256):
        super().__init__()
        self.config = dict(c4=c4, c8=c8, c16=c16, c32=c32)
        self.s4 = nn.Sequential(Conv(3, 16, 3, 2), Conv(16, c4, 3, 2), Split(c4, 1, c4 // 2 + 4))
        self.s8 = nn.Sequential(Conv(c4, c8, 3, 2), Split(c8, 2))
        self.s16 = nn.Sequential(Conv(c8, c16, 3, 2), Split(c16, 2))
        self.s32 = nn.Sequential(Conv(c16, c32, 3, 2), Far(c32, 7), Far(c32, 7), Far(c32, 7))
        self.l32, self.m16 = Conv(c32, c16, 1), Far(c16, 5)
        self.l16, self.m8 = Conv(c16, c8, 1), Split(c8, 1)
        self.h8 = Head(c8, 8, Conv(c8, c8))
        self.h32 = Head(c32, 32, Far(c32, 5))

    def forward(self, x):
        return self.far(*self.near(x))

    def near(self, x):
        """What stands near each cell of stride 8, 16 and 32."""
        a8 = self.s8(self.s4(x * 2 - 1))
        a16 = self.s16(a8)
        return a8, a16, self.s32[0](a16)

    def far(self, a8, a16, a32):
        """Elements, by what stands near and far."""
        a32 = self.s32[1:](a32)
        a16 = self.m16(a16 + F.interpolate(self.l32(a32), scale_factor=2., mode='nearest'))
        a8 = self.m8(a8 + F.interpolate(self.l16(a16), scale_factor=2., mode='nearest'))
        return self.h8(a8), self.h32(a32)


def cells(raw, stride):
    """Centres of the cells [H*W, 2] in pixels."""
    h, w = raw.shape[-2:]
    y, x = torch.meshgrid(torch.arange(h, device=raw.device), torch.arange(w, device=raw.device), indexing='ij')
    return (torch.stack([x, y], -1).reshape(-1, 2).float() + .5) * stride


def ends(box):
    """The points half a height inside of the left and of the right edge: x of the one, x of the other, y of both."""
    half = (box[..., 3] - box[..., 1]) / 2
    return box[..., 0] + half, box[..., 2] - half, (box[..., 1] + box[..., 3]) / 2


def read_at_the_ends(box, role, width, height):
    """Boxes and role probabilities of a map of stride 8. Of what is wide, the left and right edges are those that the
    cells at the ends tell (they are near), and the role of what may have an arrow is read at the right end too."""
    stride = STRIDES[0]
    left, right, y = ends(box)

    def cell(x):
        at = (y / stride).floor().clamp(min=0).minimum(height - 1) * width + (x / stride).floor().clamp(min=0).minimum(width - 1)
        return at.long().unsqueeze(-1)

    size = box[..., 3] - box[..., 1]
    wide = box[..., 2] - box[..., 0] > WIDE * size
    first, last = box.gather(1, cell(left).expand_as(box)), box.gather(1, cell(right).expand_as(box))
    # Who disagrees by more than a height means something else.
    x0 = torch.where(wide & ((first[..., 0] - box[..., 0]).abs() < size), first[..., 0], box[..., 0])
    x1 = torch.where(wide & ((last[..., 2] - box[..., 2]).abs() < size), last[..., 2], box[..., 2])
    there = role.gather(1, cell(right).expand_as(role))
    places = [ROLES.index(r) for r in ARROWED]
    one, other = role[..., places], there[..., places]
    a, b = one.sum(-1, keepdim=True), other.sum(-1, keepdim=True)
    mixed = a * (one / a.clamp(min=1e-6) + 1.5 * other / b.clamp(min=1e-6)) / 2.5
    mixed = torch.where(wide.unsqueeze(-1) & (b > .3), mixed, one)
    parts = list(role.split(1, -1))
    for i, r in enumerate(places):
        parts[r] = mixed[..., i:i + 1]
    return torch.stack([x0, box[..., 1], x1, box[..., 3]], -1), torch.cat(parts, -1)


def decode(raws, prior=None):
    """Rows [B, N, 4+1+16+3]: x0 y0 x1 y1 in pixels, score of being an element, probability of each role (multiplied with `prior`), of each state."""
    rows = []
    for raw, stride in zip(raws, STRIDES):
        v = raw.flatten(2).transpose(1, 2)
        at = cells(raw, stride)
        d = v[..., :4].clamp(-6, 6).exp() * stride
        box = torch.cat([at - d[..., :2], at + d[..., 2:]], -1)
        n = 5 + len(ROLES)
        role = v[..., 5:n].softmax(-1)
        if prior is not None:
            role = role * prior
        role = role / role.sum(-1, keepdim=True)
        if stride == STRIDES[0]:
            size = at[-1] / stride + .5    # of the map: columns, rows
            box, role = read_at_the_ends(box, role, size[0], size[1])
        rows.append(torch.cat([box, v[..., 4:5].sigmoid(), role, v[..., n:].sigmoid()], -1))
    return torch.cat(rows, 1)


if __name__ == '__main__':
    n = Detector()
    print(sum(p.numel() for p in n.parameters()) / 1e6, 'M parameters', decode(n.eval()(torch.zeros(1, 3, 416, 448))).shape)
