//! What the programs have in common: requests, connections, and the objects that are written.

pub mod connection;
pub mod crowd;
pub mod objects;
pub mod tls;
pub mod within;

/// What a measurement ends with.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
