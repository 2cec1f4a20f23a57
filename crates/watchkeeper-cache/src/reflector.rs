//! Reflector.
pub(crate) mod backoff;
pub(crate) mod state;
