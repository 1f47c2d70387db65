"""A virtual display of our own, on a number that the server chooses."""
import contextlib
import os
import subprocess


@contextlib.contextmanager
def display(size):
    """Runs Xvfb with one screen of `size` (e.g. '1280x900'); gives its name and ends it afterwards."""
    rd, wr = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(wr), '-screen', '0', size + 'x24', '-noreset', '-nolisten', 'tcp'], pass_fds=[wr], stderr=subprocess.DEVNULL)
    os.close(wr)
    try:
        with os.fdopen(rd) as number:
            yield ':' + number.readline().strip()
    finally:
        server.terminate()
        server.wait()
