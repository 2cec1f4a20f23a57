//! The first lab of this field: watch the pods of a namespace, in two styles.
//!
//! ```text
//!  server ──▶ informer ──▶ store ◀────────reads──────── handler ──▶ printed lines
//!                └─handler─▶ key ─▶ work queue ─▶ worker ──┘ └─ Err, panic ─▶ queue, 5 times
//! ```
//!
//! [`classic`] is the lab box by box, [`controller`] the same with the toolkit's boxes, [`lab`] what
//! they have in common. The rest is what a program needs around it: [`args`], [`run`], [`printer`],
//! [`log`], and [`script`], which gives it something to see on the embedded cluster.

pub mod args;
pub mod classic;
pub mod controller;
pub mod lab;
pub mod log;
pub mod printer;
pub mod run;
pub mod script;

/// What a part of this program ends with; what went wrong is one sentence with what to do.
pub type Outcome<T = ()> = Result<T, String>;
