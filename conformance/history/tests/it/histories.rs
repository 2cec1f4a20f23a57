//! Our informer in histories of some thousand changes; `cargo xtask history` has more of them.

use watchkeeper_history::long;
use watchkeeper_history::world::{Informer, run};

#[test]
fn through_every_fault_every_handler_is_told_the_truth() {
    let report = long::run(1, 4_000);
    println!("{report}");
    assert!(report.is_good(), "{report}");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let (one, two) = (run(Informer::Ours, 7, 300), run(Informer::Ours, 7, 300));
    assert_eq!(one, two);
    let other = run(Informer::Ours, 8, 300);
    assert_ne!(one.trace, other.trace);
}
