#!/usr/bin/python3
"""Makes pictures of live programs after random changes, as a user's work brings them.

  bench/changes/screens.py OUT_FOLDER [--count 300] [--seed 1]

On a virtual display of its own it runs a small order program in Tk (English), then in GTK 3 (Chinese), then as a page in
Chromium (mixed), and makes COUNT changes, a third each. Every change goes to OUT_FOLDER/NNN.png, one picture a change, 000 being
the start, and to OUT_FOLDER/changes.jsonl, one line each: {"n": 1, "kind": "letter", "app": "tk"}. The first picture of each
program has the kind "start"; that of the second and third counts as a change. No picture equals the one before. OUT_FOLDER must be new or empty.

Needs Xvfb, openbox, xdotool, python3-tk, python3-gi, gir1.2-gtk-3.0 and Chromium (its path in CHROMIUM, else `chromium` in
PATH; nothing else, the page says itself where to click); a program that cannot start is left out with a message and the others share its changes. The seed decides what is tried;
what is shown also depends on fonts and versions. The last line is key=value figures.
"""
import argparse
import collections
import json
import mmap
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZE = '1280x800'
# What can come next, with its weight, by what lies open over the program; '' means that nothing does.
KINDS = {
    '': {'focus': 12, 'letter': 22, 'word': 14, 'clear': 6, 'backspace': 12, 'tab': 6, 'tick': 5, 'radio': 4, 'combo opened': 5, 'menu opened': 4,
         'context menu opened': 3, 'row selected': 6, 'scroll step': 7, 'scroll far': 5, 'page': 4, 'row added': 5, 'row deleted': 4,
         'button greyed': 4, 'dialog opened': 4, 'hint': 4, 'status': 4, 'computed': 5, 'spin': 5, 'window moved': 4,
         'second window opened': 3, 'second window closed': 8},
    'combo': {'combo chosen': 2, 'combo closed': 1},
    'menu': {'menu closed': 1},
    'context menu': {'context menu closed': 1},
    'dialog': {'dialog closed': 1},
}


class Screen:
    """Xvfb's own picture in a file: reading it costs nothing, so that rest can be watched."""

    def __init__(self, folder):
        with open(Path(folder) / 'Xvfb_screen0', 'rb') as file:
            self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        head = struct.unpack('>25I', self.map[:100])
        self.width, self.height, self.line = head[4], head[5], head[12]
        self.start = head[0] + 12 * head[19]
        if head[11] != 32 or self.line != 4 * self.width:
            sys.exit('Xvfb keeps its picture in a way that is not read here')

    def picture(self):
        return self.map[self.start:self.start + self.line * self.height]

    def settled(self, before):
        """The picture once it differs from `before` and two in a row are equal; after 2 s whatever is there."""
        end, last = time.monotonic() + 2, self.picture()
        while time.monotonic() < end:
            time.sleep(0.12)
            now = self.picture()
            if now == last and now != before:
                break
            last = now
        return last

    def save(self, picture, path):
        rgb = bytearray(3 * self.width * self.height)
        rgb[0::3], rgb[1::3], rgb[2::3] = picture[2::4], picture[1::4], picture[0::4]

        def chunk(name, data):
            return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
        step = 3 * self.width
        rows = b''.join(b'\0' + bytes(rgb[i:i + step]) for i in range(0, len(rgb), step))
        head = struct.pack('>IIBBBBB', self.width, self.height, 8, 2, 0, 0, 0)
        path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(rows, 2)) + chunk(b'IEND', b''))


class Program:
    """One of the three programs: a process that is asked on its standard input and answers on its standard output, in lines of JSON.

    It answers a kind of change with the steps of mouse and keyboard that make it (none where it has made it itself),
    or with null where that change is not possible now.
    """

    def __init__(self, name, command, env):
        self.name, self.env = name, env
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if not self.process.stdout.readline():
            raise OSError('it did not start')

    def ask(self, kind, seed=0):
        self.process.stdin.write(json.dumps({'kind': kind, 'seed': seed}) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise OSError('it ended by itself')
        answer = json.loads(line)
        # A page has no other way to say that it failed; the other two end.
        if isinstance(answer, dict):
            raise OSError(answer['error'])
        return answer

    def act(self, steps):
        """Does the steps by one call of xdotool: a process costs more than a click."""
        words = []
        for step, *a in steps:
            a = [str(x) for x in a]
            if step == 'move':
                words += ['mousemove', *a]
            elif step == 'click':
                words += ['mousemove', *a, 'click', '1']
            elif step == 'right':
                words += ['mousemove', *a, 'click', '3']
            elif step == 'wheel':
                words += ['mousemove', *a[:2], 'sleep', '0.05', 'click', a[2]]
            elif step == 'drag':
                # By way of a point before the end: a window manager takes the first movement as the start only.
                half = [str((int(a[0]) + int(a[2])) // 2), str((int(a[1]) + int(a[3])) // 2)]
                words += ['mousemove', *a[:2], 'mousedown', '1', 'sleep', '0.05', 'mousemove', *half, 'sleep', '0.1', 'mousemove', *a[2:], 'sleep', '0.1', 'mouseup', '1']
            elif step == 'keys':
                words += ['key', '--delay', '25', *a]
            elif step == 'wait':
                words += ['sleep', *a]
            elif step == 'type':
                # It takes all that follows, so it is always the last.
                words += ['type', '--delay', '25', *a]
        if words:
            subprocess.run(['xdotool', *words], env=self.env, check=True)

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def python_with(module):
    """The Python that has a module which distributions give to their own one only."""
    for python in (sys.executable, '/usr/bin/python3'):
        if subprocess.run([python, '-c', 'import ' + module], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    sys.exit('no Python with the module ' + module)


def commands():
    found = {'tk': [python_with('tkinter'), HERE / 'order_tk.py'], 'gtk': [python_with('gi'), HERE / 'order_gtk.py']}
    chromium = os.environ.get('CHROMIUM') or shutil.which('chromium')
    if chromium:
        found['html'] = [sys.executable, HERE / 'order_html.py', chromium]
    else:
        print('no Chromium (CHROMIUM is not set, no chromium in PATH): html is left out, the others share its changes', file=sys.stderr)
    return found


class Recorder:
    def __init__(self, out, screen, rng):
        self.out, self.screen, self.rng = out, screen, rng
        self.last, self.n = None, 0
        self.kinds = collections.Counter()
        self.log = open(out / 'changes.jsonl', 'w', encoding='utf-8')

    def keep(self, kind, app):
        """Saves the picture unless it is the one before."""
        picture = self.screen.settled(self.last)
        if picture == self.last:
            return False
        self.screen.save(picture, self.out / ('%03d.png' % self.n))
        print(json.dumps({'n': self.n, 'kind': kind, 'app': app}), file=self.log, flush=True)
        self.kinds[kind] += 1
        self.last = picture
        self.n += 1
        return True

    def work(self, program, until):
        # Windows come up one after the other; rest is not asked for before they have.
        time.sleep(1.5)
        self.keep('start', program.name)
        over, misses = program.ask('over') or '', 0
        while self.n < until:
            kinds = KINDS[over]
            kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
            steps = program.ask(kind, self.rng.randrange(1 << 30))
            if steps is None:
                continue
            program.act(steps)
            # The answer comes after what the steps have put into the program's queue.
            over = program.ask('over') or ''
            if self.keep(kind, program.name):
                misses = 0
                continue
            # On a busy machine it may show, or open, only now.
            over = program.ask('over') or ''
            if self.screen.picture() != self.last and self.keep(kind, program.name):
                continue
            print('%s: %s changed nothing' % (program.name, kind), file=sys.stderr)
            misses += 1
            if misses > 50:
                raise OSError('nothing changes any more (open: %s)' % (over or 'nothing'))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=Path)
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if any(args.out.iterdir()):
        sys.exit('%s is not empty' % args.out)
    # Ended from outside, the display and the programs end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home) / 'gtk-3.0' / 'settings.ini'
        settings.parent.mkdir()
        settings.write_text('[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\n')
        rd, wr = os.pipe()
        server = subprocess.Popen(['Xvfb', '-displayfd', str(wr), '-screen', '0', SIZE + 'x24', '-fbdir', home, '-nocursor', '-noreset', '-nolisten', 'tcp'],
                                  pass_fds=[wr], stderr=subprocess.DEVNULL)
        os.close(wr)
        running, manager = None, None
        try:
            with os.fdopen(rd) as number:
                display = ':' + number.readline().strip()
            env = dict(os.environ, DISPLAY=display, HOME=home, XDG_CONFIG_HOME=home, NO_AT_BRIDGE='1', GTK_OVERLAY_SCROLLING='0', GTK_IM_MODULE='gtk-im-context-simple')
            manager = subprocess.Popen(['openbox'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            recorder = Recorder(args.out, Screen(home), random.Random(args.seed))
            left = list(commands().items())
            while left and recorder.n <= args.count:
                name, command = left.pop(0)
                # What one program leaves undone goes to those after it.
                until = recorder.n + (args.count + 1 - recorder.n) // (len(left) + 1)
                try:
                    running = Program(name, command, env)
                    recorder.work(running, until)
                except OSError as error:
                    print('%s: %s after %d pictures; the others share its changes' % (name, error, recorder.n), file=sys.stderr)
                if running:
                    running.end()
                    running = None
        finally:
            if running:
                running.end()
            if manager:
                manager.terminate()
                manager.wait()
            server.terminate()
            server.wait()
    for kind, times in recorder.kinds.most_common():
        print('%4d  %s' % (times, kind))
    print('pictures=%d kinds=%d seconds=%.0f' % (recorder.n, len(recorder.kinds), time.monotonic() - began))
    return 0 if recorder.n == args.count + 1 else 1


if __name__ == '__main__':
    sys.exit(main())
