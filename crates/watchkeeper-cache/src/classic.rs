//! The parts of the field's tutorials, each usable alone, under client-go's names.
//!
//! ```text
//!  ListWatch ──▶ Reflector ──Delta──▶ DeltaFifo, DeltaQueue ──Popped──▶ ProcessLoop ──▶ Indexer ──reads──▶
//!                                                                            └──Change──▶ handler ──▶ work queue
//! ```
//!
//! A [`Watch`](crate::Watch) or a [`SharedInformer`](crate::SharedInformer) has all of it inside, with
//! several handlers, reads that see own writes, and a status. Take these parts to learn how that works, to
//! port a program that is made of them, or for what is not made of shared informers.
//!
//! - [`ReflectorStore`] and [`Queue`] are what stands behind a reflector; so the queue is a parameter, also of
//!   [`SharedInformer::through`](crate::SharedInformer::through).
//! - [`ListWatch`] reads the server, [`Reflector`] follows it, [`ProcessLoop`] takes what comes of that;
//!   [`Informer`] and [`IndexerInformer`] are such loops with a store and a handler.
//! - [`DeltaFifo`] is the classic queue; [`DeltaQueue`](crate::DeltaQueue) is the one in order (upstream:
//!   `RealFIFO`), and [`Fifo`] the one without history.
//! - [`Indexer`], [`UndeltaStore`], [`ExpirationCache`], [`MutationCache`] and [`Heap`] stand beside.
//! - [`meta_namespace_key`] and [`split_meta_namespace_key`] are the keys as texts.

mod accessors;
mod delta_fifo;
mod deltas;
mod expiration_cache;
mod fifo;
mod handlers;
mod heap;
mod indexer;
mod informer;
mod keys;
mod list_watch;
mod mutation_cache;
mod process;
mod process_loop;
pub(crate) mod queue;
mod reflector;
mod shell;
mod stores;
mod undelta_store;

pub use accessors::{ListAccessor, extract_list};
pub use delta_fifo::DeltaFifo;
pub use deltas::{DeletedObject, Deltas, ObjectDelta};
pub use expiration_cache::ExpirationCache;
pub use fifo::Fifo;
pub use handlers::ResourceEventHandlerFuncs;
pub use heap::Heap;
pub use indexer::{IndexError, IndexFunc, Indexer, NAMESPACE_INDEX, meta_namespace_index};
pub use informer::{IndexerInformer, Informer, InformerOptions};
pub use keys::{
    ExplicitKey, HasKey, UnexpectedKey, deletion_handling_key, meta_namespace_key,
    split_meta_namespace_key,
};
pub use list_watch::ListWatch;
pub use mutation_cache::MutationCache;
pub(crate) use process::apply_deltas;
pub use process::process_deltas;
pub use process_loop::{Config, Process, ProcessLoop};
pub use queue::{BoxError, KnownObjects, Popped, Queue, ReflectorStore, Refused, Transform};
pub use reflector::{ErrorHandler, Reflector};
pub use stores::ClassicStore;
pub use undelta_store::UndeltaStore;

#[cfg(test)]
mod tests;
