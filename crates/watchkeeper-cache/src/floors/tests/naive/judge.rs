//! What is asked of reads, by looking through all that happened.

use super::*;

impl Naive {
    /// Whether an answer that shows this of an object lacks an own write from before.
    fn lacks(&self, key: &ObjectKey, seal: u64) -> Option<&Own> {
        let shown = self.shown(key);
        let is_since =
            |since: u64| (since..=self.head()).any(|version| self.selected(version, key) == shown);
        let is_one_of = |lives: [Option<&String>; 2]| {
            shown.as_ref().is_some_and(|shown| lives.contains(&Some(&shown.uid)))
        };
        self.own.iter().filter(|own| own.ticket < seal && !own.is_void).find(|own| {
            if own.over.is_none() {
                return own.touched.holds(key);
            }
            let of_key = own.effects.iter().flatten().filter(|(of, _)| of == key);
            let newest = of_key.map(|(_, version)| *version).max();
            match &own.outcome {
                // Of lives that nobody knew of it tells only that they are over, and what was shown then.
                Outcome::Deleted { uid, .. } if !own.knows(uid) => {
                    own.touched.holds(key) && is_one_of([Some(uid), own.shown.as_ref()])
                }
                Outcome::Absent => own.touched.holds(key) && is_one_of([None, own.shown.as_ref()]),
                _ => newest.is_some_and(|version| !is_since(version)),
            }
        })
    }

    /// Whether anything that happened is a reason to wait with a read of an object.
    fn has_reason(&self, key: &ObjectKey, seal: u64) -> bool {
        let shown = self.shown(key);
        let is_spoiled = self.spoiled.contains_key(key);
        let shown_at = shown.as_ref().map_or(0, |shown| shown.version.parse().unwrap());
        let newest = shown_at.max(self.reached);
        let is_due = |version: u64| version > newest;
        let is_missed = |version: u64| is_spoiled && version > shown_at;
        let of_writes = self.own.iter().any(|own| {
            let is_before = own.ticket < seal;
            if own.crossed.is_some() && own.touched.holds(key) {
                return true;
            }
            match &own.outcome {
                _ if own.over.is_none() => is_before && own.touched.holds(key),
                Outcome::Unknown(_)
                    if !own.is_doubted || !self.known_since(own, key).is_empty() =>
                {
                    let known = self.known_since(own, key);
                    let is_over =
                        self.later(own, key).any(|later| later.has_ended(key, shown.as_ref()));
                    is_before
                        && (is_over
                            || known.iter().any(|version| is_due(*version) || is_missed(*version)))
                }
                _ if own.is_doubted => {
                    own.touched.holds(key)
                        || matches!(own.touched, Touched::New(_)) && shown.is_none()
                }
                Outcome::Stored { key: of, version, .. } => {
                    let version = version.parse::<u64>().unwrap();
                    let is_due = is_due(version) && !own.is_void;
                    is_before && of == key && (is_due || is_missed(version))
                }
                Outcome::Deleted { .. } | Outcome::Absent => {
                    is_before && own.has_ended(key, shown.as_ref())
                }
                Outcome::Nothing | Outcome::Unknown(_) => false,
            }
        });
        of_writes
            || self.told.iter().any(|&Told { ref question, version, .. }| {
                question.is_of(key) && (version > newest || is_spoiled && version > shown_at)
            })
    }

    /// What the answers to writes told that began after one whose answer was lost.
    fn known_since(&self, lost: &Own, key: &ObjectKey) -> Vec<u64> {
        let told = self.later(lost, key).filter_map(|own| match &own.outcome {
            Outcome::Stored { key: of, version, .. } if of == key => version.parse().ok(),
            _ => None,
        });
        told.collect()
    }

    /// The writes that are over and began after one of this object whose answer was lost: who waited for that waits
    /// for what they were told.
    fn later(&self, lost: &Own, key: &ObjectKey) -> impl Iterator<Item = &Own> {
        let lost = lost.over.filter(|_| lost.touched == Touched::One(key.clone()));
        let is_later = move |own: &&Own| lost.is_some_and(|over| over < own.began);
        self.own.iter().filter(|own| own.over.is_some()).filter(is_later)
    }

    /// Whether there may be something to be read: where an answer was lost, what a later one told is waited for
    /// instead.
    fn is_there(&self, key: &ObjectKey, seal: u64) -> bool {
        let is_lost = |own: &Own| {
            matches!(own.outcome, Outcome::Unknown(_))
                && own.ticket < seal
                && own.touched.holds(key)
        };
        let until = if self.own.iter().any(is_lost) { self.own.len() as u64 } else { seal };
        (seal..=until.max(seal)).any(|seal| self.was_left(key, seal))
    }

    /// Whether the last that this process did, or was told, left something to be read.
    fn was_left(&self, key: &ObjectKey, seal: u64) -> bool {
        let own = self.own.iter().filter(|own| own.ticket < seal && own.over.is_some());
        if own.clone().any(|own| own.is_void && own.touched.holds(key)) {
            return true;
        }
        let effects = own.flat_map(|own| own.effects.iter().flatten());
        let newest = effects.filter(|(of, _)| of == key).map(|(_, version)| *version).max();
        let newest = newest.unwrap_or_default();
        let told =
            self.told.iter().filter(|told| told.question.is_of(key) && told.version >= newest);
        let mut last =
            told.map(|told| told.version).chain([newest].into_iter().filter(|at| *at > 0));
        // Where only the server knows what is selected, what is there may be, and another may have selected it since.
        let may_be = self.is_vague || self.selected(self.at, key).is_some();
        last.any(|version| self.state(version, key).is_some_and(|(_, is_in)| is_in || may_be))
    }

    pub(super) fn read(&mut self, key: &ObjectKey, seal: u64) -> Option<Held> {
        let copy = self.copy();
        let held = self.floors.held(key, copy.seen(key), self.reading(seal));
        match held {
            None => {
                assert!(self.lacks(key, seal).is_none(), "{key} lacks {:?}", self.lacks(key, seal));
            }
            Some(ref held) => {
                assert!(
                    !matches!(held, Held::Unread(_)) || self.is_there(key, seal),
                    "{key} is over"
                );
                assert!(self.has_reason(key, seal), "{key} is held for nothing: {held}");
            }
        }
        held
    }

    pub(super) fn list(&mut self, namespace: Option<&str>, seal: u64) -> Option<Held> {
        let (copy, reading) = (self.copy(), self.reading(seal));
        let held = self.floors.held_in(namespace, &copy, reading);
        let is_in =
            |key: &ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let keys: Vec<ObjectKey> = self.keys().into_iter().filter(|key| is_in(key)).collect();
        let begun = |own: &Own| own.over.is_none() && own.ticket < seal;
        let is_open = self.own.iter().any(|own| {
            (begun(own) || own.is_doubted || own.crossed.is_some())
                && own.touched.may_be_in(namespace)
        });
        match held {
            None => {
                let lacking = keys.iter().find_map(|key| self.lacks(key, seal));
                assert!(lacking.is_none(), "a list in {namespace:?} lacks {lacking:?}");
                let is_under_way =
                    self.own.iter().any(|own| begun(own) && own.touched.may_be_in(namespace));
                assert!(!is_under_way, "a list in {namespace:?} is answered beside a write");
            }
            Some(ref held) => assert!(
                is_open || keys.iter().any(|key| self.has_reason(key, seal)),
                "a list in {namespace:?} is held for nothing: {held}"
            ),
        }
        held
    }
}
