//! Who works on what is shared: shards that are handed over, lost and gained.

use std::future::pending;
use std::sync::Arc;

use loom::future::block_on;
use loom::thread::spawn;
use watchkeeper_api::ObjectKey;

use super::ended;
use crate::mistaken::{Careless, Wake};
use crate::share::Share;

fn held() -> Share {
    let share = Share::new(1, |_, client| client.clone());
    share.gain(0);
    share
}

fn key() -> ObjectKey {
    ObjectKey::from(("shop", "a"))
}

/// Who hands a shard over hears of the end of the last reconcile.
pub fn the_last_of_two_reconciles_is_heard() {
    let share = held();
    let turns = [(); 2].map(|()| share.begin(&key()).expect("held"));
    let work = turns.map(|turn| spawn(move || drop(turn)));
    share.leave(0);
    block_on(share.at_rest(0));
    assert!(share.is_at_rest(0) && share.begin(&key()).is_none());
    work.into_iter().for_each(ended);
}

/// A reconcile hears that its shard is lost, also when that is held anew before it looks.
pub fn a_loss_ends_what_is_under_way() {
    let share = held();
    let turn = share.begin(&key()).expect("held");
    let work = spawn(move || {
        assert_eq!(block_on(turn.unless_lost(pending::<()>())), None);
    });
    share.lose(0);
    share.gain(0);
    block_on(share.at_rest(0));
    ended(work);
}

/// What is gained while somebody looks and waits is told.
pub fn what_is_gained_is_told() {
    let share = Share::new(2, |_, client| client.clone());
    let mut gains = share.gains();
    let gaining = spawn(move || [0, 1].into_iter().for_each(|shard| share.gain(shard)));
    let mut told = 0;
    while told < 2 {
        told += block_on(gains.next()).len();
    }
    assert_eq!(told, 2, "each once");
    ended(gaining);
}

/// The careless share: the last reconcile ends between the look and the wait.
pub fn the_end_of_the_last_reconcile_is_missed() {
    let share = Arc::new(Careless::new(1));
    let waiter = Arc::clone(&share);
    let waiter = spawn(move || {
        block_on(waiter.wait_for(|under_way| (*under_way == 0).then_some(())));
    });
    share.change(Wake::All, |under_way| *under_way = 0);
    ended(waiter);
}
