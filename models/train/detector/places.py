"""Where screens, icons and checkpoints lie: outside the tree, in $DETECTOR_ROOT, else in the user's cache."""
import os

ROOT = os.environ.get('DETECTOR_ROOT') or os.path.join(
    os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'deskhand', 'detector')
ICONS = os.environ.get('DETECTOR_ICONS') or os.path.join(ROOT, 'icons', 'node_modules')


def place(name):
    return os.path.join(ROOT, name)
