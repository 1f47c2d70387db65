/* Shows forms of real Win32 controls, one layout file after the other, and writes where everything stands.
 *
 *   widgets_win32.exe FOLDER      polls FOLDER for "layout", shows it, writes "truth"; a layout "Q" ends it
 *
 * Layout and truth: a record a line, fields parted by tabs, UTF-8; widgets_win32.py writes and reads them.
 */
#define _WIN32_WINNT 0x0600
#include <windows.h>
#include <commctrl.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define MOST 2000
static HWND made[MOST], desk;
static HWND tops[64];
static int top_count, dpi = 96;
static HFONT fonts[64];
static HIMAGELIST strips[16];
static HMENU popup;
static HTREEITEM branch[8];
static wchar_t folder[MAX_PATH];
static char *text;
static FILE *out;
static HBITMAP wall;
static COLORREF desk_color, form_color[64];
static HBRUSH form_brush[64];
static int popup_x, popup_y, state, quiet, quit, popup_owner;
static HWND focus, unfold;

static wchar_t *wide(const char *s)
{
    static wchar_t ring[24][2048];
    static int i;
    wchar_t *w = ring[i = (i + 1) % 24];
    if (!MultiByteToWideChar(CP_UTF8, 0, s, -1, w, 2048))
        w[0] = 0;
    for (wchar_t *p = w; *p; p++)
        if (*p == 1)
            *p = '\n';
        else if (*p == 3)
            *p = '\t';
    return w;
}

static void path(wchar_t *to, const wchar_t *name)
{
    swprintf(to, MAX_PATH, L"%ls\\%ls", folder, name);
}

static int form_of(HWND w)
{
    HWND a = GetAncestor(w, GA_ROOT);
    for (int i = 0; i < top_count; i++)
        if (tops[i] == a)
            return i;
    return -1;
}

static LRESULT CALLBACK form(HWND w, UINT m, WPARAM a, LPARAM b)
{
    int i;
    switch (m) {
    case WM_ERASEBKGND:
        if ((i = form_of(w)) >= 0 && form_brush[i]) {
            RECT r;
            GetClientRect(w, &r);
            FillRect((HDC)a, &r, form_brush[i]);
            return 1;
        }
        break;
    case WM_CTLCOLORSTATIC:
    case WM_CTLCOLORBTN: {
        LONG_PTR ink = (LONG_PTR)GetPropW((HWND)b, L"ink");
        wchar_t c[32];
        GetClassNameW((HWND)b, c, 32);
        if (ink)
            SetTextColor((HDC)a, (COLORREF)(ink - 1));
        if (lstrcmpiW(c, L"EDIT") && (i = form_of(w)) >= 0 && form_brush[i]) {
            SetBkColor((HDC)a, form_color[i]);
            if (!ink)
                SetTextColor((HDC)a, GetSysColor(COLOR_BTNTEXT));
            return (LRESULT)form_brush[i];
        }
        if (ink && lstrcmpiW(c, L"EDIT")) {
            SetBkColor((HDC)a, GetSysColor(COLOR_BTNFACE));
            return (LRESULT)GetSysColorBrush(COLOR_BTNFACE);
        }
        break;
    }
    case WM_CLOSE:
        return 0;
    }
    return DefWindowProcW(w, m, a, b);
}

static LRESULT CALLBACK ground(HWND w, UINT m, WPARAM a, LPARAM b)
{
    if (m == WM_ERASEBKGND) {
        RECT r;
        GetClientRect(w, &r);
        HBRUSH c = CreateSolidBrush(desk_color);
        FillRect((HDC)a, &r, c);
        DeleteObject(c);
        if (wall) {
            HDC d = CreateCompatibleDC((HDC)a);
            HGDIOBJ old = SelectObject(d, wall);
            BitBlt((HDC)a, 0, 0, r.right, r.bottom, d, 0, 0, SRCCOPY);
            SelectObject(d, old);
            DeleteDC(d);
        }
        return 1;
    }
    if (m == WM_MOUSEACTIVATE)
        return MA_NOACTIVATE;
    return DefWindowProcW(w, m, a, b);
}

/* -- building --------------------------------------------------------------------------------------------------- */

static char *field[40];
static int fields;

static long num(int i)
{
    return i < fields ? strtol(field[i], NULL, 0) : 0;
}

static wchar_t *str(int i)
{
    return wide(i < fields ? field[i] : "");
}

static void add_tree(HWND w, int level, wchar_t *s, int image, BOOL open, int check, BOOL selected)
{
    TVINSERTSTRUCTW t = { 0 };
    t.hParent = level ? branch[level - 1] : TVI_ROOT;
    t.hInsertAfter = TVI_LAST;
    t.item.mask = TVIF_TEXT | TVIF_IMAGE | TVIF_SELECTEDIMAGE;
    t.item.pszText = s;
    t.item.iImage = t.item.iSelectedImage = image;
    branch[level] = (HTREEITEM)SendMessageW(w, TVM_INSERTITEMW, 0, (LPARAM)&t);
    TVITEMW i = { 0 };
    i.mask = TVIF_STATE | TVIF_HANDLE;
    i.hItem = branch[level];
    if (open) {
        i.stateMask = i.state = TVIS_EXPANDED;
        SendMessageW(w, TVM_SETITEMW, 0, (LPARAM)&i);
    }
    if (check >= 0) {
        i.stateMask = TVIS_STATEIMAGEMASK;
        i.state = INDEXTOSTATEIMAGEMASK(check + 1);
        SendMessageW(w, TVM_SETITEMW, 0, (LPARAM)&i);
    }
    if (selected)
        SendMessageW(w, TVM_SELECTITEM, TVGN_CARET, (LPARAM)branch[level]);
}

static HMENU menu_stack[8];

static void act(HWND w)
{
    char *k = field[2];
    if (!strcmp(k, "lb"))
        SendMessageW(w, LB_ADDSTRING, 0, (LPARAM)str(3));
    else if (!strcmp(k, "cb"))
        SendMessageW(w, CB_ADDSTRING, 0, (LPARAM)str(3));
    else if (!strcmp(k, "send"))
        SendMessageW(w, num(3), num(4), num(5));
    else if (!strcmp(k, "text"))
        SetWindowTextW(w, str(3));
    else if (!strcmp(k, "off"))
        EnableWindow(w, FALSE);
    else if (!strcmp(k, "focus"))
        focus = w;
    else if (!strcmp(k, "unfold"))
        unfold = w;
    else if (!strcmp(k, "ink"))
        SetPropW(w, L"ink", (HANDLE)(LONG_PTR)(num(3) + 1));
    else if (!strcmp(k, "role"))
        SetPropW(w, L"role", (HANDLE)(LONG_PTR)num(3));
    else if (!strcmp(k, "strip")) {
        HIMAGELIST s = strips[num(3)];
        wchar_t c[32];
        GetClassNameW(w, c, 32);
        if (!lstrcmpiW(c, L"SysListView32")) {
            SendMessageW(w, LVM_SETIMAGELIST, LVSIL_SMALL, (LPARAM)s);
            SendMessageW(w, LVM_SETIMAGELIST, LVSIL_NORMAL, (LPARAM)s);
        } else if (!lstrcmpiW(c, L"SysTreeView32"))
            SendMessageW(w, TVM_SETIMAGELIST, TVSIL_NORMAL, (LPARAM)s);
        else if (!lstrcmpiW(c, L"ToolbarWindow32"))
            SendMessageW(w, TB_SETIMAGELIST, 0, (LPARAM)s);
        else if (!lstrcmpiW(c, L"SysTabControl32"))
            SendMessageW(w, TCM_SETIMAGELIST, 0, (LPARAM)s);
        else
            SendMessageW(w, BM_SETIMAGE, IMAGE_ICON, (LPARAM)ImageList_GetIcon(s, num(4), ILD_TRANSPARENT));
    } else if (!strcmp(k, "icon"))
        SendMessageW(w, STM_SETICON, (WPARAM)LoadIconW(NULL, MAKEINTRESOURCEW(num(3))), 0);
    else if (!strcmp(k, "col")) {
        LVCOLUMNW c = { 0 };
        c.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT | LVCF_SUBITEM;
        c.cx = num(3);
        c.fmt = num(4);
        c.pszText = str(5);
        c.iSubItem = 100;
        int n = (int)SendMessageW((HWND)SendMessageW(w, LVM_GETHEADER, 0, 0), HDM_GETITEMCOUNT, 0, 0);
        SendMessageW(w, LVM_INSERTCOLUMNW, n < 0 ? 0 : n, (LPARAM)&c);
    } else if (!strcmp(k, "row")) { /* image, check, selected, texts */
        LVITEMW i = { 0 };
        i.mask = LVIF_TEXT | LVIF_IMAGE;
        i.iItem = 10000;
        i.iImage = num(3);
        i.pszText = str(6);
        int n = (int)SendMessageW(w, LVM_INSERTITEMW, 0, (LPARAM)&i);
        for (int j = 7; j < fields; j++) {
            LVITEMW s = { 0 };
            s.iSubItem = j - 6;
            s.pszText = str(j);
            SendMessageW(w, LVM_SETITEMTEXTW, n, (LPARAM)&s);
        }
        LVITEMW s = { 0 };
        if (num(4) >= 0) {
            s.stateMask = LVIS_STATEIMAGEMASK;
            s.state = INDEXTOSTATEIMAGEMASK(num(4) + 1);
            SendMessageW(w, LVM_SETITEMSTATE, n, (LPARAM)&s);
        }
        if (num(5)) {
            s.stateMask = s.state = LVIS_SELECTED | LVIS_FOCUSED;
            SendMessageW(w, LVM_SETITEMSTATE, n, (LPARAM)&s);
        }
    } else if (!strcmp(k, "leaf")) /* level, image, open, check, selected, text */
        add_tree(w, num(3), str(8), num(4), num(5), num(6), num(7));
    else if (!strcmp(k, "tab")) {
        TCITEMW t = { 0 };
        t.mask = TCIF_TEXT | TCIF_IMAGE;
        t.iImage = num(3);
        t.pszText = str(4);
        SendMessageW(w, TCM_INSERTITEMW, 1000, (LPARAM)&t);
    } else if (!strcmp(k, "tool")) { /* image, state, style, text */
        TBBUTTON b = { 0 };
        b.iBitmap = num(3);
        b.idCommand = 500 + (int)SendMessageW(w, TB_BUTTONCOUNT, 0, 0);
        b.fsState = num(4);
        b.fsStyle = num(5);
        b.iString = fields > 6 && *field[6] ? (INT_PTR)str(6) : -1;
        SendMessageW(w, TB_ADDBUTTONSW, 1, (LPARAM)&b);
    } else if (!strcmp(k, "parts")) {
        int edge[16], n = 0;
        for (int j = 3; j < fields && n < 16; j++)
            edge[n++] = num(j);
        SendMessageW(w, SB_SETPARTS, n, (LPARAM)edge);
    } else if (!strcmp(k, "part"))
        SendMessageW(w, SB_SETTEXTW, num(3), (LPARAM)str(4));
    else if (!strcmp(k, "date")) {
        SYSTEMTIME t = { 0 };
        t.wYear = num(3);
        t.wMonth = num(4);
        t.wDay = num(5);
        t.wHour = num(6);
        t.wMinute = num(7);
        SendMessageW(w, DTM_SETSYSTEMTIME, GDT_VALID, (LPARAM)&t);
        if (fields > 8 && *field[8])
            SendMessageW(w, DTM_SETFORMATW, 0, (LPARAM)str(8));
    } else if (!strcmp(k, "cue"))
        SendMessageW(w, EM_SETCUEBANNER, 1, (LPARAM)str(3));
    else if (!strcmp(k, "buddy"))
        SendMessageW(w, UDM_SETBUDDY, (WPARAM)made[num(3)], 0);
}

static void metrics(void)
{
    NONCLIENTMETRICSW n = { sizeof n };
    n.cbSize = sizeof n - 4;
    if (!SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, n.cbSize, &n, 0)) {
        n.cbSize = sizeof n;
        SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, n.cbSize, &n, 0);
    }
    /* caption height, scroll width, menu height, font, its height, weight, quality, font of menus, its height */
    n.iCaptionHeight = n.iCaptionWidth = num(1);
    n.iScrollWidth = n.iScrollHeight = num(2);
    n.iMenuHeight = n.iMenuWidth = num(3);
    n.iBorderWidth = 1;
    LOGFONTW f = { 0 };
    lstrcpynW(f.lfFaceName, str(4), LF_FACESIZE);
    f.lfHeight = num(5);
    f.lfCharSet = DEFAULT_CHARSET;
    f.lfQuality = num(7);
    f.lfWeight = 400;
    n.lfStatusFont = n.lfMessageFont = f;
    f.lfWeight = num(6);
    n.lfCaptionFont = n.lfSmCaptionFont = f;
    lstrcpynW(f.lfFaceName, str(8), LF_FACESIZE);
    f.lfHeight = num(9);
    f.lfWeight = 400;
    n.lfMenuFont = f;
    SystemParametersInfoW(SPI_SETNONCLIENTMETRICS, n.cbSize, &n, 0);
}

static void clear(void)
{
    focus = unfold = NULL;
    for (int i = top_count; i--;)
        DestroyWindow(tops[i]);
    top_count = 0;
    for (int i = 0; i < MOST; i++)
        made[i] = NULL;
    for (int i = 0; i < 64; i++) {
        if (fonts[i])
            DeleteObject(fonts[i]);
        if (form_brush[i])
            DeleteObject(form_brush[i]);
        fonts[i] = NULL;
        form_brush[i] = NULL;
    }
    for (int i = 0; i < 16; i++) {
        if (strips[i])
            ImageList_Destroy(strips[i]);
        strips[i] = NULL;
    }
    if (wall)
        DeleteObject(wall);
    wall = NULL;
    if (popup)
        DestroyMenu(popup);
    popup = NULL;
}

static void one(void)
{
    switch (field[0][0]) {
    case 'S': /* width, height, colour */
        desk_color = num(3);
        SetWindowPos(desk, HWND_BOTTOM, 0, 0, num(1), num(2), SWP_NOACTIVATE | SWP_SHOWWINDOW);
        InvalidateRect(desk, NULL, TRUE);
        break;
    case 'B':
        wall = LoadImageW(NULL, str(1), IMAGE_BITMAP, 0, 0, LR_LOADFROMFILE | LR_CREATEDIBSECTION);
        InvalidateRect(desk, NULL, TRUE);
        break;
    case 'C': {
        INT which[32];
        COLORREF c[32];
        int n = 0;
        for (int j = 1; j + 1 < fields && n < 32; j += 2) {
            which[n] = num(j);
            c[n++] = num(j + 1);
        }
        SetSysColors(n, which, c);
        break;
    }
    case 'N':
        metrics();
        break;
    case 'F': /* id, name, height, weight, quality, underline */
        fonts[num(1)] = CreateFontW(num(3), 0, 0, 0, num(4), 0, num(6), 0, DEFAULT_CHARSET, 0, 0, num(5), 0, str(2));
        break;
    case 'I': { /* id, size, file */
        HBITMAP b = LoadImageW(NULL, str(3), IMAGE_BITMAP, 0, 0, LR_LOADFROMFILE | LR_CREATEDIBSECTION);
        strips[num(1)] = ImageList_Create(num(2), num(2), ILC_COLOR24 | ILC_MASK, 32, 8);
        ImageList_AddMasked(strips[num(1)], b, RGB(255, 0, 255));
        DeleteObject(b);
        break;
    }
    case 'W': { /* id, style, exstyle, x, y, w, h, title, colour or -1, icon strip or -1, picture */
        HWND w = CreateWindowExW(num(3), L"form", str(8), (DWORD)strtoul(field[2], NULL, 0) & ~WS_VISIBLE, num(4), num(5), num(6), num(7), NULL, NULL, NULL, NULL);
        made[num(1)] = w;
        if (num(9) >= 0) {
            form_color[top_count] = num(9);
            form_brush[top_count] = CreateSolidBrush(num(9));
        }
        if (num(10) >= 0)
            SendMessageW(w, WM_SETICON, ICON_SMALL, (LPARAM)ImageList_GetIcon(strips[num(10)], num(11), ILD_TRANSPARENT));
        tops[top_count++] = w;
        break;
    }
    case 'M': { /* window, then level, flags, text */
        HWND w = made[num(1)];
        int level = num(2);
        if (level == 0) {
            if (!GetMenu(w))
                SetMenu(w, CreateMenu());
            menu_stack[0] = CreatePopupMenu();
            AppendMenuW(menu_stack[0], MF_STRING, 1, L"x");
            AppendMenuW(GetMenu(w), MF_POPUP | num(3), (UINT_PTR)menu_stack[0], str(4));
            SetMenu(w, GetMenu(w)); /* the room for it */
        }
        break;
    }
    case 'P': /* x, y, owner, or: flags, text */
        if (!popup) {
            popup = CreatePopupMenu();
            popup_x = num(1);
            popup_y = num(2);
            popup_owner = num(3);
        } else if (num(1) & MF_POPUP) {
            AppendMenuW(popup, num(1), (UINT_PTR)CreatePopupMenu(), str(2));
        } else
            AppendMenuW(popup, num(1), 900 + GetMenuItemCount(popup), str(2));
        break;
    case 'K': { /* id, parent, class, style, exstyle, x, y, w, h, font, text */
        HWND p = made[num(2)];
        HWND w = CreateWindowExW(strtoul(field[5], NULL, 0), str(3), str(11), WS_CHILD | WS_VISIBLE | strtoul(field[4], NULL, 0), num(6), num(7), num(8), num(9), p, (HMENU)(INT_PTR)num(1), NULL, NULL);
        made[num(1)] = w;
        if (w && num(10) >= 0)
            SendMessageW(w, WM_SETFONT, (WPARAM)fonts[num(10)], FALSE);
        if (w && !strcmp(field[3], "ToolbarWindow32"))
            SendMessageW(w, TB_BUTTONSTRUCTSIZE, sizeof(TBBUTTON), 0);
        break;
    }
    case 'A':
        if (made[num(1)])
            act(made[num(1)]);
        break;
    case 'T': /* all is there: show, from the back to the front */
        for (int i = 0; i < top_count; i++) {
            ShowWindow(tops[i], SW_SHOWNORMAL);
            SetWindowPos(tops[i], HWND_TOP, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE);
            UpdateWindow(tops[i]);
        }
        if (top_count) {
            SetForegroundWindow(tops[top_count - 1]);
            SetActiveWindow(tops[top_count - 1]);
            SetFocus(focus && GetAncestor(focus, GA_ROOT) == tops[top_count - 1] ? focus : tops[top_count - 1]);
        }
        if (unfold)
            SendMessageW(unfold, CB_SHOWDROPDOWN, TRUE, 0);
        break;
    case 'Q':
        quit = 1;
        break;
    }
}

/* -- truth ------------------------------------------------------------------------------------------------------ */

static RECT limit; /* what the parents leave */
static int layer;
static HWND of;

static void put(const char *role, RECT r, const char *more)
{
    RECT q;
    if (!IntersectRect(&q, &r, &limit))
        return;
    fprintf(out, "E\t%d\t%s\t%ld\t%ld\t%ld\t%ld\t%ld\t%d\t%s\n", layer, role, q.left, q.top, q.right, q.bottom, (r.right - r.left) * (r.bottom - r.top), of ? IsWindowEnabled(of) : 1, more);
}

static RECT on_screen(HWND w, RECT r)
{
    MapWindowPoints(w, NULL, (POINT *)&r, 2);
    return r;
}

static SIZE extent(HWND w, const wchar_t *s, HFONT f)
{
    SIZE z = { 0, 0 };
    RECT r = { 0, 0, 0, 0 };
    HDC d = GetDC(w);
    HGDIOBJ old = SelectObject(d, f ? f : (HFONT)SendMessageW(w, WM_GETFONT, 0, 0));
    DrawTextW(d, s, -1, &r, DT_CALCRECT | DT_SINGLELINE);
    SelectObject(d, old);
    ReleaseDC(w, d);
    z.cx = r.right;
    z.cy = r.bottom;
    return z;
}

static void put_text(RECT r, const wchar_t *s)
{
    if (*s)
        put("text", r, "");
}

static void button(HWND w, RECT r)
{
    DWORD style = GetWindowLongW(w, GWL_STYLE), kind = style & BS_TYPEMASK;
    wchar_t s[512];
    GetWindowTextW(w, s, 512);
    SIZE z = extent(w, s, NULL);
    BOOL tick = kind == BS_CHECKBOX || kind == BS_AUTOCHECKBOX || kind == BS_3STATE || kind == BS_AUTO3STATE;
    BOOL dot = kind == BS_RADIOBUTTON || kind == BS_AUTORADIOBUTTON;
    if (kind == BS_GROUPBOX) {
        put_text((RECT){ r.left + 8, r.top, r.left + 10 + z.cx, r.top + z.cy }, s);
    } else if ((tick || dot) && !(style & BS_PUSHLIKE)) {
        int n = MulDiv(12, dpi, 96) + 1, mid = (r.top + r.bottom) / 2;
        LRESULT on = SendMessageW(w, BM_GETCHECK, 0, 0);
        RECT q = { r.left, mid - n / 2, r.left + n, mid - n / 2 + n };
        if (style & BS_LEFTTEXT) {
            q.left = r.right - n;
            q.right = r.right;
        }
        char more[32];
        sprintf(more, "c%d", on == BST_CHECKED);
        put(tick ? "checkbox" : "radio", q, more);
        HDC d = GetDC(w);
        int c = 8;
        HGDIOBJ old = SelectObject(d, (HFONT)SendMessageW(w, WM_GETFONT, 0, 0));
        GetCharWidthW(d, '0', '0', &c);
        SelectObject(d, old);
        ReleaseDC(w, d);
        int x = style & BS_LEFTTEXT ? r.left : q.right + c / 2;
        put_text((RECT){ x, mid - z.cy / 2, min(x + z.cx, style & BS_LEFTTEXT ? q.left : r.right), mid - z.cy / 2 + z.cy }, s);
    } else
        put(style & BS_ICON ? "icon" : "button", r, "");
}

/* The stretch of a row that a hit test calls by one of these flags. */
static BOOL stretch(HWND w, UINT message, int from, int to, int y, UINT flag, int *x0, int *x1)
{
    BOOL any = FALSE;
    for (int x = from; x < to; x++) {
        LVHITTESTINFO h = { 0 };
        h.pt.x = x;
        h.pt.y = y;
        SendMessageW(w, message, 0, (LPARAM)&h);
        if (h.flags & flag && (h.flags & ~flag) == 0) {
            if (!any)
                *x0 = x;
            *x1 = x + 1;
            any = TRUE;
        } else if (any)
            break;
    }
    return any;
}

static void list_view(HWND w)
{
    RECT client, was = limit;
    GetClientRect(w, &client);
    RECT inside = on_screen(w, client);
    if (!IntersectRect(&limit, &limit, &inside)) {
        limit = was;
        return;
    }
    DWORD view = GetWindowLongW(w, GWL_STYLE) & LVS_TYPEMASK;
    HWND head = (HWND)SendMessageW(w, LVM_GETHEADER, 0, 0);
    int n = (int)SendMessageW(w, LVM_GETITEMCOUNT, 0, 0), cols = head ? (int)SendMessageW(head, HDM_GETITEMCOUNT, 0, 0) : 0, top = 0;
    BOOL boxes = SendMessageW(w, LVM_GETEXTENDEDLISTVIEWSTYLE, 0, 0) & LVS_EX_CHECKBOXES;
    if (view == LVS_REPORT && head && IsWindowVisible(head))
        for (int j = 0; j < cols; j++) {
            RECT q;
            SendMessageW(head, HDM_GETITEMRECT, j, (LPARAM)&q);
            top = q.bottom;
            put("cell", on_screen(head, q), "");
        }
    RECT all = limit;
    limit.top = max(limit.top, inside.top + top);
    for (int i = 0; i < n; i++) {
        RECT q = { LVIR_BOUNDS };
        if (view == LVS_REPORT) {
            for (int j = 0; j < cols; j++) {
                RECT c = { LVIR_BOUNDS, j };
                c.left = LVIR_BOUNDS;
                c.top = j;
                SendMessageW(w, LVM_GETSUBITEMRECT, i, (LPARAM)&c);
                if (j == 0) {
                    RECT h;
                    SendMessageW(head, HDM_GETITEMRECT, 0, (LPARAM)&h);
                    c.right = c.left + h.right - h.left;
                }
                put("cell", on_screen(w, c), "");
                q = c;
            }
        } else {
            q.left = view == LVS_ICON ? LVIR_SELECTBOUNDS : LVIR_BOUNDS;
            SendMessageW(w, LVM_GETITEMRECT, i, (LPARAM)&q);
            put("listitem", on_screen(w, q), "");
        }
        int x0, x1;
        if (boxes && view != LVS_ICON && stretch(w, LVM_HITTEST, 0, client.right, (q.top + q.bottom) / 2, LVHT_ONITEMSTATEICON, &x0, &x1)) {
            char more[32];
            sprintf(more, "s%d", (int)(SendMessageW(w, LVM_GETITEMSTATE, i, LVIS_STATEIMAGEMASK) >> 12) == 2);
            put("checkbox", on_screen(w, (RECT){ x0, q.top, x1, q.bottom }), more);
        }
    }
    limit = all;
    limit = was;
}

static void tree(HWND w)
{
    RECT client, was = limit;
    GetClientRect(w, &client);
    RECT inside = on_screen(w, client);
    if (!IntersectRect(&limit, &limit, &inside)) {
        limit = was;
        return;
    }
    BOOL boxes = GetWindowLongW(w, GWL_STYLE) & TVS_CHECKBOXES;
    for (HTREEITEM i = (HTREEITEM)SendMessageW(w, TVM_GETNEXTITEM, TVGN_ROOT, 0); i; i = (HTREEITEM)SendMessageW(w, TVM_GETNEXTITEM, TVGN_NEXTVISIBLE, (LPARAM)i)) {
        RECT q;
        *(HTREEITEM *)&q = i;
        if (!SendMessageW(w, TVM_GETITEMRECT, TRUE, (LPARAM)&q))
            continue;
        int x0, x1, mid = (q.top + q.bottom) / 2;
        if (boxes && stretch(w, TVM_HITTEST, 0, client.right, mid, TVHT_ONITEMSTATEICON, &x0, &x1)) {
            TVITEMW t = { 0 };
            t.mask = TVIF_STATE | TVIF_HANDLE;
            t.hItem = i;
            t.stateMask = TVIS_STATEIMAGEMASK;
            SendMessageW(w, TVM_GETITEMW, 0, (LPARAM)&t);
            char more[32];
            sprintf(more, "s%d", (t.state & TVIS_STATEIMAGEMASK) >> 12 == 2);
            put("checkbox", on_screen(w, (RECT){ x0, q.top, x1, q.bottom }), more);
        }
        if (stretch(w, TVM_HITTEST, 0, client.right, mid, TVHT_ONITEMICON, &x0, &x1))
            q.left = x0;
        put("listitem", on_screen(w, q), "");
    }
    limit = was;
}

static void list_box(HWND w)
{
    RECT client, was = limit;
    GetClientRect(w, &client);
    RECT inside = on_screen(w, client);
    int n = (int)SendMessageW(w, LB_GETCOUNT, 0, 0);
    if (IntersectRect(&limit, &limit, &inside))
        for (int i = (int)SendMessageW(w, LB_GETTOPINDEX, 0, 0); i < n; i++) {
            RECT q;
            SendMessageW(w, LB_GETITEMRECT, i, (LPARAM)&q);
            if (q.top >= client.bottom && !(GetWindowLongW(w, GWL_STYLE) & LBS_MULTICOLUMN))
                break;
            put("listitem", on_screen(w, q), "");
        }
    limit = was;
}

static void control(HWND w);

static void children(HWND w)
{
    for (HWND c = GetWindow(w, GW_CHILD); c; c = GetWindow(c, GW_HWNDNEXT))
        if (IsWindowVisible(c))
            control(c);
}

static void control(HWND w)
{
    wchar_t c[64], s[2048];
    RECT r, was = limit, client;
    of = w;
    GetClassNameW(w, c, 64);
    GetWindowTextW(w, s, 2048);
    GetWindowRect(w, &r);
    GetClientRect(w, &client);
    HWND f = GetFocus();
    const char *focused = f == w || (f && GetParent(f) == w) ? "f" : "";
    DWORD style = GetWindowLongW(w, GWL_STYLE);
    if (!lstrcmpiW(c, L"Button"))
        button(w, r);
    else if (!lstrcmpiW(c, L"Edit") || !wcsnicmp(c, L"RichEdit", 8) || !lstrcmpiW(c, L"SysIPAddress32") || !lstrcmpiW(c, L"msctls_hotkey32")) {
        HWND u = (HWND)GetPropW(w, L"updown");
        for (HWND n = GetWindow(GetParent(w), GW_CHILD); n; n = GetWindow(n, GW_HWNDNEXT)) {
            wchar_t k[64];
            GetClassNameW(n, k, 64);
            if (!lstrcmpiW(k, L"msctls_updown32") && (HWND)SendMessageW(n, UDM_GETBUDDY, 0, 0) == w)
                u = n;
        }
        if (u) {
            RECT q, all;
            GetWindowRect(u, &q);
            UnionRect(&all, &q, &r);
            r = all;
        }
        put("textbox", r, focused);
    } else if (!lstrcmpiW(c, L"ComboBox")) {
        COMBOBOXINFO i = { sizeof i };
        GetComboBoxInfo(w, &i);
        if ((style & 3) == CBS_SIMPLE) {
            RECT q;
            GetWindowRect(i.hwndItem, &q);
            InflateRect(&q, 3, 3);
            IntersectRect(&q, &q, &r);
            put("textbox", q, focused);
            list_box(i.hwndList);
        } else
            put("combobox", r, focused);
    } else if (!lstrcmpiW(c, L"ListBox"))
        list_box(w);
    else if (!lstrcmpiW(c, L"SysListView32"))
        list_view(w);
    else if (!lstrcmpiW(c, L"SysTreeView32"))
        tree(w);
    else if (!lstrcmpiW(c, L"SysTabControl32")) {
        int n = (int)SendMessageW(w, TCM_GETITEMCOUNT, 0, 0), on = (int)SendMessageW(w, TCM_GETCURSEL, 0, 0);
        RECT inside = on_screen(w, client);
        IntersectRect(&limit, &limit, &inside);
        for (HWND u = GetWindow(w, GW_CHILD); u; u = GetWindow(u, GW_HWNDNEXT)) { /* the arrows when there are too many */
            wchar_t k[64];
            RECT q;
            GetClassNameW(u, k, 64);
            GetWindowRect(u, &q);
            if (!lstrcmpiW(k, L"msctls_updown32") && IsWindowVisible(u))
                limit.right = min(limit.right, q.left);
        }
        for (int i = 0; i < n; i++) {
            RECT q;
            SendMessageW(w, TCM_GETITEMRECT, i, (LPARAM)&q);
            if (i == on && !(style & TCS_BUTTONS))
                InflateRect(&q, 2, 2);
            put("tab", on_screen(w, q), "");
        }
        limit = was;
        children(w);
    } else if (!lstrcmpiW(c, L"msctls_trackbar32")) {
        RECT a, b;
        SendMessageW(w, TBM_GETCHANNELRECT, 0, (LPARAM)&a);
        SendMessageW(w, TBM_GETTHUMBRECT, 0, (LPARAM)&b);
        if (style & TBS_VERT)
            a = (RECT){ b.left, a.left, b.right, a.right };
        else
            a = (RECT){ a.left, b.top, a.right, b.bottom };
        UnionRect(&a, &a, &b);
        a = on_screen(w, a);
        IntersectRect(&a, &a, &r);
        put("slider", a, "");
    } else if (!lstrcmpiW(c, L"SysDateTimePick32"))
        put(style & DTS_UPDOWN ? "textbox" : "combobox", r, focused);
    else if (!lstrcmpiW(c, L"ToolbarWindow32")) {
        int n = (int)SendMessageW(w, TB_BUTTONCOUNT, 0, 0);
        for (int i = 0; i < n; i++) {
            TBBUTTON b;
            RECT q;
            SendMessageW(w, TB_GETBUTTON, i, (LPARAM)&b);
            if (b.fsStyle & BTNS_SEP || !SendMessageW(w, TB_GETITEMRECT, i, (LPARAM)&q))
                continue;
            of = NULL;
            put(b.iString != -1 ? "button" : "icon", on_screen(w, q), b.fsState & TBSTATE_ENABLED ? "" : "d");
        }
        children(w);
    } else if (!lstrcmpiW(c, L"msctls_statusbar32")) {
        int edge[16], n = (int)SendMessageW(w, SB_GETPARTS, 16, (LPARAM)edge);
        for (int i = 0; i < n; i++) {
            RECT q;
            wchar_t t[1024] = L"";
            SendMessageW(w, SB_GETRECT, i, (LPARAM)&q);
            SendMessageW(w, SB_GETTEXTW, i, (LPARAM)t);
            SIZE z = extent(w, t, NULL);
            int mid = (q.top + q.bottom) / 2, x = q.left + 3;
            q = on_screen(w, (RECT){ x, mid - z.cy / 2, min(x + z.cx, q.right - 1), mid - z.cy / 2 + z.cy });
            put_text(q, t);
        }
    } else if (!lstrcmpiW(c, L"SysLink")) {
        wchar_t *a = wcschr(s, '>'), *b = a ? wcsstr(a, L"</a>") : NULL;
        if (b) {
            *b = 0;
            SIZE z = extent(w, a + 1, NULL);
            put("link", (RECT){ r.left, r.top, r.left + z.cx, r.top + z.cy }, "");
        }
    } else if (!lstrcmpiW(c, L"Static")) {
        if ((style & SS_TYPEMASK) == SS_ICON)
            put("image", r, "");
        else if ((style & SS_TYPEMASK) <= SS_RIGHT || (style & SS_TYPEMASK) == SS_LEFTNOWORDWRAP) {
            LONG_PTR role = (LONG_PTR)GetPropW(w, L"role");
            RECT q = on_screen(w, client);
            /* Each line is a text of its own. */
            HDC d = GetDC(w);
            HGDIOBJ old = SelectObject(d, (HFONT)SendMessageW(w, WM_GETFONT, 0, 0));
            TEXTMETRICW m;
            GetTextMetricsW(d, &m);
            int y = q.top, width = q.right - q.left;
            RECT all = { 0, 0, width, 0 };
            DrawTextW(d, s, -1, &all, DT_CALCRECT | ((style & SS_TYPEMASK) == SS_LEFTNOWORDWRAP || style & SS_CENTERIMAGE ? 0 : DT_WORDBREAK) | DT_EXPANDTABS);
            int lines = max(1, all.bottom / max(1, m.tmHeight));
            if (style & SS_CENTERIMAGE)
                y += (q.bottom - q.top - m.tmHeight) / 2;
            int wide_one = min(all.right, width);
            for (int i = 0; i < lines && *s; i++) {
                /* The last line is only as long as what is left of the words; the others are taken whole. */
                int x = (style & SS_TYPEMASK) == SS_RIGHT ? q.right - wide_one : (style & SS_TYPEMASK) == SS_CENTER ? q.left + (width - wide_one) / 2 : q.left;
                put(role ? "link" : "text", (RECT){ x, y, x + wide_one, y + m.tmHeight }, lines > 1 ? "m" : "");
                y += m.tmHeight;
            }
            SelectObject(d, old);
            ReleaseDC(w, d);
        }
    } else {
        IntersectRect(&limit, &limit, &r);
        children(w);
    }
    limit = was;
}

static void caption(HWND w, RECT r)
{
    wchar_t s[512];
    DWORD style = GetWindowLongW(w, GWL_STYLE), ex = GetWindowLongW(w, GWL_EXSTYLE);
    if ((style & WS_CAPTION) != WS_CAPTION)
        return;
    GetWindowTextW(w, s, 512);
    RECT in = r, client;
    GetClientRect(w, &client);
    POINT o = { 0, 0 };
    ClientToScreen(w, &o);
    int edge = o.x - r.left - (ex & WS_EX_CLIENTEDGE ? 2 : 0), high = GetSystemMetrics(ex & WS_EX_TOOLWINDOW ? SM_CYSMCAPTION : SM_CYCAPTION) - 1;
    in.left += edge;
    in.right -= edge;
    in.top += edge;
    in.bottom = in.top + high;
    /* Slots of the buttons, by hit test. */
    int y = (in.top + in.bottom) / 2, from = 0, last = 0, first = in.right;
    for (int x = in.left; x <= in.right + 1; x++) {
        int h = x > in.right ? 0 : (int)SendMessageW(w, WM_NCHITTEST, 0, MAKELPARAM(x, y));
        if (h != HTCLOSE && h != HTMINBUTTON && h != HTMAXBUTTON && h != HTHELP)
            h = 0;
        if (h != last) {
            if (last) {
                char more[16];
                sprintf(more, "b%d", last);
                put("icon", (RECT){ from, in.top, x, in.bottom }, more);
                first = min(first, from);
            }
            from = x;
            last = h;
        }
    }
    NONCLIENTMETRICSW n = { sizeof n };
    n.cbSize = sizeof n - 4;
    SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, n.cbSize, &n, 0);
    HFONT f = CreateFontIndirectW(ex & WS_EX_TOOLWINDOW ? &n.lfSmCaptionFont : &n.lfCaptionFont);
    SIZE z = extent(w, s, f);
    DeleteObject(f);
    int x = in.left + 2;
    BOOL pic = style & WS_SYSMENU && !(ex & (WS_EX_TOOLWINDOW | WS_EX_DLGMODALFRAME)) ;
    if (pic)
        x = in.left + GetSystemMetrics(SM_CXSMICON) + 4;
    put_text((RECT){ x, y - z.cy / 2, min(x + z.cx, first - 2), y - z.cy / 2 + z.cy }, s);
    if (pic)
        put("icon", (RECT){ in.left + 2, y - GetSystemMetrics(SM_CYSMICON) / 2, in.left + 2 + GetSystemMetrics(SM_CXSMICON), y - GetSystemMetrics(SM_CYSMICON) / 2 + GetSystemMetrics(SM_CYSMICON) }, "s");
}

static void whole(HWND w)
{
    RECT r;
    GetWindowRect(w, &r);
    limit = r;
    of = NULL;
    fprintf(out, "L\t%d\t%ld\t%ld\t%ld\t%ld\n", layer, r.left, r.top, r.right, r.bottom);
    put("window", r, "");
    caption(w, r);
    HMENU m = GetMenu(w);
    for (int i = 0; m && i < GetMenuItemCount(m); i++) {
        RECT q;
        if (GetMenuItemRect(w, m, i, &q))
            put("menuitem", q, GetMenuState(m, i, MF_BYPOSITION) & (MF_GRAYED | MF_DISABLED) ? "d" : "");
    }
    RECT client;
    GetClientRect(w, &client);
    client = on_screen(w, client);
    IntersectRect(&limit, &limit, &client);
    children(w);
}

static BOOL CALLBACK find_menu(HWND w, LPARAM to)
{
    wchar_t c[32];
    GetClassNameW(w, c, 32);
    if (!lstrcmpW(c, L"#32768") && IsWindowVisible(w))
        *(HWND *)to = w;
    return TRUE;
}

static void truth(void)
{
    wchar_t a[MAX_PATH], b[MAX_PATH];
    path(a, L"truth.part");
    path(b, L"truth");
    out = _wfopen(a, L"wb");
    if (!out)
        return;
    layer = 0;
    for (HWND w = GetWindow(desk, GW_HWNDLAST); w; w = GetWindow(w, GW_HWNDPREV)) /* from the back to the front */
        for (int i = 0; i < top_count; i++)
            if (tops[i] == w) {
                whole(w);
                layer++;
            }
    if (unfold) {
        COMBOBOXINFO i = { sizeof i };
        GetComboBoxInfo(unfold, &i);
        RECT r;
        if (IsWindowVisible(i.hwndList)) {
            GetWindowRect(i.hwndList, &r);
            limit = r;
            fprintf(out, "L\t%d\t%ld\t%ld\t%ld\t%ld\n", layer, r.left, r.top, r.right, r.bottom);
            of = NULL;
            list_box(i.hwndList);
            layer++;
        }
    }
    if (popup) {
        HWND p = NULL;
        EnumWindows(find_menu, (LPARAM)&p);
        RECT r;
        if (p) {
            GetWindowRect(p, &r);
            limit = r;
            of = NULL;
            fprintf(out, "L\t%d\t%ld\t%ld\t%ld\t%ld\n", layer, r.left, r.top, r.right, r.bottom);
            for (int i = 0; i < GetMenuItemCount(popup); i++) {
                RECT q;
                UINT s = GetMenuState(popup, i, MF_BYPOSITION);
                if (!(s & MF_SEPARATOR && !(s & MF_POPUP)) && GetMenuItemRect(NULL, popup, i, &q))
                    put("menuitem", q, s & MF_GRAYED ? "d" : "");
            }
        }
    }
    fclose(out);
    MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING);
}

/* -- the loop: a timer, since a menu that is open has a loop of its own ------------------------------------------ */

static void read_layout(void)
{
    wchar_t a[MAX_PATH];
    path(a, L"layout");
    FILE *f = _wfopen(a, L"rb");
    if (!f)
        return;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    free(text);
    text = malloc(n + 1);
    text[fread(text, 1, n, f)] = 0;
    fclose(f);
    _wremove(a);
    clear();
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = 0;
        fields = 0;
        for (char *p = line; p && fields < 40;) {
            field[fields++] = p;
            if ((p = strchr(p, '\t')))
                *p++ = 0;
        }
        if (fields && *field[0])
            one();
        line = end ? end + 1 : NULL;
    }
    quiet = 0;
    state = 1;
}

/* A menu or a list that has closed by itself is told of: then the truth does not hold. */
static void still_open(void)
{
    wchar_t a[MAX_PATH];
    HWND p = NULL;
    COMBOBOXINFO i = { sizeof i };
    if (popup)
        EnumWindows(find_menu, (LPARAM)&p);
    if (unfold)
        GetComboBoxInfo(unfold, &i);
    if ((popup && !p) || (unfold && !IsWindowVisible(i.hwndList))) {
        path(a, L"gone");
        FILE *f = _wfopen(a, L"wb");
        if (f)
            fclose(f);
    }
}

static void CALLBACK tick(HWND w, UINT m, UINT_PTR id, DWORD now)
{
    static BOOL busy;
    wchar_t a[MAX_PATH];
    path(a, L"layout");
    if (state == 1 && ++quiet >= 8) {
        if (popup && !busy) {
            quiet = 0;
            busy = TRUE;
            TrackPopupMenu(popup, TPM_LEFTALIGN, popup_x, popup_y, 0, made[popup_owner] ? made[popup_owner] : desk, NULL);
            busy = FALSE;
            if (state == 1) { /* closed at once */
                state = 2;
                truth();
            }
            return;
        }
        state = 2;
        truth();
    }
    if (state == 2)
        still_open();
    if (state != 1 && GetFileAttributesW(a) != INVALID_FILE_ATTRIBUTES) {
        if (popup && busy) { /* first out of the menu's loop */
            EndMenu();
            return;
        }
        read_layout();
        if (quit) {
            PostQuitMessage(0);
            return;
        }
    }
}

int WINAPI wWinMain(HINSTANCE h, HINSTANCE before, PWSTR line, int show)
{
    INITCOMMONCONTROLSEX i = { sizeof i, 0xffff };
    lstrcpynW(folder, line, MAX_PATH);
    HDC d = GetDC(NULL);
    dpi = GetDeviceCaps(d, LOGPIXELSX);
    ReleaseDC(NULL, d);
    InitCommonControlsEx(&i);
    LoadLibraryW(L"riched20.dll");
    WNDCLASSW c = { 0 };
    c.lpfnWndProc = form;
    c.hInstance = h;
    c.hCursor = LoadCursorW(NULL, MAKEINTRESOURCEW(32512));
    c.hIcon = LoadIconW(NULL, MAKEINTRESOURCEW(32512));
    c.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    c.lpszClassName = L"form";
    RegisterClassW(&c);
    c.lpfnWndProc = ground;
    c.lpszClassName = L"ground";
    RegisterClassW(&c);
    desk = CreateWindowExW(WS_EX_NOACTIVATE | WS_EX_TOOLWINDOW, L"ground", L"", WS_POPUP, 0, 0, 800, 600, NULL, NULL, h, NULL);
    SetTimer(NULL, 1, 30, tick);
    MSG m;
    while (GetMessageW(&m, NULL, 0, 0) > 0) {
        TranslateMessage(&m);
        DispatchMessageW(&m);
    }
    return 0;
}
