//! By what a candidate is known where it says nothing itself.

use std::hash::{BuildHasher, RandomState};

/// The host and a number that no other process has (M-08).
pub(crate) fn own_identity() -> String {
    let host = host().unwrap_or_else(|| "watchkeeper".to_owned());
    let number = || RandomState::new().hash_one(0_u8);
    format!("{host}_{:016x}{:016x}", number(), number())
}

/// The name of the host, as the environment of a container says it.
#[expect(clippy::disallowed_methods, reason = "the name of the host, to tell replicas apart")]
pub(crate) fn host() -> Option<String> {
    std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty())
}
