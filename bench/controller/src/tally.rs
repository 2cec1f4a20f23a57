//! What has been reconciled, and how long that took: of our controller, and of the rival's in the folder beside.

use super::{cpu, latencies};
use std::error::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Counts reconciles of what is there, of what changes at once, and of what changes one by one.
pub struct Tally {
    counted: Mutex<Counted>,
    done: Notify,
    /// After so many each of the three ends.
    ends: [usize; 3],
}

#[derive(Default)]
struct Counted {
    count: usize,
    first: Option<(Instant, Duration)>,
    took: [u128; 2],
    latencies: Vec<u64>,
}

impl Tally {
    pub fn new(maps: usize, changes: usize) -> Self {
        let ends = [maps, 2 * maps, 2 * maps + changes];
        Self { counted: Mutex::default(), done: Notify::new(), ends }
    }

    /// One was reconciled whose change was sent at this time, if it says so.
    pub fn reconciled(&self, sent: Option<&str>) {
        let mut counted = self.lock();
        counted.count += 1;
        let count = counted.count;
        if count > self.ends[1] {
            let sent = sent.and_then(|sent| sent.parse().ok()).unwrap_or(0);
            counted.latencies.push(latencies::now().saturating_sub(sent));
        }
        let (began, used) = *counted.first.get_or_insert_with(|| (Instant::now(), cpu()));
        if self.ends.contains(&count) {
            counted.took = [began.elapsed().as_nanos(), (cpu() - used).as_nanos()];
            self.done.notify_one();
        }
    }

    /// Prints a line for each of the three when it has ended.
    pub async fn tell(&self) -> Result<(), Box<dyn Error>> {
        for end in self.ends {
            self.done.notified().await;
            let mut counted = self.lock();
            if counted.count != end {
                return Err(format!("{} were reconciled", counted.count).into());
            }
            counted.first = None;
            let [wall, used] = counted.took;
            if counted.latencies.is_empty() {
                println!("{wall} {used}");
                continue;
            }
            let [median, most_of_all, most] = latencies::told(&mut counted.latencies);
            println!("{median} {most_of_all} {most}");
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
