//! The pod watcher on an embedded cluster, in paused time.

mod lab;
mod leader_loss;
mod program;
