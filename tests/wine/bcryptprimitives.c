/* bcryptprimitives.dll for Wine 8, which has none: without it every Rust program ends with code 53. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); /* RtlGenRandom of advapi32 */

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *data, SIZE_T length)
{
    while (length > 0) {
        ULONG part = length > 0x10000000 ? 0x10000000 : (ULONG)length;
        if (!SystemFunction036(data, part))
            TerminateProcess(GetCurrentProcess(), 70); /* ProcessPrng never fails, and nobody checks it. */
        data += part;
        length -= part;
    }
    return TRUE;
}
