//! What each actor promises, seen from outside: a whole cluster in paused time, read and written by a client.

mod access;
mod deployment;
mod garbage;
mod kubelet;
mod namespace;
mod node;
mod replicaset;
mod scheduler;
mod service_account;
mod world;
