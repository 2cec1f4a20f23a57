//! Feeds `entries::kubeconfig`. The module is built by itself, as what it is part of brings TLS.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-connect/src/kubeconfig/entries.rs"]
mod entries;
// In a folder, so that its own modules are found beside it.
#[path = "../../crates/watchkeeper-connect/src"]
#[allow(dead_code, unused_imports, reason = "this target needs no files and writes nothing back")]
mod connect {
    pub(crate) mod kubeconfig;
}
#[path = "../../crates/watchkeeper-connect/src/config/options.rs"]
#[allow(dead_code, reason = "this target says nothing that is empty")]
mod options;
#[path = "../../crates/watchkeeper-connect/src/say.rs"]
#[allow(dead_code, reason = "this target sends nothing")]
mod say;

use connect::kubeconfig;
use options::Options;
use say::say;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(4_096, bytes, entries::kubeconfig));
