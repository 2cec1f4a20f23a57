//! The cache against a server that the test plays, in paused time; `tests/protobuf` has the same tests
//! against one that speaks protobuf.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod alone;
mod aside;
mod classic;
mod causes;
mod changes;
mod contract;
mod deep;
mod doubts;
mod dynamic;
mod embedded;
mod factory;
mod faults;
mod figures;
mod follow;
mod foos;
mod foreign;
mod forms;
mod handlers;
mod indices;
mod lifetimes;
mod limits;
// The client's: one listener for the tests of both.
#[path = "../../../watchkeeper-client/tests/it/log.rs"]
mod log;
mod logged;
mod many;
mod namespaces;
mod packed;
mod own;
mod reads;
mod reflector;
mod server;
mod settings;
mod several;
mod shards;
mod transforms;
mod unready;
mod world;

use watchkeeper_client::Codec;
use world::{Log, Synced, WATCH_LIST, at_once, names, run, settle, synced};

/// What the servers of these tests speak.
const CODEC: Codec = Codec::Json;
