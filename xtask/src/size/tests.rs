//! Reading what the kernel says, and how figures look.

use super::{Memory, megabytes, read};

#[test]
fn the_kernels_figures_are_kibibytes() {
    let status = "Name:\tminimal\nVmRSS:\t    7156 kB\nRssAnon:\t     492 kB\nThreads:\t2\n";
    assert_eq!(read(status), Some(Memory { resident: 7156 * 1024, private: 492 * 1024 }));
}

#[test]
fn a_process_that_is_gone_has_no_figures() {
    assert_eq!(read("Name:\tminimal\nState:\tZ (zombie)\n"), None);
}

#[test]
fn megabytes_are_rounded_to_a_tenth() {
    let shown = [0, 49_999, 50_000, 6_091_648, 9_950_000].map(megabytes);
    assert_eq!(shown, ["0.0 MB", "0.0 MB", "0.1 MB", "6.1 MB", "10.0 MB"]);
}
