//! What the kernel says of the memory of a process.

use std::fs;

use crate::Outcome;

/// Bytes that are resident now.
pub(super) fn resident(id: u32) -> Outcome<u64> {
    bytes(id, "VmRSS")
}

/// The most that were resident since [`forget_peak`].
pub(super) fn peak(id: u32) -> Outcome<u64> {
    bytes(id, "VmHWM")
}

/// The peak begins anew from what is resident.
pub(super) fn forget_peak(id: u32) -> Outcome<()> {
    let path = format!("/proc/{id}/clear_refs");
    fs::write(&path, "5").map_err(|e| format!("{path}: {e}"))
}

fn bytes(id: u32, name: &str) -> Outcome<u64> {
    let path = format!("/proc/{id}/status");
    let text = fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    read(&text, name).ok_or_else(|| format!("{path} has no {name}; memory is measured on Linux"))
}

pub(super) fn read(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
