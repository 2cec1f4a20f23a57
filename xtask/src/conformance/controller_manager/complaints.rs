//! What kube-controller-manager complains of in its log.

use std::fs;
use std::path::Path;

use crate::Outcome;

/// What it may say of an error, by a part of the line, and why that speaks of no fault of the server: all of it
/// is said of the real one, too.
const ALLOWED: [(&str, &str); 7] = [
    ("is not as new as written version", "its informers have not seen its own write yet: it waits"),
    (
        "the object has been modified; please apply your changes",
        "two wrote at once: it tries again",
    ),
    ("\\\" not found", "it went meanwhile, or is not there yet, or is never made by a chapter"),
    (
        "Error getting updated StatefulSet from lister",
        "it went while its status was written: this one line has no error that would say so",
    ),
    ("ResourceClaim not created yet", "it makes it then"),
    ("unexpected items still remain in namespace", "pods take their time: it looks again"),
    ("The manifest file is empty", "it has no file of plugins"),
];

/// Wants none in a log.
///
/// # Errors
/// The complaints.
pub(super) fn none_in(log: &Path) -> Outcome<()> {
    let told = fs::read(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let told = String::from_utf8_lossy(&told);
    let complaints = complaints(&told);
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!("kube-controller-manager complains:\n{}", complaints.join("\n")))
}

/// Errors, the end of everything, and what informers warn of.
fn complaints(told: &str) -> Vec<&str> {
    let lines = told.lines().filter(|line| {
        let is_warning = line.starts_with('W') && line.contains("reflector");
        is_warning || line.starts_with(['E', 'F'])
    });
    lines.filter(|line| !ALLOWED.iter().any(|(part, _)| line.contains(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::complaints;

    #[test]
    fn what_speaks_of_the_server_is_found() {
        let told = "I1126 a.go:1] fine\nW1126 reflector.go:2] \"watch ended\"\nW1126 b.go:3] old flag\n\
            E1126 c.go:4] err=\"the server could not find the requested resource\"\n\
            E1126 d.go:5] err=\"pods \\\"a\\\" not found\"\n";
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(complaints(told), [lines[1], lines[3]]);
    }
}
