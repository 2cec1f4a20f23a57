//! The first lab of this field: watch the pods of a namespace, in the classic style.
//!
//! ```text
//!  server ──▶ informer ──▶ store ◀────────reads──────── handler ──▶ printed lines
//!                └─handler─▶ key ─▶ work queue ─▶ worker ──┘ └─ Err, panic ─▶ queue, 5 times
//! ```
//!
//! [`controller`] is the lab. The rest is what a program needs around it: [`args`], [`run`],
//! [`printer`], [`log`], and [`script`], which gives it something to see on the embedded cluster.

pub mod args;
pub mod controller;
pub mod log;
pub mod printer;
pub mod run;
pub mod script;

/// What a part of this program ends with; what went wrong is one sentence with what to do.
pub type Outcome<T = ()> = Result<T, String>;
