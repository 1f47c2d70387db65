/* dwmapi.dll for Wine 8, whose own DwmGetWindowAttribute answers nothing: frames are what GetWindowRect says, no window
 * is cloaked, composition is on as on every Windows since 8, and whatever only changes the looks succeeds.
 * dwmapi.h is left out: it declares these functions as imported. */
#include <windows.h>

#define EXPORT __declspec(dllexport)
#define EXTENDED_FRAME_BOUNDS 9
#define CLOAKED 14

EXPORT HRESULT WINAPI DwmGetWindowAttribute(HWND window, DWORD attribute, void *value, DWORD size)
{
    if (!IsWindow(window))
        return E_HANDLE;
    if (attribute == EXTENDED_FRAME_BOUNDS && value && size >= sizeof(RECT))
        return GetWindowRect(window, value) ? S_OK : E_HANDLE;
    if (attribute == CLOAKED && value && size >= sizeof(DWORD)) {
        *(DWORD *)value = 0;
        return S_OK;
    }
    return E_INVALIDARG;
}

EXPORT HRESULT WINAPI DwmSetWindowAttribute(HWND window, DWORD attribute, const void *value, DWORD size)
{
    return S_OK;
}

EXPORT HRESULT WINAPI DwmIsCompositionEnabled(BOOL *enabled)
{
    if (!enabled)
        return E_INVALIDARG;
    *enabled = TRUE;
    return S_OK;
}

EXPORT HRESULT WINAPI DwmGetColorizationColor(DWORD *colour, BOOL *opaque)
{
    if (!colour || !opaque)
        return E_INVALIDARG;
    *colour = 0xff0078d7;
    *opaque = TRUE;
    return S_OK;
}

EXPORT HRESULT WINAPI DwmEnableComposition(UINT action)
{
    return S_OK;
}

EXPORT HRESULT WINAPI DwmEnableBlurBehindWindow(HWND window, const void *behind)
{
    return S_OK;
}

EXPORT HRESULT WINAPI DwmExtendFrameIntoClientArea(HWND window, const void *margins)
{
    return S_OK;
}

EXPORT HRESULT WINAPI DwmEnableMMCSS(BOOL enable)
{
    return S_OK;
}

EXPORT HRESULT WINAPI DwmInvalidateIconicBitmaps(HWND window)
{
    return S_OK;
}

EXPORT HRESULT WINAPI DwmFlush(void)
{
    return S_OK;
}

/* FALSE: not handled here, the caller goes on with DefWindowProc. */
EXPORT BOOL WINAPI DwmDefWindowProc(HWND window, UINT message, WPARAM w, LPARAM l, LRESULT *result)
{
    return FALSE;
}
