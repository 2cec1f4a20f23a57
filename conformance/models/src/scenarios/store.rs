//! The store's locks: readers beside a writer, and two writers.

use std::sync::Arc;

use loom::thread::spawn;
use watchkeeper_api::ObjectKey;

use super::ended;
use crate::change::Change;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::mistaken::Piecemeal;
use crate::store::{Index, Store};

/// An object with a name and a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Named(&'static str, &'static str);

impl Item for Named {
    fn item_key(&self) -> ObjectKey {
        ObjectKey::from(self.0)
    }

    fn item_uid(&self) -> &str {
        self.0
    }

    fn item_version(&self) -> &str {
        self.1
    }
}

fn list(version: &'static str) -> Delta<Named> {
    let items = ["a", "b"].map(|name| Arc::new(Named(name, version))).into();
    Delta::Replaced(Replacement {
        items,
        unreadable: Vec::new(),
        nameless: false,
        version: version.to_owned(),
    })
}

/// Where a reader looks.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Up by its key.
    Key(&'static str),
    /// Through everything in order.
    Order,
    /// Under a value of an index.
    Index,
    /// At the version alone.
    Version,
}

/// What happens to the copy that a reader looks at.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A list with another version of both objects, each behind a lock of its own.
    List,
    /// An event with another version of the first.
    Update,
    /// The end of the first.
    Delete,
    /// A list that the first is not in any more.
    Vanish,
}

impl Step {
    fn delta(self) -> Delta<Named> {
        let a = Arc::new(Named("a", "2"));
        match self {
            Self::List => list("2"),
            Self::Update => Delta::Updated(a),
            Self::Delete => Delta::Deleted(a),
            Self::Vanish => Delta::Replaced(Replacement {
                items: vec![Arc::new(Named("b", "2"))],
                unreadable: Vec::new(),
                nameless: false,
                version: "2".to_owned(),
            }),
        }
    }

    /// What it is to be seen by.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::List | Self::Vanish => &["a", "b"],
            Self::Update | Self::Delete => &["a"],
        }
    }

    /// Every place where it is to be seen.
    pub fn places(self) -> impl Iterator<Item = Place> {
        let keys = self.names().iter().map(|name| Place::Key(name));
        keys.chain([Place::Order, Place::Index, Place::Version])
    }
}

/// Whether a place shows what was before the step (1) or what is after it (2); never a part of both. What is
/// gone shows as 2.
fn look(store: &Store<Named>, index: &Index<Named, &'static str>, place: Place, step: Step) -> u8 {
    let version = |object: Option<Arc<Named>>| object.map_or(2, |object| number(object.1));
    let among = |found: &[Arc<Named>]| {
        let of = |name: &&str| found.iter().find(|object| object.0 == *name).cloned();
        let mut seen = step.names().iter().map(|name| version(of(name)));
        let first = seen.next().expect("a name");
        assert!(seen.all(|other| other == first), "half of it: {found:?}");
        first
    };
    match place {
        Place::Key(name) => version(store.get(&ObjectKey::from(name))),
        Place::Order => among(&store.list()),
        Place::Index => among(&index.get("all")),
        Place::Version => number(&store.version()),
    }
}

fn number(version: &str) -> u8 {
    version.parse().expect("a number")
}

/// Who has seen a step in one place does not see what was before it in another.
pub fn a_step_is_seen_as_one(step: Step, first: Place, second: Place) {
    let store = Store::new();
    let index = store.index(|_: &Named| ["all"]);
    store.apply(list("1"));
    let writing = store.clone();
    let writing = spawn(move || drop(writing.apply(step.delta())));
    let seen = look(&store, &index, first, step);
    let then = look(&store, &index, second, step);
    assert!(then >= seen, "{then} after {seen}");
    ended(writing);
    assert_eq!(look(&store, &index, first, step), 2);
}

/// Of two writers one is the first: the other knows what that one wrote, and tells it as what was before.
pub fn two_writers_take_turns() {
    let store = Store::new();
    store.apply(list("1"));
    let listing = store.clone();
    let listing = spawn(move || listing.apply(list("2")));
    let mut told = store.apply(Delta::Updated(Arc::new(Named("b", "3"))));
    told.extend(ended(listing));
    let of_b = |change: &Change<Named>| match change {
        Change::Updated { old, new } if new.0 == "b" => Some((old.1, new.1)),
        _ => None,
    };
    let mut steps: Vec<_> = told.iter().filter_map(of_b).collect();
    steps.sort_unstable();
    let last = match steps[..] {
        [("1", "2"), ("2", "3")] => "3",
        [("1", "3"), ("3", "2")] => "2",
        _ => panic!("told {steps:?}"),
    };
    let b = store.get(&ObjectKey::from("b")).expect("it is there");
    assert_eq!((b.1, store.list()[1].1), (last, last));
}

/// An index that is made beside a writer has what the writer wrote.
pub fn a_late_index_misses_nothing() {
    let store = Store::new();
    store.apply(list("1"));
    let writing = store.clone();
    let writing = spawn(move || drop(writing.apply(list("2"))));
    let index = store.index(|object: &Named| [object.1]);
    ended(writing);
    assert_eq!(index.get("2").len(), 2, "{:?}", index.values());
    assert_eq!(index.values(), ["2"]);
}

/// A copy whose writer lets go of one lock before it takes the next shows half a list.
pub fn a_piecemeal_copy_shows_half_a_list() {
    let copy = Arc::new(Piecemeal::default());
    let writing = Arc::clone(&copy);
    let writing = spawn(move || writing.change(2));
    let seen = copy.get(0);
    let then = copy.get(1);
    assert!(then >= seen, "{then} after {seen}");
    ended(writing);
}
