"""The order page order.html in a Chromium window of its own, for screens.py; needs no driver of browsers.

  order_html.py CHROMIUM

The page fetches what it is asked for from here, and posts its answers; this passes both between the page and standard input and output.
"""
import http.server
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PAGE = Path(__file__).resolve().with_name('order.html')
asks = queue.Queue()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def reply(self, body, kind):
        self.send_response(200)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == '/':
            self.reply(PAGE.read_bytes(), 'text/html; charset=utf-8')
        elif self.path == '/ask':
            self.reply(asks.get().encode(), 'application/json')
        else:
            self.send_error(404)

    def do_POST(self):
        print(self.rfile.read(int(self.headers['Content-Length'])).decode(), flush=True)
        self.reply(b'', 'text/plain')


def main():
    # Only this machine can reach it, on a port that the system chooses.
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [sys.argv[1], '--app=http://127.0.0.1:%d/' % server.server_port, '--user-data-dir=' + profile, '--no-first-run', '--disable-gpu', '--lang=en',
                   '--window-size=960,700', '--window-position=60,40', '--disable-background-networking', '--disable-component-update', '--disable-sync',
                   '--password-store=basic', '--disable-smooth-scrolling', '--test-type', '--disable-features=Translate,OverlayScrollbar']
        # Chromium refuses its sandbox to root; --test-type leaves out the bar that warns of its lack.
        browser = subprocess.Popen(command + (['--no-sandbox'] if os.getuid() == 0 else []), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Ended by itself, the browser is known to be gone by the end of our output.
        threading.Thread(target=lambda: (browser.wait(), os._exit(1)), daemon=True).start()
        for line in sys.stdin:
            asks.put(line)
        browser.terminate()
        # The profile can be removed once nothing writes to it.
        try:
            browser.wait(5)
        except subprocess.TimeoutExpired:
            browser.kill()


if __name__ == '__main__':
    main()
