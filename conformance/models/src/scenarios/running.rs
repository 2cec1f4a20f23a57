//! Those who run controllers: stops, switches, sources that have told all, what is added meanwhile, the fence
//! of a leader.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use loom::future::block_on;
use loom::thread::spawn;
use tokio::time::Instant;
use watchkeeper_api::MicroTime;
use watchkeeper_controller::Clock;

use super::ended;
use crate::fence::{Fence, Until};
use crate::mistaken::{Careless, Unforwarded, Wake};
use crate::runnable::{Group, Registry, Runnable};
use crate::stop::Stop;
use crate::switch::ControllerPhase::Working;
use crate::switch::Switch;
use crate::told::Told;

// ---- stops -----------------------------------------------------------------------------------------

/// Everybody who waits for a stop hears of it, and of it who asks when it was requested.
pub fn a_stop_is_heard_by_everybody() {
    let (stopper, stop) = Stop::channel();
    let waiter = || {
        let stop = stop.clone();
        spawn(move || block_on(stop.requested()))
    };
    let waiters = [waiter(), waiter()];
    drop(stopper);
    waiters.into_iter().for_each(ended);
    block_on(stop.requested());
}

/// The careless stop: it is requested between the look and the wait.
pub fn a_careless_stop_is_missed() {
    let stop = Arc::new(Careless::new(false));
    let waiter = Arc::clone(&stop);
    let waiter = spawn(move || block_on(waiter.wait_for(|stop| stop.then_some(()))));
    stop.change(Wake::All, |stop| *stop = true);
    ended(waiter);
}

// ---- switches --------------------------------------------------------------------------------------

/// Who turns a controller off hears that it has stopped, though the next run has begun when it looks.
pub fn a_switch_tells_of_a_stop_that_is_over() {
    let switch = Arc::new(Switch::default());
    let stopping = Arc::clone(&switch);
    let first = switch.enter();
    first.is(Working);
    let stopping = spawn(move || block_on(stopping.off()));
    block_on(switch.is_turned(false));
    drop(first);
    let next = switch.enter();
    next.is(Working);
    ended(stopping);
    drop(next);
}

/// Who turns a controller off does not wait for ever when somebody has turned it on before it was seen.
pub fn a_switch_turned_on_again_keeps_nobody() {
    let switch = Arc::new(Switch::default());
    let run = switch.enter();
    run.is(Working);
    let stopping = Arc::clone(&switch);
    let stopping = spawn(move || block_on(stopping.off()));
    block_on(switch.is_turned(false));
    switch.on();
    ended(stopping);
    drop(run);
}

/// The careless switch: who waits until nothing runs misses the moment between two runs.
pub fn a_careless_switch_misses_a_stop() {
    #[derive(Clone, Copy)]
    struct Controller {
        wanted: bool,
        runs: bool,
    }
    let switch = Arc::new(Careless::new(Controller { wanted: true, runs: true }));
    let stopping = Arc::clone(&switch);
    let stopping = spawn(move || {
        stopping.change(Wake::All, |controller| controller.wanted = false);
        block_on(stopping.wait_for(|controller| (!controller.runs).then_some(())));
    });
    // As often as one pleases, to be found by the other.
    while switch.look(|controller| controller.wanted) {
        loom::thread::yield_now();
    }
    switch.change(Wake::All, |controller| controller.runs = false);
    switch.change(Wake::All, |controller| controller.runs = true);
    ended(stopping);
}

// ---- what is said once -----------------------------------------------------------------------------

/// Something that is said once.
trait Says: Default + Send + Sync + 'static {
    fn say(&self);
    fn heard(&self) -> impl Future<Output = ()> + Send;
}

impl Says for Told {
    fn say(&self) {
        self.say();
    }

    fn heard(&self) -> impl Future<Output = ()> + Send {
        self.all()
    }
}

impl Says for Unforwarded {
    fn say(&self) {
        self.say();
    }

    fn heard(&self) -> impl Future<Output = ()> + Send {
        self.all()
    }
}

fn two_who_ask<S: Says>() {
    let told = Arc::new(S::default());
    let waiter = || {
        let told = Arc::clone(&told);
        spawn(move || block_on(told.heard()))
    };
    let waiters = [waiter(), waiter()];
    told.say();
    waiters.into_iter().for_each(ended);
}

/// Whoever asks hears that a source has told all there was.
pub fn what_is_said_once_is_heard_by_all() {
    two_who_ask::<Told>();
}

/// The same where who hears it does not pass it on.
pub fn what_is_not_passed_on_is_heard_by_one() {
    two_who_ask::<Unforwarded>();
}

/// Who turns away while it is said leaves it to the others.
pub fn what_is_said_once_outlives_who_turns_away() {
    let told = Arc::new(Told::default());
    let (leaver, stayer) = (Arc::clone(&told), Arc::clone(&told));
    let leaver = spawn(move || {
        let mut asking = pin!(leaver.all());
        let _heard = asking.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    });
    let stayer = spawn(move || block_on(stayer.all()));
    told.say();
    ended(leaver);
    ended(stayer);
}

// ---- what is added while it runs -------------------------------------------------------------------

/// Whatever is added to a manager that runs is found by the one who starts it.
pub fn what_is_added_is_started() {
    let registry = Arc::new(Registry::default());
    let adds = |name: &'static str| {
        let registry = Arc::clone(&registry);
        spawn(move || {
            let run = |_stop| async { Ok::<(), watchkeeper_api::Error>(()) };
            registry.add(Runnable::once(name, Group::Leading, run));
        })
    };
    let adders = [adds("one"), adds("other")];
    let mut started = 0;
    while started < adders.len() {
        started += registry.take(Group::Leading).expect("two names").len();
        if started < adders.len() {
            block_on(registry.added(Group::Leading));
        }
    }
    adders.into_iter().for_each(ended);
}

/// The same where what is said while nobody waits is not kept.
pub fn what_is_added_between_look_and_wait_is_missed() {
    let registry = Arc::new(Careless::new(0));
    let adding = Arc::clone(&registry);
    let adding = spawn(move || adding.change(Wake::All, |added| *added += 1));
    block_on(registry.wait_for(|added| (*added == 1).then_some(())));
    ended(adding);
}

// ---- the fence -------------------------------------------------------------------------------------

fn open_fence() -> Fence {
    let fence = Fence::new("shop/lease".to_owned(), Clock::system());
    let at = Instant::now() + Duration::from_secs(3600);
    fence.open(Until { at, date: MicroTime::from_unix_micros(i64::MAX) });
    fence
}

/// Who waits for a fence to come to rest hears of the last write that has ended.
pub fn a_fence_comes_to_rest_with_its_last_write() {
    let fence = open_fence();
    let writes = || {
        let fence = fence.clone();
        spawn(move || drop(fence.begin()))
    };
    let writers = [writes(), writes()];
    fence.close();
    let doubt = block_on(fence.at_rest());
    assert!(fence.begin().is_none(), "it is closed");
    assert_eq!(block_on(fence.at_rest()), doubt, "nothing was under way any more");
    writers.into_iter().for_each(ended);
}

/// A write on its way is given up when the fence closes.
pub fn a_write_on_its_way_hears_of_the_end() {
    let fence = open_fence();
    let writing = fence.clone();
    let writing = spawn(move || {
        let write = writing.begin()?;
        block_on(write.answer(std::future::pending::<()>()))
    });
    fence.close();
    assert_eq!(ended(writing), None);
    block_on(fence.at_rest());
}

/// The careless fence: the last write ends between the look and the wait.
pub fn a_careless_fence_sleeps_beside_no_write() {
    let under_way = Arc::new(Careless::new(1));
    let writing = Arc::clone(&under_way);
    let writing = spawn(move || writing.change(Wake::All, |under_way| *under_way -= 1));
    block_on(under_way.wait_for(|under_way| (*under_way == 0).then_some(())));
    ended(writing);
}
