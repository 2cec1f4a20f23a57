//! How much memory a process has, in MiB, as Linux tells it.

use crate::Outcome;

/// What it has now.
///
/// # Errors
/// That it is gone.
pub(super) fn resident(id: u32) -> Outcome<u64> {
    field(id, "VmRSS:")
}

/// The most it had since [`forget_peak`].
///
/// # Errors
/// That it is gone.
pub(super) fn peak(id: u32) -> Outcome<u64> {
    field(id, "VmHWM:")
}

/// Lets the peak be what it has now.
///
/// # Errors
/// That it is gone.
pub(super) fn forget_peak(id: u32) -> Outcome<()> {
    let path = format!("/proc/{id}/clear_refs");
    std::fs::write(&path, "5").map_err(|e| format!("{path}: {e}"))
}

fn field(id: u32, name: &str) -> Outcome<u64> {
    let path = format!("/proc/{id}/status");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map(|kib| kib / 1024).ok_or_else(|| format!("{path}: no {name}"))
}
