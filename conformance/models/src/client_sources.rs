//! Modules of the client, without its `sync`.

#[path = "../../../crates/watchkeeper-client/src/stream"]
pub(crate) mod inside {
    pub(crate) mod wakers;
}
