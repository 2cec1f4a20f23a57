//! What the kernel says of the memory of a process.

use std::fs;

use crate::Outcome;

/// Bytes that are resident now, with the pages of the program's file.
///
/// # Errors
/// When the process is gone, or the system is not Linux.
pub(crate) fn resident(id: u32) -> Outcome<u64> {
    bytes(id, "VmRSS")
}

/// The most that were resident since [`forget_peak`].
///
/// # Errors
/// As [`resident`].
pub(crate) fn peak(id: u32) -> Outcome<u64> {
    bytes(id, "VmHWM")
}

/// The peak begins anew from what is resident.
///
/// # Errors
/// As [`resident`].
pub(crate) fn forget_peak(id: u32) -> Outcome<()> {
    let path = format!("/proc/{id}/clear_refs");
    fs::write(&path, "5").map_err(|e| format!("{path}: {e}"))
}

/// Bytes of what the process made itself, heap and stacks.
///
/// # Errors
/// As [`resident`].
pub(crate) fn private(id: u32) -> Outcome<u64> {
    bytes(id, "RssAnon")
}

fn bytes(id: u32, name: &str) -> Outcome<u64> {
    let path = format!("/proc/{id}/status");
    let text = fs::read_to_string(&path)
        .map_err(|e| format!("{path}: {e}; memory is measured on Linux, while the program runs"))?;
    read(&text, name).ok_or_else(|| format!("{path} has no {name}"))
}

fn read(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_kernels_figures_are_kibibytes() {
        let status = "Name:\tminimal\nVmHWM:\t    7156 kB\nRssAnon:\t     492 kB\nThreads:\t2\n";
        assert_eq!(read(status, "VmHWM"), Some(7156 * 1024));
        assert_eq!(read(status, "RssAnon"), Some(492 * 1024));
    }

    #[test]
    fn a_process_that_is_gone_has_no_figures() {
        assert_eq!(read("Name:\tminimal\nState:\tZ (zombie)\n", "VmRSS"), None);
        assert_eq!(read("VmHWM:\t none\n", "VmHWM"), None);
    }
}
