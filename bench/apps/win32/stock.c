/* A stock-receipt form as old Win32 programs look: a stranger's program for Deskhand to be tried on. It knows nothing
 * of Deskhand. The twin of bench/apps/gtk_stock.py: the same fields, choices, checks and log.
 *
 * usage: stock.exe LOG [--lang en|zh] [--message box|status]
 *
 * Every saved record is appended to LOG as one line of JSON: code, name, quantity, warehouse, unit, inspected, note.
 * --message says where the answer to Save is shown: in a message box, which is the default, or in the status bar.
 */
#define _WIN32_WINNT 0x0600
#include <windows.h>
#include <commctrl.h>
#include <stdio.h>
#include <wchar.h>

enum { CODE, NAME, QUANTITY, WAREHOUSE, UNIT, NOTE, FIELDS };
enum { INSPECTED = FIELDS, SAVE, CLEAR, RECORDS, STATUS, EXIT, CUT, COPY, PASTE, ABOUT, FIRST_ID = 100 };
#define ID(control) (FIRST_ID + (control))
#define WAREHOUSES 3
#define LONGEST 1024

typedef struct {
    const wchar_t *title, *fields[FIELDS], *warehouses[WAREHOUSES], *inspected, *yes, *no, *save, *clear, *ready;
    const wchar_t *cleared, *saved, *empty, *number, *unwritten, *file, *edit, *help, *exit, *cut, *copy, *paste, *about, *version;
} Texts;

static const Texts ENGLISH = {
    .title = L"Stock receipt",
    .fields = { L"Item code", L"Item name", L"Quantity", L"Warehouse", L"Unit", L"Note" },
    .warehouses = { L"Main store", L"East store", L"West store" },
    .inspected = L"Inspected", .yes = L"Yes", .no = L"No",
    .save = L"Save", .clear = L"Clear", .ready = L"Ready", .cleared = L"Form cleared",
    .saved = L"Record saved: %ls (%d in total)",
    .empty = L"%ls is missing, nothing saved",
    .number = L"%ls is not a number, nothing saved",
    .unwritten = L"The log cannot be written, nothing saved",
    .file = L"&File", .edit = L"&Edit", .help = L"&Help",
    .exit = L"E&xit", .cut = L"Cu&t\tCtrl+X", .copy = L"&Copy\tCtrl+C", .paste = L"&Paste\tCtrl+V",
    .about = L"&About", .version = L"Stock receipt 1.0",
};

static const Texts CHINESE = {
    .title = L"入库登记",
    .fields = { L"物料编码", L"物料名称", L"数量", L"仓库", L"单位", L"备注" },
    .warehouses = { L"主仓库", L"东仓库", L"西仓库" },
    .inspected = L"已检验", .yes = L"是", .no = L"否",
    .save = L"保存", .clear = L"清空", .ready = L"就绪", .cleared = L"已清空",
    .saved = L"记录已保存：%ls（共 %d 条）",
    .empty = L"缺少%ls，未保存",
    .number = L"%ls不是数字，未保存",
    .unwritten = L"无法写入日志，未保存",
    .file = L"文件(&F)", .edit = L"编辑(&E)", .help = L"帮助(&H)",
    .exit = L"退出(&X)", .cut = L"剪切(&T)\tCtrl+X", .copy = L"复制(&C)\tCtrl+C", .paste = L"粘贴(&P)\tCtrl+V",
    .about = L"关于(&A)", .version = L"入库登记 1.0",
};

static const Texts *texts = &ENGLISH;
static const wchar_t *log_path;
static BOOL in_box = TRUE;
static HWND window, inputs[FIELDS], last_input;
static HFONT font;
static int count;

static HWND item(int control)
{
    return GetDlgItem(window, ID(control));
}

static void say(const wchar_t *text)
{
    SetWindowTextW(item(STATUS), text);
}

/* The answer to Save. */
static void answer(const wchar_t *text, UINT icon)
{
    say(text);
    if (in_box)
        MessageBoxW(window, text, texts->title, MB_OK | icon);
}

static void clear(void)
{
    for (int field = 0; field < FIELDS; field++)
        if (field != WAREHOUSE)
            SetWindowTextW(inputs[field], L"");
    SendMessageW(inputs[WAREHOUSE], CB_SETCURSEL, (WPARAM)-1, 0);
    SendMessageW(item(INSPECTED), BM_SETCHECK, BST_UNCHECKED, 0);
    SetFocus(inputs[CODE]);
}

static void refuse(const wchar_t *format, int field)
{
    wchar_t text[LONGEST];
    swprintf(text, LONGEST, format, texts->fields[field]);
    answer(text, MB_ICONWARNING);
    SetFocus(inputs[field]);
}

static void write_text(FILE *log, const wchar_t *text)
{
    char bytes[4 * LONGEST];
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, NULL, NULL);
    fputc('"', log);
    for (const unsigned char *c = (unsigned char *)bytes; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', log);
        if (*c < ' ')
            fprintf(log, "\\u%04x", *c);
        else
            fputc(*c, log);
    }
    fputc('"', log);
}

static BOOL append(wchar_t values[FIELDS][LONGEST], BOOL inspected)
{
    static const struct { const char *key; int field; } ORDER[] = {
        { "code", CODE }, { "name", NAME }, { "quantity", QUANTITY }, { "warehouse", WAREHOUSE }, { "unit", UNIT },
        { "inspected", INSPECTED }, { "note", NOTE },
    };
    FILE *log = _wfopen(log_path, L"ab");
    if (!log)
        return FALSE;
    for (int i = 0; i < ARRAYSIZE(ORDER); i++) {
        fprintf(log, "%s\"%s\": ", i ? ", " : "{", ORDER[i].key);
        if (ORDER[i].field == INSPECTED)
            fputs(inspected ? "true" : "false", log);
        else
            write_text(log, values[ORDER[i].field]);
    }
    fputs("}\n", log);
    return fclose(log) == 0;
}

static BOOL is_blank(const wchar_t *text)
{
    return text[wcsspn(text, L" \t\r\n\u3000")] == 0;
}

static BOOL is_number(const wchar_t *text)
{
    wchar_t *end;
    wcstod(text, &end);
    return end != text && is_blank(end);
}

static void add_record(wchar_t values[FIELDS][LONGEST], BOOL inspected)
{
    HWND records = item(RECORDS);
    LVITEMW row = { .mask = LVIF_TEXT, .iItem = count, .pszText = values[0] };
    SendMessageW(records, LVM_INSERTITEMW, 0, (LPARAM)&row);
    for (int column = 1; column <= FIELDS; column++) {
        row.iSubItem = column;
        row.pszText = column < FIELDS ? values[column] : (wchar_t *)(inspected ? texts->yes : texts->no);
        SendMessageW(records, LVM_SETITEMTEXTW, row.iItem, (LPARAM)&row);
    }
    SendMessageW(records, LVM_ENSUREVISIBLE, count, FALSE);
    count++;
}

static void save(void)
{
    static const int NEEDED[] = { CODE, NAME, QUANTITY, WAREHOUSE };
    static wchar_t values[FIELDS][LONGEST];
    wchar_t text[2 * LONGEST];
    BOOL inspected = SendMessageW(item(INSPECTED), BM_GETCHECK, 0, 0) == BST_CHECKED;
    for (int field = 0; field < FIELDS; field++)
        GetWindowTextW(inputs[field], values[field], LONGEST);
    for (int i = 0; i < ARRAYSIZE(NEEDED); i++)
        if (is_blank(values[NEEDED[i]])) {
            refuse(texts->empty, NEEDED[i]);
            return;
        }
    if (!is_number(values[QUANTITY])) {
        refuse(texts->number, QUANTITY);
        return;
    }
    if (!append(values, inspected)) {
        answer(texts->unwritten, MB_ICONERROR);
        return;
    }
    add_record(values, inspected);
    swprintf(text, ARRAYSIZE(text), texts->saved, values[CODE], count);
    answer(text, MB_ICONINFORMATION);
    clear();
}

static HWND add(const wchar_t *class, const wchar_t *text, DWORD style, DWORD edge, int x, int y, int w, int h,
                int control)
{
    HWND made = CreateWindowExW(edge, class, text, WS_CHILD | WS_VISIBLE | style, x, y, w, h, window,
                                (HMENU)(INT_PTR)(control < 0 ? -1 : ID(control)), NULL, NULL);
    SendMessageW(made, WM_SETFONT, (WPARAM)font, TRUE);
    return made;
}

static HMENU menu_bar(void)
{
    HMENU bar = CreateMenu(), file = CreatePopupMenu(), edit = CreatePopupMenu(), help = CreatePopupMenu();
    AppendMenuW(file, MF_STRING, ID(SAVE), texts->save);
    AppendMenuW(file, MF_STRING, ID(CLEAR), texts->clear);
    AppendMenuW(file, MF_SEPARATOR, 0, NULL);
    AppendMenuW(file, MF_STRING, ID(EXIT), texts->exit);
    AppendMenuW(edit, MF_STRING, ID(CUT), texts->cut);
    AppendMenuW(edit, MF_STRING, ID(COPY), texts->copy);
    AppendMenuW(edit, MF_STRING, ID(PASTE), texts->paste);
    AppendMenuW(help, MF_STRING, ID(ABOUT), texts->about);
    AppendMenuW(bar, MF_POPUP, (UINT_PTR)file, texts->file);
    AppendMenuW(bar, MF_POPUP, (UINT_PTR)edit, texts->edit);
    AppendMenuW(bar, MF_POPUP, (UINT_PTR)help, texts->help);
    return bar;
}

/* Two columns of fields, the box and the buttons under them, the saved records below. The order is that of Tab. */
static void build(void)
{
    static const int PLACES[FIELDS][3] = {
        [CODE] = { 16, 16, 190 }, [NAME] = { 16, 48, 190 }, [QUANTITY] = { 16, 80, 190 },
        [WAREHOUSE] = { 324, 16, 190 }, [UNIT] = { 324, 48, 190 }, [NOTE] = { 324, 80, 190 },
    };
    wchar_t label[64];
    for (int field = 0; field < FIELDS; field++) {
        const int *at = PLACES[field];
        swprintf(label, ARRAYSIZE(label), L"%ls:", texts->fields[field]);
        add(L"STATIC", label, SS_LEFT, 0, at[0], at[1] + 3, 84, 18, -1);
        if (field == WAREHOUSE) {
            inputs[field] = add(L"COMBOBOX", L"", WS_TABSTOP | WS_VSCROLL | CBS_DROPDOWNLIST, 0, at[0] + 88, at[1],
                                at[2], 160, field);
            for (int i = 0; i < WAREHOUSES; i++)
                SendMessageW(inputs[field], CB_ADDSTRING, 0, (LPARAM)texts->warehouses[i]);
        } else {
            inputs[field] = add(L"EDIT", L"", WS_TABSTOP | ES_AUTOHSCROLL, WS_EX_CLIENTEDGE, at[0] + 88, at[1], at[2],
                                23, field);
            SendMessageW(inputs[field], EM_SETLIMITTEXT, LONGEST - 1, 0);
        }
    }
    add(L"BUTTON", texts->inspected, WS_TABSTOP | BS_AUTOCHECKBOX, 0, 104, 114, 190, 20, INSPECTED);
    add(L"BUTTON", texts->save, WS_TABSTOP | BS_PUSHBUTTON, 0, 438, 112, 80, 26, SAVE);
    add(L"BUTTON", texts->clear, WS_TABSTOP | BS_PUSHBUTTON, 0, 524, 112, 80, 26, CLEAR);

    HWND records = add(WC_LISTVIEWW, L"", WS_TABSTOP | LVS_REPORT | LVS_SINGLESEL | LVS_SHOWSELALWAYS,
                       WS_EX_CLIENTEDGE, 16, 150, 588, 270, RECORDS);
    SendMessageW(records, LVM_SETEXTENDEDLISTVIEWSTYLE, 0, LVS_EX_FULLROWSELECT | LVS_EX_GRIDLINES);
    for (int column = 0; column <= FIELDS; column++) {
        LVCOLUMNW head = { .mask = LVCF_TEXT | LVCF_WIDTH | LVCF_SUBITEM, .cx = column == NAME ? 120 : 77,
                           .iSubItem = column };
        head.pszText = (wchar_t *)(column < FIELDS ? texts->fields[column] : texts->inspected);
        SendMessageW(records, LVM_INSERTCOLUMNW, column, (LPARAM)&head);
    }
    add(STATUSCLASSNAMEW, texts->ready, SBARS_SIZEGRIP, 0, 0, 0, 0, 0, STATUS);
}

static void command(int id)
{
    switch (id - FIRST_ID) {
    case SAVE:
        save();
        break;
    case CLEAR:
        clear();
        say(texts->cleared);
        break;
    case EXIT:
        DestroyWindow(window);
        break;
    case CUT:
        SendMessageW(GetFocus(), WM_CUT, 0, 0);
        break;
    case COPY:
        SendMessageW(GetFocus(), WM_COPY, 0, 0);
        break;
    case PASTE:
        SendMessageW(GetFocus(), WM_PASTE, 0, 0);
        break;
    case ABOUT:
        MessageBoxW(window, texts->version, texts->title, MB_OK);
        break;
    }
}

static LRESULT CALLBACK on_message(HWND handle, UINT message, WPARAM w, LPARAM l)
{
    switch (message) {
    case WM_COMMAND:
        if (HIWORD(w) <= 1) /* a click, a menu or a key; the rest are what the fields tell */
            command(LOWORD(w));
        return 0;
    case WM_ACTIVATE: /* DefWindowProc forgets which field had the focus */
        if (LOWORD(w) == WA_INACTIVE)
            last_input = GetFocus();
        else if (last_input && !HIWORD(w))
            SetFocus(last_input);
        return 0;
    case WM_SIZE:
        SendMessageW(item(STATUS), WM_SIZE, w, l);
        return 0;
    case WM_DESTROY:
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcW(handle, message, w, l);
}

static BOOL read_arguments(int argc, wchar_t **argv)
{
    for (int i = 1; i < argc; i++) {
        const wchar_t *value = i + 1 < argc ? argv[i + 1] : L"";
        if (!wcscmp(argv[i], L"--lang") && (!wcscmp(value, L"en") || !wcscmp(value, L"zh")))
            texts = *value == 'z' ? &CHINESE : &ENGLISH, i++;
        else if (!wcscmp(argv[i], L"--message") && (!wcscmp(value, L"box") || !wcscmp(value, L"status")))
            in_box = *value == 'b', i++;
        else if (*argv[i] != '-' && !log_path)
            log_path = argv[i];
        else
            return FALSE;
    }
    return log_path != NULL;
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, LPWSTR line, int show)
{
    NONCLIENTMETRICSW metrics = { .cbSize = sizeof metrics };
    INITCOMMONCONTROLSEX classes = { sizeof classes, ICC_LISTVIEW_CLASSES | ICC_BAR_CLASSES };
    RECT client = { 0, 0, 620, 446 };
    const DWORD style = WS_OVERLAPPED | WS_CAPTION | WS_SYSMENU | WS_MINIMIZEBOX;
    MSG message;

    if (!read_arguments(__argc, __wargv)) {
        MessageBoxW(NULL, L"usage: stock.exe LOG [--lang en|zh] [--message box|status]", L"stock", MB_OK);
        return 2;
    }
    InitCommonControlsEx(&classes);
    SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, sizeof metrics, &metrics, 0);
    HDC screen = GetDC(NULL);
    metrics.lfMessageFont.lfHeight = -MulDiv(9, GetDeviceCaps(screen, LOGPIXELSY), 72);
    ReleaseDC(NULL, screen);
    font = CreateFontIndirectW(&metrics.lfMessageFont);

    WNDCLASSW class = { .lpfnWndProc = on_message, .hInstance = instance, .lpszClassName = L"TStockForm" };
    class.hCursor = LoadCursorW(NULL, (LPCWSTR)IDC_ARROW);
    class.hIcon = LoadIconW(NULL, (LPCWSTR)IDI_APPLICATION);
    class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    RegisterClassW(&class);
    AdjustWindowRect(&client, style, TRUE);
    window = CreateWindowW(L"TStockForm", texts->title, style, 60, 60, client.right - client.left,
                           client.bottom - client.top, NULL, menu_bar(), instance, NULL);
    build();
    ShowWindow(window, SW_SHOWNORMAL);
    SetFocus(inputs[CODE]);
    while (GetMessageW(&message, NULL, 0, 0) > 0)
        if (!IsDialogMessageW(window, &message)) {
            TranslateMessage(&message);
            DispatchMessageW(&message);
        }
    return 0;
}
