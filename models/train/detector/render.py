"""Renders pages in headless Chromium and reads the exact truth from the DOM of the same page.

  render.py FIRST LAST [--out FOLDER] [--look N]      seeds FIRST..LAST-1; --look: font rendering (0 grey, 1 not smoothed, 2 unhinted, 3 subpixel)
"""
import argparse
import json
import os
import sys
import tempfile

from pages import MORE_FROM, page
from places import place

TRUTH = r"""clipped => {
const out = [], texts = [], W = innerWidth, H = innerHeight;
const seen = (el, b, n) => { let k = 0, all = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
    const x = b.left + (i + .5) / n * b.width, y = b.top + (j + .5) / n * b.height; all++;
    if (x < 0 || y < 0 || x >= W || y >= H) continue;
    const h = document.elementFromPoint(x, y); if (h && (h === el || el.contains(h))) k++; }
  return k / all; };
const passive = new Set(['window', 'image', 'cell']);
for (const el of document.querySelectorAll('[data-r]')) {
  const b = el.getBoundingClientRect(), role = el.dataset.r;
  if (b.width < 4 || b.height < 4) continue;
  const v = seen(el, b, role === 'window' ? 8 : 4);
  if (v === 0) continue;
  // What sticks out of the clipping parents is not seen.
  let l = Math.max(0, b.left), t = Math.max(0, b.top), r = Math.min(W, b.right), m = Math.min(H, b.bottom);
  for (let p = el.parentElement; p; p = p.parentElement) { const s = getComputedStyle(p);
    if (s.overflow !== 'visible') { const q = p.getBoundingClientRect(); l = Math.max(l, q.left); t = Math.max(t, q.top); r = Math.min(r, q.right); m = Math.min(m, q.bottom); } }
  if (r - l < 3 || m - t < 3) continue;
  const part = (r - l) * (m - t) / (b.width * b.height);
  const e = {role, bbox: [l, t, r, m], seen: Math.min(v, 1), part};
  if (el.dataset.c !== undefined) e.checked = el.dataset.c === '1';
  if (el.dataset.d) e.enabled = false;
  if (el.dataset.f) e.focused = true;
  out.push(e); }
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) { const n = walk.currentNode, p = n.parentElement;
  if (!n.nodeValue.trim() || p.closest('[data-skip]') || p.closest('option,style,textarea')) continue;
  const a = p.closest('[data-r]'); if (a && a.dataset.r !== 'window') continue;
  const range = document.createRange(); range.selectNodeContents(n);
  for (let b of range.getClientRects()) { if (b.width < 4 || b.height < 5) continue;
    let part = 1;
    if (clipped) {  // Without what the parents cut off.
      let l = b.left, t = b.top, r = b.right, m = b.bottom;
      for (let q = p; q; q = q.parentElement) if (getComputedStyle(q).overflow !== 'visible') {
        const c = q.getBoundingClientRect(); l = Math.max(l, c.left); t = Math.max(t, c.top); r = Math.min(r, c.right); m = Math.min(m, c.bottom); }
      if (m - t > .65 * b.height) { t = b.top; m = b.bottom; }  // a line box lower than its letters' box cuts nothing off
      if (r - l < 4 || m - t < 5) continue;
      part = (r - l) * (m - t) / (b.width * b.height);
      b = {left: l, top: t, right: r, bottom: m, width: r - l, height: m - t}; }
    let k = 0; for (const f of [.1, .5, .9]) { const x = b.left + f * b.width, y = b.top + b.height / 2;
      if (x >= 0 && y >= 0 && x < W && y < H) { const h = document.elementFromPoint(x, y); if (h && (h === p || p.contains(h) || h.contains(p) && !h.matches('[data-r=window],body'))) k++; else if (h && h.contains(p)) k += .5; } }
    if (k >= 1) out.push({role: 'text', bbox: [Math.max(0, b.left), Math.max(0, b.top), Math.min(W, b.right), Math.min(H, b.bottom)], seen: k / 3 * part, part}); } }
return out; }"""

LOOKS = [['--font-render-hinting=slight', '--disable-lcd-text'], ['--font-render-hinting=full', '--disable-lcd-text', '--disable-font-subpixel-positioning'],
         ['--font-render-hinting=none', '--disable-lcd-text'], ['--font-render-hinting=medium', '--enable-lcd-text']]
FONTS_CONF = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include><match target="font"><edit name="antialias" mode="assign"><bool>false</bool></edit>' \
             '<edit name="hinting" mode="assign"><bool>true</bool></edit><edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match><match target="pattern"><edit name="antialias" mode="assign"><bool>false</bool></edit></match></fontconfig>'


def clean(found, scale):
    """In pixels of the picture; what is half hidden is marked to be ignored."""
    out = []
    for e in found:
        whole = min(e.pop('seen') / max(e['part'], .01), 1) * e.pop('part')
        if whole < .25:
            continue
        if whole < (.45 if e['role'] == 'window' else .8):
            e['ignore'] = True
        e['bbox'] = [round(v * scale, 1) for v in e['bbox']]
        out.append(e)
    return out


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('data'))
    a.add_argument('--look', type=int, default=0)
    a = a.parse_args()
    from playwright.sync_api import sync_playwright
    env = dict(os.environ)
    if a.look == 1:
        conf = tempfile.NamedTemporaryFile('w', suffix='.conf', delete=False)
        conf.write(FONTS_CONF)
        conf.close()
        env['FONTCONFIG_FILE'] = conf.name
    os.makedirs(a.out, exist_ok=True)
    with sync_playwright() as p:
        browser = p.chromium.launch(timeout=600000, executable_path=os.environ.get('CHROMIUM', '/usr/bin/chromium'), args=['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'] + LOOKS[a.look], env=env, ignore_default_args=['--font-render-hinting=none', '--disable-lcd-text'])
        for seed in range(a.first, a.last):
            name = os.path.join(a.out, 'h%06d' % seed)
            if os.path.exists(name + '.json'):
                continue
            d = page(seed)
            context = browser.new_context(viewport={'width': d['width'], 'height': d['height']}, device_scale_factor=d['scale'])
            try:
                context.set_default_timeout(120000)  # a busy machine takes its time
                tab = context.new_page()
                tab.set_content(d['html'], wait_until='load')
                found = tab.evaluate(TRUTH, seed >= MORE_FROM)
                tab.screenshot(path=name + '.png', animations='disabled', caret='hide')
            except Exception as e:  # one page that fails must not end the run
                print(seed, str(e)[:200], file=sys.stderr)
                continue
            finally:
                context.close()
            s = d['scale']
            truth = {'width': int(d['width'] * s), 'height': int(d['height'] * s), 'source': 'html', 'toolkit': d['toolkit'], 'lang': d['lang'], 'seed': seed, 'scale': s, 'look': a.look, 'elements': clean(found, s)}
            with open(name + '.tmp', 'w') as f:
                json.dump(truth, f)
            os.replace(name + '.tmp', name + '.json')
        browser.close()


if __name__ == '__main__':
    main()
