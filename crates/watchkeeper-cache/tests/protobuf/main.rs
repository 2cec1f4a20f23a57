//! The tests of `tests/it`, against servers that speak protobuf.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

#[path = "../it/aside.rs"]
mod aside;
#[path = "../it/classic.rs"]
mod classic;
#[path = "../it/causes.rs"]
mod causes;
#[path = "../it/changes.rs"]
mod changes;
#[path = "../it/contract.rs"]
mod contract;
#[path = "../it/doubts.rs"]
mod doubts;
#[path = "../it/dynamic.rs"]
mod dynamic;
#[path = "../it/embedded.rs"]
mod embedded;
#[path = "../it/factory.rs"]
mod factory;
#[path = "../it/faults.rs"]
mod faults;
#[path = "../it/figures.rs"]
mod figures;
#[path = "../it/follow.rs"]
mod follow;
#[path = "../it/foos.rs"]
mod foos;
#[path = "../it/foreign.rs"]
mod foreign;
#[path = "../it/forms.rs"]
mod forms;
#[path = "../it/handlers.rs"]
mod handlers;
#[path = "../it/indices.rs"]
mod indices;
#[path = "../it/lifetimes.rs"]
mod lifetimes;
#[path = "../../../watchkeeper-client/tests/it/log.rs"]
mod log;
#[path = "../it/logged.rs"]
mod logged;
#[path = "../it/namespaces.rs"]
mod namespaces;
#[path = "../it/own.rs"]
mod own;
#[path = "../it/packed.rs"]
mod packed;
#[path = "../it/reads.rs"]
mod reads;
#[path = "../it/reflector.rs"]
mod reflector;
#[path = "../it/server.rs"]
mod server;
#[path = "../it/settings.rs"]
mod settings;
#[path = "../it/several.rs"]
mod several;
#[path = "../it/shards.rs"]
mod shards;
#[path = "../it/transforms.rs"]
mod transforms;
#[path = "../it/unready.rs"]
mod unready;
#[path = "../it/world.rs"]
mod world;

use watchkeeper_client::Codec;
use world::{Log, Synced, WATCH_LIST, at_once, names, run, settle, synced};

/// What the servers of these tests speak.
const CODEC: Codec = Codec::Protobuf;
