//! The parts of the tutorials, dropped in each state.

use std::sync::Arc;

use watchkeeper_cache::Store;
use watchkeeper_cache::classic::{
    DeltaFifo, IndexFunc, IndexerInformer, Informer, InformerOptions, ListWatch, Reflector,
};
use watchkeeper_client::Client;

use crate::kinds::Copied;
use crate::service::{Open, Stage};
use crate::usage::until;

pub(crate) async fn reflector<K: Copied>(client: &Client, stage: Stage, open: &Open) {
    let store = Store::new();
    let reflector = Reflector::new(from::<K>(client)).beside(&store);
    let listed = until("the store is filled", || reflector.status().synced);
    left_on_the_way(stage, open, reflector.run(&store), listed).await;
}

pub(crate) async fn on_the_classic_queue<K: Copied>(client: &Client, stage: Stage, open: &Open) {
    let fifo = |store: &Store<_>| DeltaFifo::new().known_objects(store.clone());
    let (store, informer) =
        Informer::through(InformerOptions::default(), from::<K>(client), |_| (), fifo);
    let synced = async { assert!(informer.synced().await) };
    left_on_the_way(stage, open, informer.run(), synced).await;
    drop((informer, store));
}

pub(crate) async fn with_indices<K: Copied>(client: &Client, stage: Stage, open: &Open) {
    let by_size: IndexFunc<K> = Arc::new(|map| vec![map.name().len().to_string()]);
    let indices = [("size".to_owned(), by_size)];
    let made =
        IndexerInformer::new(InformerOptions::default(), from(client), indices, |_| ()).unwrap();
    let (store, informer) = made;
    let synced = async { assert!(informer.synced().await) };
    left_on_the_way(stage, open, informer.run(), synced).await;
    drop((informer, store));
}

fn from<K: Copied>(client: &Client) -> ListWatch<K> {
    ListWatch::new(client, K::all())
}

/// Runs a loop as far as the server lets it come, and leaves it there.
async fn left_on_the_way(
    stage: Stage,
    open: &Open,
    run: impl Future<Output = ()>,
    synced: impl Future<Output = ()>,
) {
    if stage == Stage::Idle {
        return;
    }
    let come = async {
        if stage.is_synced() {
            synced.await;
        } else {
            open.asked(stage).await;
        }
    };
    tokio::select! {
        biased;
        () = run => {}
        () = come => {}
    }
    until("the loop is over", || open.count() == 0).await;
}
