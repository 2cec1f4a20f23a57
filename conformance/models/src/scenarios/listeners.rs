//! Listeners whose end somebody waits for: then no call of the handler is in progress, and none follows.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use loom::future::block_on;
use loom::sync::atomic::AtomicBool;
use loom::thread::{JoinHandle, spawn};

use super::cache::Tiny;
use super::ended;
use crate::change::Change;
use crate::hub::{Control, Desk, HandlerOptions, Hub, Post};
use crate::latest::Latest;
use crate::mistaken::{Calls, HandedOn, Mark, Slip};
use crate::store::Store;
use crate::sync::Flag;

/// What a handler works with, which is taken away from it after the end. Nothing is handed on by these flags: who
/// looks at them sees what the end of a call has handed on.
#[derive(Debug, Default)]
struct Lent {
    is_used: AtomicBool,
    is_taken_away: AtomicBool,
}

impl Lent {
    /// What the handler does in a call.
    fn is_used(&self) {
        assert!(!self.is_taken_away.load(Relaxed), "called after the end");
        self.is_used.store(true, Relaxed);
        self.is_used.store(false, Relaxed);
    }

    /// What is done after the end.
    fn is_taken_away(&self) {
        self.is_taken_away.store(true, Relaxed);
        assert!(!self.is_used.load(Relaxed), "called after the end");
    }
}

fn changes() -> [Change<Tiny>; 2] {
    let [old, new] = ["1", "2"].map(|version| Arc::new(Tiny(version)));
    [Change::Added { new: Arc::clone(&old), initial: false }, Change::Updated { old, new }]
}

/// A listener that is told of nothing yet, at a desk if there is one.
fn listener(desk: Option<&Desk<Tiny>>) -> (Hub<Tiny>, Arc<Post<Tiny>>) {
    let (mut hub, store) = (Hub::new(), Store::new());
    let group = desk.map(|desk| &desk.group);
    let options = HandlerOptions::default();
    let post = hub.subscribe(&options, Duration::ZERO, &store.snapshot(), false, group);
    if let Some(desk) = desk {
        desk.add(Arc::clone(&post));
    }
    (hub, post)
}

/// Calls a handler that uses what is lent to it.
fn serves(post: Arc<Post<Tiny>>, lent: &Arc<Lent>) -> JoinHandle<()> {
    let lent = Arc::clone(lent);
    spawn(move || block_on(post.serve(move |_: &Change<Tiny>| lent.is_used())))
}

/// Closes a listener and takes away what its handler works with.
fn ends(control: &Control, lent: &Lent) {
    control.close();
    block_on(control.calls().ended());
    lent.is_taken_away();
}

// ---- a listener at one copy ------------------------------------------------------------------------

/// Whether the listener is closed before a call, in it, or after it: who waits for its end is woken, and the
/// handler is not called any more.
pub fn the_end_of_a_listener_is_that_of_its_calls() {
    let lent = Arc::new(Lent::default());
    let (mut hub, post) = listener(None);
    let control = Arc::clone(&post.control);
    let serving = serves(post, &lent);
    hub.publish(&changes());
    ends(&control, &lent);
    ended(serving);
}

/// Two who wait for the end of a listener both hear of it.
pub fn everybody_who_waits_for_the_end_of_a_listener_hears_of_it() {
    let lent = Arc::new(Lent::default());
    let (mut hub, post) = listener(None);
    let control = Arc::clone(&post.control);
    hub.publish(&changes());
    let serving = serves(post, &lent);
    let (other, also) = (Arc::clone(&control), Arc::clone(&lent));
    let other = spawn(move || ends(&other, &also));
    ends(&control, &lent);
    ended(other);
    ended(serving);
}

/// A copy that stops in a call for certain closes the listener, and who waits for the end hears of that of the call.
pub fn the_end_of_a_listener_waits_for_the_call_in_progress() {
    let (lent, is_called) = (Arc::new(Lent::default()), Arc::new(Latest::new(false)));
    let (mut hub, post) = listener(None);
    let control = Arc::clone(&post.control);
    hub.publish(&changes());
    let (lending, calling) = (Arc::clone(&lent), Arc::clone(&is_called));
    let serving = spawn(move || {
        block_on(post.serve(move |_: &Change<Tiny>| {
            calling.change(|is_called| *is_called = true);
            lending.is_used();
        }));
    });
    block_on(is_called.wait_for(|is_called| is_called));
    hub.close();
    block_on(control.calls().ended());
    lent.is_taken_away();
    ended(serving);
}

// ---- a listener at several copies ------------------------------------------------------------------

/// A desk whose handler uses what is lent to it.
fn desk(lent: &Arc<Lent>) -> Arc<Desk<Tiny>> {
    let lent = Arc::clone(lent);
    Desk::of(move |_: &Change<Tiny>| lent.is_used())
}

fn serves_all(desk: &Arc<Desk<Tiny>>) -> JoinHandle<()> {
    let desk = Arc::clone(desk);
    spawn(move || block_on(desk.serve()))
}

/// Leaves every copy and takes away what the handler works with.
fn leaves(desk: &Desk<Tiny>, lent: &Lent) {
    desk.leave();
    block_on(desk.group.calls().ended());
    lent.is_taken_away();
}

/// Who leaves several copies waits for the one call that is in progress at any of them.
pub fn the_end_at_several_copies_is_that_of_all_calls() {
    let lent = Arc::new(Lent::default());
    let desk = desk(&lent);
    let [(mut one, _), (mut other, _)] = [listener(Some(&desk)), listener(Some(&desk))];
    other.publish(&changes());
    let serving = serves_all(&desk);
    one.publish(&changes());
    leaves(&desk, &lent);
    ended(serving);
}

/// The same while a copy is added that has something to tell.
pub fn a_copy_that_comes_at_the_end_is_not_told_of() {
    let lent = Arc::new(Lent::default());
    let desk = desk(&lent);
    let serving = serves_all(&desk);
    let comes = Arc::clone(&desk);
    let comes = spawn(move || {
        let (mut hub, post) = listener(Some(&comes));
        hub.publish(&changes());
        post
    });
    leaves(&desk, &lent);
    assert!(ended(comes).control.is_closed());
    ended(serving);
}

// ---- with a slip -----------------------------------------------------------------------------------

fn the_end_with<F: Mark>(slip: Slip) {
    let (calls, lent) = (Arc::new(Calls::<F>::new(slip)), Arc::new(Lent::default()));
    let (calling, lending) = (Arc::clone(&calls), Arc::clone(&lent));
    let serving = spawn(move || calling.call(|| lending.is_used()));
    calls.close();
    block_on(calls.ended());
    lent.is_taken_away();
    ended(serving);
}

/// Who says that it calls once it has seen that it may calls after the end.
pub fn a_call_that_is_told_late_follows_the_end() {
    the_end_with::<Flag>(Slip::ToldLate);
}

/// Who looks whether anybody waits before it says that the call is over leaves him waiting.
pub fn a_call_whose_end_looks_early_leaves_who_waits() {
    the_end_with::<Flag>(Slip::LooksEarly);
}

/// Flags without an order for all, of which neither side need see the other's.
pub fn a_call_whose_flags_have_no_order_follows_the_end() {
    the_end_with::<HandedOn>(Slip::Nowhere);
}

/// The same without a slip, to see that it is the slip that fails.
pub fn a_call_without_a_slip_is_over_at_the_end() {
    the_end_with::<Flag>(Slip::Nowhere);
}
