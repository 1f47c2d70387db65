"""Icons for the pages: inline SVG of permissively licensed npm packages (see README), Tango (public domain) as pictures."""
import base64
import glob
import os
import re
from places import ICONS

ROOT = ICONS
SETS = {'lucide': 'lucide-static/icons/*.svg', 'bootstrap': 'bootstrap-icons/icons/*.svg', 'mdi': '@mdi/svg/svg/*.svg',
        'tabler': '@tabler/icons/icons/outline/*.svg', 'tablerf': '@tabler/icons/icons/filled/*.svg'}
TANGO = '/usr/share/icons/Tango/%s/*/*.png'
_files, _text = {}, {}


def files(kind):
    if kind not in _files:
        pattern = TANGO % kind[5:] if kind.startswith('tango') else os.path.join(ROOT, SETS[kind])
        _files[kind] = sorted(glob.glob(pattern))
    return _files[kind]


def icon(r, kind, size, color='currentColor', stroke=None):
    """HTML of one icon; `kind` is a set's name or tango22x22."""
    f = r.choice(files(kind))
    if f not in _text:
        if f.endswith('.png'):
            _text[f] = base64.b64encode(open(f, 'rb').read()).decode()
        else:
            s = open(f, encoding='utf-8').read()
            s = re.sub(r'<!--.*?-->|<\?xml.*?\?>|\n|\s(width|height|class)="[^"]*"', lambda m: ' ' if m.group(0) == '\n' else '', s, flags=re.S)
            _text[f] = s if kind not in ('mdi', 'tablerf') or 'fill=' in s[:200] else s.replace('<svg', '<svg fill="currentColor"', 1)
    if f.endswith('.png'):
        return '<img class=ic src="data:image/png;base64,%s" style="width:%dpx;height:%dpx">' % (_text[f], size, size)
    s = _text[f].replace('<svg', '<svg width="%d" height="%d" style="color:%s"' % (size, size, color), 1)
    return re.sub(r'stroke-width="[^"]*"', 'stroke-width="%g"' % stroke, s) if stroke and kind in ('lucide', 'tabler') else s
