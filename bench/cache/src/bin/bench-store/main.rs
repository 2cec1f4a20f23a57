//! `bench-store OBJECTS` has a store with so many small pods, 30 to a node, and answers each line of its
//! input by two numbers a second, of what is measured in one thread the second as if it had a processor for
//! itself:
//!
//! - `get`, `get written`: lookups by key, in no order; with a writer that does nothing but write beside
//!   them, and its writes;
//! - `index`, `index borrowed`: lookups of the 30 pods of a node, each counted or only looked at;
//! - `readers`, by six lines: changes through an informer while 0, 1 and 10 threads walk all pods of its store,
//!   each followed by the same with another store, that nobody writes to; and their walks;
//! - `deliver HANDLERS`: changes through an informer with so many handlers, counted at each.

mod informer;
mod objects;
mod readers;

use bench_decode::process::cpu;
use objects::Objects;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use watchkeeper_cache::Delta;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// How long each figure is measured.
const LONG: Duration = Duration::from_millis(600);
/// Operations between two looks at the clock.
const STEP: usize = 1000;

fn main() -> Outcome {
    let count = std::env::args().nth(1).ok_or("usage: bench-store OBJECTS")?.parse()?;
    let objects = Objects::make(count);
    for line in std::io::stdin().lines() {
        let line = line?;
        let rates = match &line.split(' ').collect::<Vec<_>>()[..] {
            ["get"] => alone(|| get(&objects)),
            ["get", "written"] => get_beside_writer(&objects),
            ["index"] => alone(|| index(&objects, false)),
            ["index", "borrowed"] => alone(|| index(&objects, true)),
            ["readers"] => {
                informer::written(count, tell)?;
                continue;
            }
            ["deliver", handlers] => [informer::delivered(handlers.parse()?)?, 0.0],
            _ => return Err(format!("{line} is not measured").into()),
        };
        tell(rates);
    }
    Ok(())
}

fn tell([first, second]: [f64; 2]) {
    println!("{first:.0} {second:.0}");
}

/// How often a second `step` does one of its `STEP` operations, which it is told the number of.
fn rate(mut step: impl FnMut(usize)) -> f64 {
    let (start, mut done) = (Instant::now(), 0);
    loop {
        (done..done + STEP).for_each(&mut step);
        done += STEP;
        let passed = start.elapsed();
        if passed >= LONG {
            return done as f64 / passed.as_secs_f64();
        }
    }
}

/// A rate, and what it would have been with a processor for itself.
fn alone(rate: impl FnOnce() -> f64) -> [f64; 2] {
    let (start, used) = (Instant::now(), cpu());
    let rate = rate();
    let share = (cpu() - used).as_secs_f64() / start.elapsed().as_secs_f64();
    [rate, rate / share]
}

fn get(objects: &Objects) -> f64 {
    let keys = &objects.keys;
    rate(|at| {
        let found = objects.store.get(&keys[at % keys.len()]);
        assert!(black_box(found).is_some());
    })
}

fn get_beside_writer(objects: &Objects) -> [f64; 2] {
    let (store, versions) = (&objects.store, &objects.versions);
    let count = objects.keys.len();
    let writer = |at: usize| {
        let version = &versions[(at / count + 1) % versions.len()];
        let changes = store.apply(Delta::Updated(version[at % count].clone()));
        assert_eq!(black_box(changes).len(), 1);
    };
    let mut written = 0.0;
    let mut read = 0.0;
    std::thread::scope(|scope| {
        let write = scope.spawn(|| rate(writer));
        read = get(objects);
        written = write.join().unwrap_or_default();
    });
    // As they were, so that the next round writes what is new.
    for object in &versions[0] {
        store.apply(Delta::Updated(object.clone()));
    }
    [read, written]
}

fn index(objects: &Objects, borrowed: bool) -> f64 {
    let nodes = &objects.nodes;
    rate(|at| {
        let found = objects.by_node.found(&nodes[at % nodes.len()]);
        if borrowed {
            assert_eq!(found.iter().map(black_box).count(), objects::OF_NODE);
        } else {
            assert_eq!(black_box(found.list()).len(), objects::OF_NODE);
        }
    })
}
