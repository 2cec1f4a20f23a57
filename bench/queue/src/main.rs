//! `bench-queue` answers each line of its input, a word for what is measured, by the wall and the CPU
//! nanoseconds that a thousand keys took:
//!
//! - `cycle`, `names`, `mixed`, `jobs`, `kept`, `batch`: a thousand keys go in and come out again and again,
//!   by the classic calls, with texts as keys, with three priorities, by jobs, by kept places, 32 at once;
//! - `state`, `slot`: the same without the lock, by keys and by places;
//! - `known`: adds of keys that are queued already;
//! - `million`: a million keys go in, then all come out;
//! - `timers`, `soon`: a million keys for some time of the next ten minutes; of the next ten milliseconds,
//!   and taken when it has come;
//! - `contended`, `contended-batch`: four who add and four who take, on two threads.
//!
//! `bench-queue held WHAT KEYS` tells how many bytes of the heap and of resident memory a key holds beyond
//! itself: `ready`, `names` (texts, ready) or `later`.

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

mod contended;
mod held;
#[expect(dead_code, reason = "the programs beside it need the rest")]
#[path = "../../decode/src/process.rs"]
mod process;
mod single;
mod timers;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [held, what, count] = &args[..]
        && held == "held"
    {
        let [heap, resident] = held::of(what, count.parse()?)?;
        println!("{heap} {resident}");
        return Ok(());
    }
    let runtime = Builder::new_current_thread().enable_time().build()?;
    for line in std::io::stdin().lock().lines() {
        let run = measure(&runtime, &line?)?;
        let of_a_thousand = |nanos: u128| nanos * 1000 / run.keys as u128;
        println!("{} {}", of_a_thousand(run.wall), of_a_thousand(run.cpu));
    }
    Ok(())
}

fn measure(runtime: &Runtime, what: &str) -> Outcome<Run> {
    Ok(match what {
        "cycle" => runtime.block_on(single::cycle(|key| key)),
        "names" => runtime.block_on(single::cycle(name)),
        "mixed" => runtime.block_on(single::mixed()),
        "jobs" => runtime.block_on(single::jobs()),
        "kept" => runtime.block_on(single::kept()),
        "batch" => runtime.block_on(single::batch()),
        "known" => single::known(),
        "state" => single::state(),
        "slot" => single::slot(),
        "million" => runtime.block_on(single::million()),
        "timers" => timers::add(),
        "soon" => runtime.block_on(timers::soon()),
        "contended" => contended::run(None)?,
        "contended-batch" => contended::run(Some(32))?,
        _ => return Err(format!("{what} is not measured").into()),
    })
}

fn name(key: u64) -> String {
    format!("namespace-{}/pod-{key}", key % 7)
}

/// What was seen.
struct Run {
    wall: u128,
    cpu: u128,
    keys: usize,
}

/// A measurement under way.
struct Clock {
    start: Instant,
    cpu: Duration,
}

impl Clock {
    fn start() -> Self {
        Self { start: Instant::now(), cpu: process::cpu() }
    }

    fn stop(self, keys: usize) -> Run {
        Run {
            wall: self.start.elapsed().as_nanos(),
            cpu: (process::cpu() - self.cpu).as_nanos(),
            keys,
        }
    }
}
