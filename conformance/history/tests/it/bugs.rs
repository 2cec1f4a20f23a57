//! The checker proves itself: it finds each mistake that is put into a small informer, and none in the same
//! informer without one.

use watchkeeper_history::bugs::Bug;
use watchkeeper_history::world::{Informer, Names, Server, run, run_on};

/// Within so many changes each mistake is found.
const CHANGES: u64 = 1_500;

#[test]
fn each_mistake_is_found_within_fifteen_hundred_changes() {
    let mut missed = Vec::new();
    for bug in Bug::ALL {
        let outcome = run(Informer::Plain(Some(*bug)), 1, CHANGES, Names::Few);
        match &outcome.broken {
            Some(broken) => println!("{bug:?}, after {} changes: {broken}", outcome.changes),
            None => missed.push(bug),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn each_mistake_is_found_on_the_shelf() {
    let found = |bug: &&Bug| {
        let informer = Informer::Plain(Some(**bug));
        run_on(Server::Shelf, informer, 1, CHANGES, Names::Few).broken.is_some()
    };
    let missed: Vec<_> = Bug::ALL.iter().filter(|bug| !found(bug)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn in_an_informer_without_mistakes_nothing_is_found() {
    for seed in 1..3 {
        for server in [Server::Embedded, Server::Shelf] {
            let outcome = run_on(server, Informer::Plain(None), seed, CHANGES, Names::Few);
            assert_eq!(outcome.broken, None, "seed {seed}, {server:?}");
        }
    }
}
