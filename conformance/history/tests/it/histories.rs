//! Our informer in histories of some thousand changes; `cargo xtask history` has more of them.

use watchkeeper_history::long::{self, Plan};
use watchkeeper_history::mode::Mode;
use watchkeeper_history::world::{Informer, Names, Server, run, run_on};

#[test]
fn through_every_fault_every_handler_is_told_the_truth() {
    let plan = Plan { seed: 1, changes: 4_000, names: Names::Few, server: Server::Embedded };
    let report = long::run(plan, None, |_| {}).expect("no journal");
    println!("{report}");
    assert!(report.is_good(), "{report}");
}

/// Some hundred objects: a list of more than one page, nodes of the store that split and merge.
#[test]
fn ranges_of_many_objects_come_and_go() {
    for seed in 1..3 {
        let outcome = run(Informer::Ours, seed, 3_000, Names::Many(600));
        assert_eq!(outcome.broken, None, "seed {seed}");
        assert!(outcome.looks > 10 && outcome.heard > 10_000, "{outcome:?}");
    }
}

/// In either codec.
#[test]
fn every_mode_keeps_its_rules() {
    for mode in Mode::ALL {
        for (seed, server) in [(1, Server::Embedded), (2, Server::Shelf)] {
            let outcome = run_on(server, Informer::Of(*mode), seed, 600, Names::Few);
            assert_eq!(outcome.broken, None, "{mode:?}, seed {seed}, {server:?}");
            assert!(outcome.looks > 10 && outcome.heard > 1_000, "{outcome:?}");
        }
    }
}

#[test]
fn the_same_seed_is_the_same_run() {
    let (one, two) =
        (run(Informer::Ours, 7, 300, Names::Few), run(Informer::Ours, 7, 300, Names::Few));
    assert_eq!(one, two);
    let other = run(Informer::Ours, 8, 300, Names::Few);
    assert_ne!(one.trace, other.trace);
}
