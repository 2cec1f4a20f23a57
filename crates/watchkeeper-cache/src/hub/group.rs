//! One listener at several copies: it has a place at each, and is told by one task, each place in its turn.
//!
//! The places ring when something waits there, and whoever tells takes one letter a ring. So no namespace keeps
//! the others from being heard, none that is silent costs anything, and no lock is held while users' code runs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::{Calls, Control, Post, Taken};
use crate::change::Change;
use crate::item::Item;
use crate::lock::lock;
use crate::sync::{Flag, Mutex, Notify};

/// What the places of one listener have in common, whatever the objects are.
pub(crate) struct Group {
    turns: Mutex<Turns>,
    /// For who tells: a place has rung, or it is over.
    wake: Notify,
    over: Flag,
    lagged: AtomicBool,
    pub(super) calls: Arc<Calls>,
}

#[derive(Default)]
struct Turns {
    places: BTreeMap<u64, Place>,
    next: u64,
    /// Who has rung, each once, the first first.
    rung: VecDeque<u64>,
}

struct Place {
    control: Weak<Control>,
    has_rung: bool,
}

impl Group {
    fn new() -> Self {
        Self {
            turns: Mutex::new(Turns::default()),
            wake: Notify::new(),
            over: Flag::new(false),
            lagged: AtomicBool::new(false),
            calls: Calls::new(),
        }
    }

    pub(crate) fn calls(&self) -> Arc<Calls> {
        Arc::clone(&self.calls)
    }

    /// A place more, and its number.
    pub(super) fn join(&self, control: Weak<Control>) -> u64 {
        let mut turns = lock(&self.turns);
        let number = turns.next;
        turns.next += 1;
        turns.places.insert(number, Place { control, has_rung: false });
        number
    }

    fn leave(&self, number: u64) {
        lock(&self.turns).places.remove(&number);
    }

    /// Something waits at a place, or it has ended.
    pub(super) fn ring(&self, number: u64) {
        {
            let mut turns = lock(&self.turns);
            let Turns { places, rung, .. } = &mut *turns;
            if let Some(place) = places.get_mut(&number).filter(|place| !place.has_rung) {
                place.has_rung = true;
                rung.push_back(number);
            }
        }
        self.wake.notify_one();
    }

    fn turn(&self) -> Option<u64> {
        let mut turns = lock(&self.turns);
        let number = turns.rung.pop_front()?;
        if let Some(place) = turns.places.get_mut(&number) {
            place.has_rung = false;
        }
        Some(number)
    }

    /// Ends every place: the listener has left.
    pub(crate) fn end(&self) {
        let controls: Vec<_> = {
            let turns = lock(&self.turns);
            self.over.set(true);
            turns.places.values().filter_map(|place| place.control.upgrade()).collect()
        };
        controls.iter().for_each(|control| control.close());
        self.wake.notify_one();
    }

    /// Ends every place, because the listener was too slow at one of them.
    pub(super) fn lag(&self) {
        self.lagged.store(true, Ordering::Release);
        self.end();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.is_set()
    }

    /// The same for a place that has joined and is whole: either the end has found it, or it finds the end here.
    pub(super) fn has_ended(&self) -> bool {
        // In one order with the end, which a look at the flag alone is not.
        let _turns = lock(&self.turns);
        self.over.is_set()
    }

    pub(crate) fn is_lagged(&self) -> bool {
        self.lagged.load(Ordering::Acquire)
    }
}

type Handler<K> = Box<dyn FnMut(&Change<K>) + Send>;

/// Where the letters of one listener lie, those of each copy apart.
pub(crate) struct Desk<K> {
    pub(crate) group: Arc<Group>,
    posts: Mutex<BTreeMap<u64, Arc<Post<K>>>>,
    /// Until it is told the first time. A task that is never run does not hold it, since it may hold who runs
    /// the task.
    handler: Mutex<Option<Handler<K>>>,
}

/// What there is to tell.
pub(crate) enum Next<K> {
    Letter(Arc<Post<K>>, Taken<K>),
    /// Nothing, for now.
    Nothing,
    /// Nothing, ever.
    Over,
}

impl<K: Item> Desk<K> {
    /// For one who asks for each letter.
    pub(crate) fn new() -> Arc<Self> {
        Self::made(None)
    }

    /// For a handler, which [`serve`](Self::serve) calls.
    pub(crate) fn of(handler: impl FnMut(&Change<K>) + Send + 'static) -> Arc<Self> {
        Self::made(Some(Box::new(handler)))
    }

    fn made(handler: Option<Handler<K>>) -> Arc<Self> {
        Arc::new(Self {
            group: Arc::new(Group::new()),
            posts: Mutex::new(BTreeMap::new()),
            handler: Mutex::new(handler),
        })
    }

    /// The listener leaves.
    pub(crate) fn leave(&self) {
        self.group.end();
        let (handler, posts) =
            (lock(&self.handler).take(), std::mem::take(&mut *lock(&self.posts)));
        // What they hold may be the last of what they listen to: not under a lock.
        drop((handler, posts));
    }

    /// Takes in the letters of a place that was made for this group.
    pub(crate) fn add(&self, post: Arc<Post<K>>) {
        let Some((_, number)) = &post.control.group else { return };
        let number = *number;
        lock(&self.posts).insert(number, post);
        // What came before this found no post.
        self.group.ring(number);
    }

    /// Takes the next letter, of each place that has any in its turn.
    pub(crate) fn take(&self) -> Next<K> {
        loop {
            if self.group.is_over() {
                let posts = std::mem::take(&mut *lock(&self.posts));
                drop(posts);
                return Next::Over;
            }
            let Some(number) = self.group.turn() else { return Next::Nothing };
            let Some(post) = lock(&self.posts).get(&number).cloned() else { continue };
            match post.take() {
                Some(taken) => {
                    if post.control.pending() > 0 {
                        self.group.ring(number);
                    }
                    return Next::Letter(post, taken);
                }
                None if post.control.is_closed() => {
                    self.group.leave(number);
                    let left = lock(&self.posts).remove(&number);
                    drop(left);
                }
                None => {}
            }
        }
    }

    /// Waits until [`take`](Self::take) is worth another look.
    pub(crate) async fn rung(&self) {
        // One task waits here, and a notice given before it does is kept for it.
        self.group.wake.notified().await;
    }

    /// Calls the handler for each change, until the listener has left.
    pub(crate) async fn serve(self: Arc<Self>) {
        let Some(mut handler) = lock(&self.handler).take() else { return };
        loop {
            match self.take() {
                Next::Letter(post, taken) => post.hand(taken, &mut *handler).await,
                Next::Nothing => self.rung().await,
                Next::Over => return,
            }
            tokio::task::coop::consume_budget().await;
        }
    }
}
