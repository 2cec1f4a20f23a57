//! Follows the server: asks for everything, then for what changes, and asks again when that fails.
//!
//! [`state`] decides; this file asks and waits. Its two halves run in one task and are joined by a
//! [`DeltaQueue`](crate::DeltaQueue): one reads from the server, the other applies to the copy.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::sleep_until;

use crate::core::Core;
use crate::delta::Delta;
use crate::delta_queue::DeltaQueue;
use crate::item::Item;
use crate::store::Store;

pub(crate) mod backoff;
pub(crate) mod message;
pub(crate) mod state;

use message::{Input, ListCall, Next, Page, Trouble, WatchCall};
use state::State;

/// Deltas between the two halves at most.
const IN_FLIGHT: usize = 1024;

/// Somewhere to list and watch objects (upstream: `ListerWatcher`).
pub(crate) trait ListWatch<K: Item>: Send + Sync + 'static {
    type Events: Events<K>;

    /// Lists a page. Objects that `known` has in the same version are taken from there.
    fn list(
        &self,
        call: &ListCall,
        known: &Store<K>,
    ) -> impl Future<Output = Result<Page<K>, Trouble>> + Send;

    /// Opens a watch.
    fn watch(
        &self,
        call: &WatchCall,
        known: &Store<K>,
    ) -> impl Future<Output = Result<Self::Events, Trouble>> + Send;
}

/// An open watch.
pub(crate) trait Events<K>: Send {
    /// What the watch says next; [`Input::Closed`] at its end.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    fn next(&mut self) -> impl Future<Output = Input<K>> + Send;
}

/// Keeps the copy up to date until its last handle is dropped, which closes `handles`.
pub(crate) async fn follow<K: Item>(
    core: Arc<Core<K>>,
    from: impl ListWatch<K>,
    state: State<K>,
    handles: oneshot::Receiver<()>,
) {
    let queue = DeltaQueue::new(IN_FLIGHT);
    tokio::select! {
        biased;
        // Nothing is ever sent: this is the end of the last handle.
        _ = handles => {}
        () = apply(&core, &queue) => {}
        () = reflect(&core, &from, state, &queue) => {}
    }
}

/// From the server into the queue.
async fn reflect<K: Item, L: ListWatch<K>>(
    core: &Core<K>,
    from: &L,
    mut state: State<K>,
    queue: &DeltaQueue<K>,
) {
    let mut next = state.start();
    let mut events = None;
    loop {
        if !matches!(next, Next::Read { .. }) {
            events = None;
        }
        let input = match &next {
            Next::List(call) => listed(from.list(call, &core.store).await),
            Next::Watch(call) => opened_watch(from.watch(call, &core.store).await, &mut events),
            Next::Read { until } => read(events.as_mut(), until.map(|until| core.at(until))).await,
            Next::Sleep { until } => {
                core.report(&state);
                sleep_until(core.at(*until)).await;
                Input::Woken
            }
        };
        if !matches!(input, Input::Woken | Input::Failed(_)) {
            core.heard();
        }
        let (before, routine) = (state.signs(), is_routine(&input));
        let step = state.step(input, core.now());
        if !routine || state.signs() != before {
            core.report(&state);
        }
        if let Some(delta) = step.emit
            && queue.push(delta).await.is_err()
        {
            return;
        }
        next = step.next;
        tokio::task::coop::consume_budget().await;
    }
}

/// What happens all the time and says nothing about how it goes.
const fn is_routine<K>(input: &Input<K>) -> bool {
    matches!(input, Input::Event(..) | Input::Bookmark { .. })
}

fn listed<K>(answer: Result<Page<K>, Trouble>) -> Input<K> {
    answer.map_or_else(Input::Failed, Input::Page)
}

fn opened_watch<K, E>(answer: Result<E, Trouble>, events: &mut Option<E>) -> Input<K> {
    match answer {
        Ok(opened) => {
            *events = Some(opened);
            Input::Opened
        }
        Err(trouble) => Input::Failed(trouble),
    }
}

async fn read<K, E: Events<K>>(
    events: Option<&mut E>,
    until: Option<tokio::time::Instant>,
) -> Input<K> {
    let Some(events) = events else { return Input::Closed };
    let Some(until) = until else { return events.next().await };
    tokio::select! {
        biased;
        input = events.next() => input,
        () = sleep_until(until) => Input::Woken,
    }
}

/// From the queue into the copy, with the resyncs that are due in between.
async fn apply<K: Item>(core: &Core<K>, queue: &DeltaQueue<K>) {
    loop {
        core.room().await;
        let resync = core.next_resync().map(|due| core.at(due));
        let delta = tokio::select! {
            biased;
            delta = queue.pop() => delta,
            () = at(resync) => Some(Delta::Sync),
            // A listener came whose resync may be due earlier.
            () = core.hub_changed.notified() => continue,
        };
        let Some(delta) = delta else { return };
        core.take(delta);
        tokio::task::coop::consume_budget().await;
    }
}

async fn at(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
