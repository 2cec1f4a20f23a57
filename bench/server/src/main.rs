//! `bench-server SET PODS CHANGES` makes the pods of a set, prints its address and the
//! resourceVersion of the last change, and serves them. For each line of its input it sends the
//! changes to every watch that is open then, as fast as they are read. It ends with its input.

mod answer;
mod frames;
mod http;

use bench_decode::pods::Set;
use frames::Frames;
use std::error::Error;
use std::net::TcpListener;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [set, pods, changes] = &args[..] else {
        return Err("usage: bench-server SET PODS CHANGES".into());
    };
    let set = Set::ALL.iter().find(|(_, name)| name == set).ok_or("no such set")?.0;
    let frames = Arc::new(Frames::make(set, pods.parse()?, changes.parse()?)?);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{} {}", listener.local_addr()?, frames.last);
    let start = Arc::new(Start::default());
    let starts = Arc::clone(&start);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (frames, start) = (Arc::clone(&frames), Arc::clone(&start));
            // A client that goes away is none of our business.
            std::thread::spawn(move || answer::all(stream, &frames, &start));
        }
    });
    for line in std::io::stdin().lines() {
        line?;
        starts.next();
    }
    Ok(())
}

/// Counts the lines of the input.
#[derive(Default)]
struct Start {
    lines: Mutex<u64>,
    more: Condvar,
}

impl Start {
    fn next(&self) {
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.more.notify_all();
    }

    fn now(&self) -> u64 {
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there are more lines than `seen`.
    fn after(&self, seen: u64) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.more.wait_while(lines, |lines| *lines <= seen);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}
