//! The pod watcher on an embedded cluster, in paused time.

mod lab;
mod program;
