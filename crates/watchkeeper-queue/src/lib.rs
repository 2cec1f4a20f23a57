//! Keys waiting for a worker.
//!
//! - *Fair*: keys leave in the order they became due; those of a higher priority before others, but
//!   nobody waits for ever.
//! - *Stingy*: a key waits at most once and is held by at most one worker.
//! - *Patient*: a key may be added for later, or after as long as its failures deserve.
//! - *Honest*: a key taken as a [`Job`] comes back unless its worker said it is done; a job dropped
//!   unanswered counts as failed.
//!
//! [`State`] decides, given the time; [`RateLimitingQueue`] waits; a [`RateLimiter`] says how long
//! a failed key stays away. The guarantees are those of client-go's `util/workqueue`, whose calls
//! (`add`, `get`, `done`, `add_after`, `add_rate_limited`, `forget`, …) are all here beside the
//! guards; priorities are those of controller-runtime's queue, but they age. This crate has never heard of Kubernetes.
//!
//! ```
//! use watchkeeper_queue::{RateLimitingQueue, default_controller_rate_limiter};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let queue = RateLimitingQueue::named("pods", default_controller_rate_limiter());
//! queue.add("default/a");
//! queue.add("default/a");
//! queue.shut_down();
//! while let Some(job) = queue.next().await {
//!     assert_eq!(*job, "default/a");
//!     job.done();
//! }
//! # }
//! ```

mod state;
mod order;
mod queue;
mod job;
mod limiter;
mod metrics;
#[cfg(feature = "prometheus")]
mod prometheus;
mod parallel;
mod sync;

pub use crate::job::Job;
pub use crate::limiter::{
    Bucket, ItemExponentialFailure, ItemFastSlow, MaxOf, RateLimiter, WithMaxWait,
    default_controller_rate_limiter, default_item_based_rate_limiter, per_item_rate_limiter,
};
pub use crate::metrics::{Durations, Figures, Measured, MetricsProvider};
pub use crate::order::{Order, ReadyQueue};
pub use crate::parallel::{Pieces, parallelize_until};
#[cfg(feature = "prometheus")]
pub use crate::prometheus::PrometheusMetrics;
pub use crate::queue::{AddOptions, KeptKey, QueueOptions, RateLimitingQueue};
pub use crate::state::{Slot, State, Taken};
