use std::sync::Mutex as StdMutex;
use std::time::Duration;

use tokio::time::sleep;

use super::*;
use crate::testing;

fn share(count: u32) -> Share {
    Share::new(count, |_shard, client| client.clone())
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::from(("shop", name))
}

/// Programs of two versions that share objects have to agree: these may never change.
#[test]
fn the_shard_of_an_object_stays() {
    let share = share(16);
    let shards = ["a", "b", "c", "map-1", "map-2"].map(|name| share.shard_of(&key(name)));
    assert_eq!(shards, [2, 9, 7, 13, 1]);
    assert_eq!(share.shard_of(&ObjectKey::from(("", "node-1"))), 7);
}

/// Also where names differ at their ends alone.
#[test]
fn shards_are_of_about_one_size() {
    let share = share(16);
    let mut sizes = [0_u32; 16];
    for number in 0..16_000 {
        let shard = share.shard_of(&ObjectKey::from((format!("tenant-{number}"), "main")));
        sizes[usize::try_from(shard).unwrap()] += 1;
    }
    assert!(sizes.iter().all(|size| (850..1150).contains(size)), "{sizes:?}");
    assert_eq!(self::share(0).shard_of(&key("a")), 0, "there is one at least");
}

#[test]
fn nothing_begins_that_is_not_held() {
    let share = share(1);
    assert!(share.begin(&key("a")).is_none() && !share.has(&key("a")));
    share.gain(0);
    let turn = share.begin(&key("a"));
    assert!(turn.is_some() && share.has(&key("a")) && !share.is_at_rest(0));
    share.leave(0);
    assert!(share.begin(&key("b")).is_none() && !share.is_at_rest(0), "what is under way goes on");
    drop(turn);
    assert!(share.is_at_rest(0) && share.held().is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_is_under_way_ends_with_a_loss_and_not_with_a_leave() {
    let share = share(1);
    share.gain(0);
    let turn = share.begin(&key("a")).expect("held");
    share.leave(0);
    assert_eq!(turn.unless_lost(async { sleep(Duration::from_secs(5)).await }).await, Some(()));
    share.gain(0);
    let loses = async {
        sleep(Duration::from_secs(1)).await;
        share.lose(0);
        // Held anew before who works has looked: the work is of the term before.
        share.gain(0);
    };
    let work = turn.unless_lost(pending::<()>());
    assert_eq!(tokio::join!(biased; work, loses), (None, ()));
    let rests = async {
        share.at_rest(0).await;
        share.is_at_rest(0)
    };
    let ends = async {
        sleep(Duration::from_secs(1)).await;
        drop(turn);
    };
    assert_eq!(tokio::join!(biased; rests, ends), (true, ()));
}

#[tokio::test(start_paused = true)]
async fn what_is_gained_is_told_once() {
    let share = share(4);
    share.gain(0);
    let mut gains = share.gains();
    share.gain(1);
    share.gain(2);
    share.leave(2);
    assert_eq!(gains.next().await, BTreeSet::from([1]), "what is held still");
    let told = StdMutex::new(Vec::new());
    let hears = async {
        let gained = gains.next().await;
        told.lock().expect("no panic").extend(gained);
    };
    let gives = async {
        sleep(Duration::from_secs(1)).await;
        assert!(told.lock().expect("no panic").is_empty(), "nothing twice");
        share.gain(1);
        share.gain(3);
    };
    tokio::join!(biased; hears, gives);
    assert_eq!(*told.lock().expect("no panic"), [1, 3], "what is gained again is told again");
}

/// Each shard has its client, and a shard that is not there nothing.
#[test]
fn a_shard_that_is_not_there_is_no_shard() {
    let asked = Arc::new(StdMutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    let share = Share::new(2, move |shard, client| {
        notes.lock().expect("no panic").push(shard);
        client.clone()
    });
    share.guard(1, &testing::nowhere());
    assert_eq!(*asked.lock().expect("no panic"), [1]);
    share.gain(7);
    share.lose(7);
    assert!(share.is_at_rest(7) && share.held().is_empty());
}

/// Each of the sixteen knows its own.
#[test]
fn work_is_of_the_shard_of_its_object() {
    let share = share(16);
    for name in ["a", "b", "map-2"] {
        let shard = share.shard_of(&key(name));
        share.gain(shard);
        let turn = share.begin(&key(name)).expect("held");
        assert_eq!(turn.shard(), shard, "{name}");
    }
    assert_eq!(format!("{share:?}"), "Share({1, 2, 9} of 16)");
}

/// What is under way of one object does not end with what is of another.
#[tokio::test(start_paused = true)]
async fn a_shard_is_at_rest_when_the_last_work_on_it_has_ended() {
    let share = share(1);
    share.gain(0);
    let (first, second) = (share.begin(&key("a")), share.begin(&key("b")));
    drop(first);
    assert!(!share.is_at_rest(0));
    let ends = async {
        sleep(Duration::from_secs(1)).await;
        drop(second);
    };
    let start = tokio::time::Instant::now();
    tokio::join!(biased; share.at_rest(0), ends);
    assert!(share.is_at_rest(0));
    assert_eq!(start.elapsed(), Duration::from_secs(1));
}

/// A loss of a shard ends no work on another one.
#[tokio::test(start_paused = true)]
async fn work_ends_with_the_loss_of_its_own_shard() {
    let share = share(16);
    let (one, other) = (share.shard_of(&key("a")), share.shard_of(&key("b")));
    share.gain(one);
    share.gain(other);
    let turn = share.begin(&key("a")).expect("held");
    let loses = async {
        sleep(Duration::from_secs(1)).await;
        share.lose(other);
    };
    let work = turn.unless_lost(sleep(Duration::from_secs(5)));
    assert_eq!(tokio::join!(biased; work, loses), (Some(()), ()));
}

#[test]
fn a_source_may_ask_for_what_is_held_and_if_it_is_told_so_for_what_was_gained_alone() {
    let share = share(16);
    let shards = ["a", "b", "c"].map(|name| share.shard_of(&key(name)));
    share.gain(shards[0]);
    share.gain(shards[1]);
    let may = |only: &Only| ["a", "b", "c"].map(|name| only.has(&key(name)));
    assert_eq!(may(&Only::default()), [true; 3], "of a controller that shares nothing");
    let held = Only { share: Some(share.clone()), gained: None };
    assert_eq!(may(&held), [true, true, false]);
    let gained = |which: usize| Some(Arc::new(BTreeSet::from([shards[which]])));
    let second = Only { share: Some(share.clone()), gained: gained(1) };
    assert_eq!(may(&second), [false, true, false]);
    let lost_again = Only { share: Some(share), gained: gained(2) };
    assert_eq!(may(&lost_again), [false; 3]);
}

#[tokio::test(start_paused = true)]
async fn who_has_all_objects_gains_none() {
    let mut gains = Gains::none();
    let gained = tokio::time::timeout(Duration::from_secs(3600), gains.next());
    assert!(gained.await.is_err());
}
