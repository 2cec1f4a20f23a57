//! `bench-server SET PODS CHANGES` makes the pods of a set, prints its address and the
//! resourceVersion of the last change, and serves them. At the line `changes` of its input it sends the
//! changes to every watch that is open then, as fast as they are read; at `expire` it ends each with a 410,
//! so that clients ask for the present state again. It prints `sent` whenever a client has that and watches what
//! follows. It ends with its input.

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
        starts.next(if line? == "expire" { Order::Expire } else { Order::Change });
    }
    Ok(())
}

/// What the watches do next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Change,
    Expire,
}

/// The lines of the input.
#[derive(Default)]
struct Start {
    orders: Mutex<Vec<Order>>,
    more: Condvar,
}

impl Start {
    fn next(&self, order: Order) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).push(order);
        self.more.notify_all();
    }

    fn now(&self) -> usize {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Waits until there are more orders than `seen`, and tells the next.
    fn after(&self, seen: usize) -> Order {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = self.more.wait_while(orders, |orders| orders.len() <= seen);
        orders.unwrap_or_else(PoisonError::into_inner)[seen]
    }
}
