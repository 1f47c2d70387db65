"""Makes the training set: HTML screens (render.py) and drawn ones (canvas.py), some hundred at a time, at low priority. Can be stopped and started.

  generate.py [--html N] [--canvas N] [--root FOLDER]

Seeds are the numbers in the file names; the same seed gives the same page (look = seed // 60 % 4). Held out: seed % 20 == 7.
"""
import argparse
import os
import subprocess
import sys
from places import ROOT

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--html', type=int, default=3000)
    a.add_argument('--canvas', type=int, default=1600)
    a.add_argument('--from', dest='first', type=int, default=0)
    a.add_argument('--root', default=ROOT)
    a = a.parse_args()
    try:
        os.nice(19)
        open('/proc/self/autogroup', 'w').write('19')
    except OSError:
        pass
    env = dict(os.environ, CHROMIUM=os.environ.get('CHROMIUM', os.path.join(HERE, 'chromium-low')))
    # Turn and turn about, so that both kinds grow together.
    steps = max(1, (a.html - a.first + 59) // 60)
    for i in range(steps):
        lo, hi = a.canvas * i // steps, a.canvas * (i + 1) // steps
        subprocess.run([sys.executable, 'canvas.py', str(lo), str(hi), '--out', a.root + '/canvas'], cwd=HERE)
        first = a.first + 60 * i
        subprocess.run([sys.executable, 'render.py', str(first), str(min(first + 60, a.html)), '--look', str(first // 60 % 4), '--out', a.root + '/data'], cwd=HERE, env=env)


if __name__ == '__main__':
    main()
