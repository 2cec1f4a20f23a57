//! Bad input ends in one clear sentence and a failure, never in a stack trace.

mod flags;
mod foo_file;
mod kubeconfig;
mod machine;
mod server;
