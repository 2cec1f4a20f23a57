//! The cache's modules, without its `sync`.

#[path = "../../../crates/watchkeeper-cache/src"]
pub(crate) mod inside {
    pub(crate) mod cache;
    pub(crate) mod change;
    pub(crate) mod changes;
    pub(crate) mod classic;
    pub(crate) mod core;
    pub(crate) mod delta;
    pub(crate) mod delta_queue;
    pub(crate) mod error;
    pub(crate) mod factory;
    pub(crate) mod floors;
    pub(crate) mod hub;
    pub(crate) mod informer;
    pub(crate) mod informer_metrics;
    pub(crate) mod inquiry;
    pub(crate) mod intake;
    pub(crate) mod item;
    pub(crate) mod latest;
    pub(crate) mod ledger;
    pub(crate) mod lister;
    pub(crate) mod lock;
    pub(crate) mod mailbox;
    pub(crate) mod namespaces;
    pub(crate) mod reflector;
    pub(crate) mod remote;
    pub(crate) mod rng;
    pub(crate) mod selection;
    pub(crate) mod source;
    pub(crate) mod status;
    pub(crate) mod store;
    pub(crate) mod tasks;
    pub(crate) mod version;
    pub(crate) mod watch;
    pub(crate) mod writes;
}
