//! Threads that walk all objects of a store, again and again.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_cache::Store;

pub struct Readers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    since: Instant,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    walks: AtomicU64,
}

impl Readers {
    pub fn start(count: usize, store: &Store<Pod>) -> Self {
        let shared = Arc::new(Shared::default());
        let thread = |_| {
            let (store, shared) = (store.clone(), Arc::clone(&shared));
            std::thread::spawn(move || {
                while !shared.stop.load(Ordering::Relaxed) {
                    store.snapshot().iter_in("default").for_each(|pod| {
                        black_box(pod);
                    });
                    shared.walks.fetch_add(1, Ordering::Relaxed);
                }
            })
        };
        let threads = (0..count).map(thread).collect();
        Self { shared, threads, since: Instant::now() }
    }

    /// Ends them, and tells how many walks a second they did.
    pub fn end(self) -> f64 {
        let walks = self.shared.walks.load(Ordering::Relaxed) as f64;
        let passed = self.since.elapsed().as_secs_f64();
        self.shared.stop.store(true, Ordering::Relaxed);
        for thread in self.threads {
            // A reader does not panic.
            let _ended = thread.join();
        }
        walks / passed
    }
}
