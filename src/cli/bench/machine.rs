//! What the system tells about this process.

use std::time::Duration;

/// The most memory this process has used, where the system tells.
#[cfg(windows)]
pub(super) fn peak_memory() -> Option<u64> {
    use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
    use windows_sys::Win32::System::Threading::GetCurrentProcess;
    // SAFETY: the structure is plain data, for which zeros are valid, and its size is passed; the handle is our own.
    unsafe {
        let mut counters: PROCESS_MEMORY_COUNTERS = std::mem::zeroed();
        let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
        let known = K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut counters, size) != 0;
        known.then_some(counters.PeakWorkingSetSize as u64)
    }
}

/// The most memory this process has used, where the system tells.
#[cfg(not(windows))]
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// The processor time that this process has used, all threads together.
#[cfg(not(windows))]
pub(super) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The processor time that this process has used, all threads together; zero when the system does not tell.
#[cfg(windows)]
pub(super) fn cpu_time() -> Duration {
    use windows_sys::Win32::Foundation::FILETIME;
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};
    let zero = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let [mut created, mut ended, mut kernel, mut user] = [zero; 4];
    // SAFETY: four valid places to write to; the handle is our own.
    let known = unsafe {
        GetProcessTimes(GetCurrentProcess(), &raw mut created, &raw mut ended, &raw mut kernel, &raw mut user) != 0
    };
    let hundred_nanoseconds = |t: FILETIME| u64::from(t.dwHighDateTime) << 32 | u64::from(t.dwLowDateTime);
    let used = hundred_nanoseconds(kernel) + hundred_nanoseconds(user);
    if known { Duration::from_nanos(100 * used) } else { Duration::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_and_memory_of_this_process_are_known_and_grow() {
        let before = cpu_time();
        let numbers: Vec<u64> = (0..3_000_000).map(|n: u64| n.wrapping_mul(n) ^ (n >> 3)).collect();
        assert!(numbers.iter().fold(0, |a: u64, b| a ^ b) != 1);
        assert!(cpu_time() > before || cfg!(windows), "Windows counts in steps of 15 ms");
        assert!(peak_memory().is_some_and(|bytes| bytes > 1_000_000));
    }
}
