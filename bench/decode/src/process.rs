//! What the kernel says of this process: CPU time and memory.

use std::time::Duration;

/// CPU time that this process has used.
pub fn cpu() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec that lives through the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Bytes of a line of `/proc/self/status`, such as `VmHWM` or `VmRSS`.
pub fn memory(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The peak of the memory (`VmHWM`) begins anew from what is held now.
pub fn forget_peak() {
    // Without it the peak is that of before: higher, never lower.
    let _written = std::fs::write("/proc/self/clear_refs", "5");
}
