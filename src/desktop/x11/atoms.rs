//! The atoms (interned names) that the X11 backend speaks, looked up once.

x11rb::atom_manager! {
    /// Names of properties, messages and targets.
    pub Atoms:
    AtomsCookie {
        UTF8_STRING,
        TEXT,
        TARGETS,
        MULTIPLE,
        INCR,
        CLIPBOARD,
        TEXT_PLAIN_UTF8: b"text/plain;charset=utf-8",
        WM_STATE,
        WM_PROTOCOLS,
        WM_TAKE_FOCUS,
        _NET_WM_PING,
        _NET_SUPPORTING_WM_CHECK,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_ACTIVE_WINDOW,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_STATE,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MODAL,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_DESKTOP,
        _NET_WM_WINDOW_TYPE_DOCK,
        _NET_WM_WINDOW_TYPE_DIALOG,
        _NET_WM_WINDOW_TYPE_NOTIFICATION,
        _NET_WM_WINDOW_TYPE_DND,
        _GTK_FRAME_EXTENTS,
        DESKHAND_SELECTION,
        DESKHAND_QUIT,
    }
}
