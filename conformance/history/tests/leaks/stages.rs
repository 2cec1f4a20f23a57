//! Each thing that users hold, dropped in each state, in paused time: of a kind that is known from its type, and of
//! resources that the server is asked for, as whole objects and as metadata.

use std::any::type_name;

use tokio::runtime::Builder;
use watchkeeper_api::Unstructured;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::DeltaFifo;
use watchkeeper_cache::{SharedInformer, Store};
use watchkeeper_client::{PartialObject, Select};

use crate::kinds::Copied;
use crate::service::{Open, Stage, client};
use crate::usage::{Usage, left, until};
use crate::{copies, loops};

/// What is dropped while all else is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// The future of `Cache::run`.
    Run,
    /// Every handle of the copy; the cache runs on.
    Handles,
    /// Who listens, by `Subscription::shut_down`; then every handle of the copy.
    Listeners,
    /// The guard of a factory that was started.
    Factory,
    /// A factory, by `shut_down` while its guard is held.
    FactoryShutDown,
    /// The future of `SharedInformer::run`.
    Informer,
    /// That of one on the classic queue.
    InformerOnFifo,
    /// That of one that keeps its objects compressed.
    Packed,
    /// That of one that keeps what a function makes of them.
    Transformed,
    /// Futures of those who read and wait; then all else.
    Readers,
    /// Namespaces of which one was given up and one has come, and who listens to them.
    Namespaces,
    /// The future of a reflector that fills a store.
    Reflector,
    /// The future of a classic loop on the classic queue.
    Loop,
    /// The future of a classic loop whose store has indices.
    IndexedLoop,
}

impl Dropped {
    const ALL: [Self; 14] = [
        Self::Run,
        Self::Handles,
        Self::Listeners,
        Self::Factory,
        Self::FactoryShutDown,
        Self::Informer,
        Self::InformerOnFifo,
        Self::Packed,
        Self::Transformed,
        Self::Readers,
        Self::Namespaces,
        Self::Reflector,
        Self::Loop,
        Self::IndexedLoop,
    ];

    /// Whether there is a cache to be told of own writes.
    const fn is_of_a_cache(self) -> bool {
        matches!(
            self,
            Self::Run
                | Self::Handles
                | Self::Listeners
                | Self::Factory
                | Self::FactoryShutDown
                | Self::Readers
        )
    }

    /// Whether it can be of `K`, and the stage of it.
    fn is_there<K: Copied>(self, stage: Stage) -> bool {
        let is_written = !stage.is_of_writes() || self.is_of_a_cache();
        // What is written and packed has a type.
        let is_typed = !K::IS_ASKED_FOR;
        is_written && if is_typed { !stage.is_of_discovery() } else { self != Self::Packed }
    }
}

pub(crate) fn nothing_is_left_in_paused_time() {
    nothing_is_left_of::<ConfigMap>();
    nothing_is_left_of::<Unstructured>();
    nothing_is_left_of::<PartialObject>();
}

fn nothing_is_left_of<K: Copied>() {
    for stage in Stage::ALL {
        for dropped in Dropped::ALL.into_iter().filter(|dropped| dropped.is_there::<K>(stage)) {
            let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
            let round = || async move { Box::pin(round::<K>(stage, dropped)).await };
            let left = runtime.unwrap().block_on(left(round));
            let kind = type_name::<K>();
            assert!(left.is_nothing(), "{dropped:?} of {kind} dropped while {stage:?}: {left:?}");
        }
    }
}

async fn round<K: Copied>(stage: Stage, dropped: Dropped) {
    let (open, before) = (Open::default(), Usage::now().tasks);
    let client = client(stage, &open);
    match dropped {
        Dropped::Run | Dropped::Handles | Dropped::Listeners | Dropped::Readers => {
            copies::cache::<K>(&client, stage, dropped, &open, before).await;
        }
        Dropped::Factory | Dropped::FactoryShutDown => {
            copies::factory::<K>(&client, stage, dropped, &open).await;
        }
        Dropped::Informer => {
            copies::informer(SharedInformer::only(&client, K::all()), stage, &open).await;
        }
        Dropped::InformerOnFifo => {
            let fifo = |store: &Store<_>| DeltaFifo::new().known_objects(store.clone());
            let informer = SharedInformer::through(&client, K::all(), fifo);
            copies::informer(informer, stage, &open).await;
        }
        Dropped::Packed => {
            let informer = SharedInformer::packed(&client, Select::<ConfigMap>::all());
            copies::informer(informer, stage, &open).await;
        }
        Dropped::Transformed => {
            let sizes = |map: K| Ok::<_, String>(map.name().len());
            let informer = SharedInformer::transform(&client, K::all(), sizes);
            copies::informer(informer, stage, &open).await;
        }
        Dropped::Namespaces => copies::namespaces::<K>(&client, stage, &open).await,
        Dropped::Reflector => loops::reflector::<K>(&client, stage, &open).await,
        Dropped::Loop => Box::pin(loops::on_the_classic_queue::<K>(&client, stage, &open)).await,
        Dropped::IndexedLoop => loops::with_indices::<K>(&client, stage, &open).await,
    }
    until("no task is left", || Usage::now().tasks <= before).await;
    assert_eq!(open.count(), 0, "requests");
}
