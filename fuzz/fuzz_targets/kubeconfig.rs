//! Feeds `entries::kubeconfig`. The module is built by itself, as what it is part of brings TLS.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-connect/src/kubeconfig/entries.rs"]
mod entries;
#[path = "../../crates/watchkeeper-connect/src/kubeconfig.rs"]
#[allow(dead_code, reason = "this target needs no files")]
mod kubeconfig;
#[path = "../../crates/watchkeeper-connect/src/config/options.rs"]
mod options;
#[path = "../../crates/watchkeeper-connect/src/say.rs"]
#[allow(dead_code, reason = "this target sends nothing")]
mod say;

use options::Options;
use say::say;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(4_096, bytes, entries::kubeconfig));
