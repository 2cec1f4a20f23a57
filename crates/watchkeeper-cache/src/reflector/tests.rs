//! The state against a model of a server, with a fault at any point: whatever happens, the copy ends as the
//! server is, and a handler that believes its changes never hears anything impossible.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{ObjectKey, StaticKind};

use super::apply;
use super::message::{Class, EventKind, Input, Next, Page, Step, Trouble};
use super::state::State;
use crate::change::Change;
use crate::core::{Core, Scope};
use crate::delta::Delta;
use crate::delta_queue::DeltaQueue;
use crate::hub::HandlerOptions;
use crate::item::Item;
use crate::store::Store;
use crate::tasks::Tasks;
use crate::testing::{Tiny, tiny};

/// A server with a past of limited length. Every name lives in `default`.
#[derive(Default)]
struct Server {
    objects: BTreeMap<ObjectKey, Tiny>,
    past: Vec<(u64, EventKind, Tiny)>,
    revision: u64,
    compacted: u64,
    next_uid: u64,
}

impl Server {
    fn put(&mut self, name: u8) {
        self.revision += 1;
        let key = ObjectKey::from(("default", &*format!("o{name}")));
        let (kind, uid) = match self.objects.get(&key) {
            Some(old) => (EventKind::Modified, old.uid.clone()),
            None => {
                self.next_uid += 1;
                (EventKind::Added, self.next_uid.to_string())
            }
        };
        let object = tiny(&format!("o{name}#{uid}@{}", self.revision));
        self.objects.insert(key, object.clone());
        self.past.push((self.revision, kind, object));
    }

    fn remove(&mut self, name: u8) {
        if let Some(mut last) = self.objects.remove(&("default", &*format!("o{name}")).into()) {
            self.revision += 1;
            last.version = self.revision.to_string();
            self.past.push((self.revision, EventKind::Deleted, last));
        }
    }

    fn list(&self) -> Vec<Arc<Tiny>> {
        self.objects.values().cloned().map(Arc::new).collect()
    }
}

/// A watch that is open: what it has not told yet.
struct Stream {
    /// The present state, and the version to mark its end with.
    state: Option<(Vec<Arc<Tiny>>, u64)>,
    told: u64,
}

/// What happens next, apart from answers.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Put(u8),
    Remove(u8),
    Compact,
    /// The next thing asked is answered so.
    Fail(Class),
    /// The open watch ends.
    End,
    /// The open watch carries this error.
    Error(Class),
    /// What was asked is answered; of a watch, the next event.
    Answer,
    Bookmark,
}

fn class() -> impl Strategy<Value = Class> {
    prop_oneof![
        Just(Class::Expired),
        Just(Class::Busy { retry_after: None }),
        Just(Class::Unreachable),
        Just(Class::Internal),
        Just(Class::Broken),
        Just(Class::Other),
    ]
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        8 => (0..6_u8).prop_map(Turn::Put),
        4 => (0..6_u8).prop_map(Turn::Remove),
        1 => Just(Turn::Compact),
        2 => class().prop_map(Turn::Fail),
        1 => Just(Turn::End),
        1 => class().prop_map(Turn::Error),
        20 => Just(Turn::Answer),
        1 => Just(Turn::Bookmark),
    ];
    prop::collection::vec(turn, 0..200)
}

/// The reflector, the copy, and a handler that checks what it is told.
struct World {
    server: Server,
    stream: Option<Stream>,
    state: State<Tiny>,
    next: Next,
    now: Duration,
    store: Store<Tiny>,
    told: BTreeMap<ObjectKey, Tiny>,
    /// Whether the server can stream the present state.
    watch_list: bool,
    lists: u32,
}

impl World {
    fn new(watch_list: bool) -> Self {
        let mut state = State::new(3, String::new());
        let next = state.start();
        Self {
            // No server is at version 0.
            server: Server { revision: 1, ..Server::default() },
            stream: None,
            state,
            next,
            now: Duration::ZERO,
            store: Store::new(),
            told: BTreeMap::new(),
            watch_list,
            lists: 0,
        }
    }

    fn turn(&mut self, turn: Turn) {
        match turn {
            Turn::Put(name) => self.server.put(name),
            Turn::Remove(name) => self.server.remove(name),
            Turn::Compact => self.server.compacted = self.server.revision,
            Turn::Fail(class) => match self.next {
                Next::List(_) | Next::Watch(_) => self.fail(class),
                Next::Read { .. } | Next::Sleep { .. } => {}
            },
            Turn::Error(class) => match self.next {
                Next::Read { .. } => self.fail(class),
                Next::List(_) | Next::Watch(_) | Next::Sleep { .. } => {}
            },
            Turn::End => match self.next {
                Next::Read { .. } => self.give(Input::Closed),
                Next::List(_) | Next::Watch(_) | Next::Sleep { .. } => {}
            },
            Turn::Bookmark => self.bookmark(),
            Turn::Answer => self.answer(),
        }
    }

    fn fail(&mut self, class: Class) {
        self.give(Input::Failed(Trouble { class, text: String::new() }));
    }

    fn give(&mut self, input: Input<Tiny>) {
        let Step { emit, next } = self.state.step(input, self.now);
        self.next = next;
        if !matches!(self.next, Next::Read { .. }) {
            self.stream = None;
        }
        let changes = emit.map_or_else(Vec::new, |delta| self.store.apply(delta));
        changes.iter().for_each(|change| self.hear(change));
    }

    /// What a handler may be told: no addition of what is there, no update across lives, no second
    /// deletion, no version that is older than the last.
    fn hear(&mut self, change: &Change<Tiny>) {
        let object = (**change.object()).clone();
        let known = self.told.get(&object.item_key());
        let newer = |known: &Tiny| number(&known.version) < number(&object.version);
        match change {
            Change::Added { .. } => assert_eq!(known, None, "{change}"),
            Change::Updated { old, .. } => {
                assert_eq!(known, Some(&**old), "{change}");
                assert!(old.uid == object.uid && newer(old), "{change}");
            }
            Change::Deleted { final_state_unknown, .. } => {
                let known = known.expect("known before it is deleted");
                assert_eq!(known.uid, object.uid, "{change}");
                assert!(*final_state_unknown || newer(known), "{change}");
            }
        }
        if change.is_deleted() {
            self.told.remove(&object.item_key());
        } else {
            self.told.insert(object.item_key(), object);
        }
    }

    fn answer(&mut self) {
        match self.next.clone() {
            Next::List(call) => {
                self.lists += 1;
                let asked = call.version.parse().unwrap_or(0);
                if self.server.compacted > asked && asked > 0 && self.lists.is_multiple_of(2) {
                    return self.fail(Class::Expired);
                }
                self.give(Input::Page(Page {
                    items: self
                        .server
                        .list()
                        .into_iter()
                        .map(|o| self.store.share((*o).clone()))
                        .collect(),
                    unreadable: Vec::new(),
                    version: self.server.revision.to_string(),
                    more: None,
                }));
            }
            Next::Watch(call) if call.initial_events && !self.watch_list => self.fail(Class::Other),
            Next::Watch(call) => {
                let from = number(&call.version);
                if !call.initial_events && from < self.server.compacted {
                    return self.fail(Class::Expired);
                }
                let state = call.initial_events.then(|| (self.server.list(), self.server.revision));
                let told = state.as_ref().map_or(from, |(_, revision)| *revision);
                self.stream = Some(Stream { state, told });
                self.give(Input::Opened);
            }
            Next::Read { .. } => self.read(),
            Next::Sleep { until } => {
                self.now = until;
                self.give(Input::Woken);
            }
        }
    }

    fn read(&mut self) {
        let Some(stream) = &mut self.stream else { return self.give(Input::Closed) };
        if let Some((state, revision)) = &mut stream.state {
            let input = match state.pop() {
                Some(object) => Input::Event(EventKind::Added, object),
                None => {
                    let version = revision.to_string();
                    stream.state = None;
                    Input::Bookmark { version, initial_events_end: true }
                }
            };
            return self.give(input);
        }
        if stream.told < self.server.compacted {
            return self.fail(Class::Expired);
        }
        let next = self.server.past.iter().find(|(revision, ..)| *revision > stream.told);
        let Some((revision, kind, object)) = next.cloned() else { return };
        stream.told = revision;
        self.give(Input::Event(kind, Arc::new(object)));
    }

    /// A bookmark says: nothing else happened up to here. It is only sent when that is so.
    fn bookmark(&mut self) {
        let Some(stream) = &self.stream else { return };
        if stream.state.is_none() && stream.told == self.server.revision && stream.told > 0 {
            let version = stream.told.to_string();
            self.give(Input::Bookmark { version, initial_events_end: false });
        }
    }

    /// Nothing fails any more: until the copy has everything.
    fn settle(&mut self) {
        for _ in 0..2000 {
            self.turn(Turn::Answer);
        }
    }
}

fn number(version: &str) -> u64 {
    version.parse().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn whatever_happens_the_copy_converges(turns in turns(), watch_list in any::<bool>()) {
        let mut world = World::new(watch_list);
        for turn in turns {
            world.turn(turn);
        }
        world.settle();
        prop_assert!(world.store.list().iter().map(|o| &**o).eq(world.server.objects.values()));
        prop_assert_eq!(&world.told, &world.server.objects);
    }
}

/// The checker can fail: a copy that forgets what vanished during a relist is caught.
#[test]
#[should_panic(expected = "add default/o1")]
fn a_handler_that_missed_a_deletion_is_noticed() {
    let mut world = World::new(true);
    let object = Arc::new(tiny("o1#1@1"));
    world.hear(&Change::Added { new: Arc::clone(&object), initial: true });
    world.hear(&Change::Added { new: Arc::new(tiny("o1#2@5")), initial: false });
}

/// C-67: a queue that is never empty does not keep a resync from being told.
#[tokio::test(start_paused = true)]
async fn c_67_a_resync_that_is_due_is_told_before_what_waits() {
    let (tasks, told) = (Arc::new(Tasks::default()), Arc::new(Mutex::new(Vec::new())));
    let scope = Scope {
        kind: ConfigMap::static_kind().clone(),
        named: Arc::default(),
        what: "tiny things".to_owned(),
        namespace: None,
        name: None,
        selection: crate::selection::Selection::default(),
    };
    let core = Core::new(scope, &tasks);
    core.take(Delta::Added(Arc::new(tiny("a@1"))));
    let telling = Arc::clone(&told);
    let options = HandlerOptions { resync: Some(Duration::from_secs(10)), ..Default::default() };
    let _control = core.subscribe(&options, move |change: &Change<Tiny>| {
        telling.lock().unwrap().push(change.to_string());
    });
    let queue = DeltaQueue::new(16);
    for version in 6..8 {
        let object = tiny(&format!("a@{version}"));
        queue.push(Delta::Updated(Arc::new(object))).await.unwrap();
    }
    queue.close();
    tokio::join!(tasks.run(), async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        apply(&core, &queue).await;
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        tasks.stop();
    });
    let expected = [
        "add default/a @1 (initial)",
        "resync default/a @1",
        "update default/a @1 -> @6",
        "update default/a @6 -> @7",
    ];
    assert_eq!(*told.lock().unwrap(), expected);
}
