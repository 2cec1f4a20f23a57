//! Which item of a list is which item of another one.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

use serde_json::Value;

#[cfg(test)]
mod tests;

/// So many pairs of items are compared in search of those that are most alike: 256 changed items among 256.
/// In longer lists the order tells which is which, so that a hostile one costs no square of its length.
const MOST_PAIRS: usize = 256 * 256;

/// For each item of `after` the place in `before` of the item that it was; no place comes twice. `key` is the
/// member that tells the items apart, where the kind is known to have one.
///
/// Equal items are one, wherever they stand. Of the others, items of one identity may be one, and items that
/// nothing names if most of their members are equal: those that are most alike, or, where more than
/// [`MOST_PAIRS`] pairs could be, the first and the first, the second and the second.
pub(super) fn origins(
    before: &[Value],
    after: &[Value],
    key: Option<&'static str>,
) -> Vec<Option<usize>> {
    let mut pairs = Pairs {
        before,
        after,
        key,
        origins: vec![None; after.len()],
        taken: vec![false; before.len()],
    };
    pairs.equal();
    for group in pairs.groups() {
        pairs.pair(&group);
    }
    if before.len() == after.len() {
        pairs.in_place(|old, new| identity(old, key).is_none() && identity(new, key).is_none());
    }
    pairs.origins
}

struct Pairs<'a> {
    before: &'a [Value],
    after: &'a [Value],
    key: Option<&'static str>,
    origins: Vec<Option<usize>>,
    taken: Vec<bool>,
}

/// The places of the items of one identity, or of all that have none.
#[derive(Default)]
struct Group {
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Pairs<'_> {
    fn take(&mut self, old: usize, new: usize) {
        if !self.taken[old] && self.origins[new].is_none() {
            self.taken[old] = true;
            self.origins[new] = Some(old);
        }
    }

    fn in_place(&mut self, are_one: impl Fn(&Value, &Value) -> bool) {
        for at in 0..self.before.len().min(self.after.len()) {
            if are_one(&self.before[at], &self.after[at]) {
                self.take(at, at);
            }
        }
    }

    /// Items that did not change: those that did not move before the others.
    fn equal(&mut self) {
        self.in_place(|old, new| old == new);
        let mut free: HashMap<&Value, VecDeque<usize>> = HashMap::new();
        for (old, value) in self.before.iter().enumerate() {
            if !self.taken[old] {
                free.entry(value).or_default().push_back(old);
            }
        }
        for (new, value) in self.after.iter().enumerate() {
            if self.origins[new].is_none()
                && let Some(old) = free.get_mut(value).and_then(VecDeque::pop_front)
            {
                self.take(old, new);
            }
        }
    }

    /// The objects that are left, by identity.
    fn groups(&self) -> Vec<Group> {
        let mut groups = Groups::default();
        for (old, value) in self.before.iter().enumerate() {
            if !self.taken[old] && value.is_object() {
                groups.of(identity(value, self.key)).before.push(old);
            }
        }
        for (new, value) in self.after.iter().enumerate() {
            if self.origins[new].is_none() && value.is_object() {
                groups.of(identity(value, self.key)).after.push(new);
            }
        }
        groups.all
    }

    fn pair(&mut self, group: &Group) {
        if group.before.len().saturating_mul(group.after.len()) > MOST_PAIRS {
            self.in_order(group);
        } else {
            self.most_alike(group);
        }
    }

    /// Those with the most equal members first: names need not be unique.
    fn most_alike(&mut self, group: &Group) {
        let mut alike = Vec::new();
        for &new in &group.after {
            for &old in &group.before {
                let equal = self.likeness(old, new);
                alike.extend(equal.map(|equal| (equal, old, new)));
            }
        }
        // Stable: of equally like ones, the order of the list decides.
        alike.sort_by_key(|(equal, _, _)| Reverse(*equal));
        for (_, old, new) in alike {
            self.take(old, new);
        }
    }

    fn in_order(&mut self, group: &Group) {
        for (&old, &new) in group.before.iter().zip(&group.after) {
            if self.likeness(old, new).is_some() {
                self.take(old, new);
            }
        }
    }

    /// How many members of two items of one group are equal, if they can be one item. Of items that nothing
    /// names, most members have to be.
    fn likeness(&self, old: usize, new: usize) -> Option<usize> {
        let (old, new) = (&self.before[old], &self.after[new]);
        let (before, after) = (old.as_object()?, new.as_object()?);
        let equal = before.iter().filter(|(name, value)| after.get(*name) == Some(value)).count();
        let is_named = identity(old, self.key).is_some();
        (is_named || equal * 2 > before.len()).then_some(equal)
    }
}

type Identity<'a> = (&'static str, &'a Value);

/// Groups, in the order in which their identities were met.
#[derive(Default)]
struct Groups<'a> {
    all: Vec<Group>,
    places: HashMap<Option<Identity<'a>>, usize>,
}

impl<'a> Groups<'a> {
    fn of(&mut self, identity: Option<Identity<'a>>) -> &mut Group {
        let place = *self.places.entry(identity).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push(Group::default());
        }
        &mut self.all[place]
    }
}

/// The value of the key, or of what most lists of Kubernetes are keyed by.
fn identity<'a>(item: &'a Value, key: Option<&'static str>) -> Option<Identity<'a>> {
    let of = |key: &'static str| {
        item.get(key).filter(|value| !value.is_null()).map(|value| (key, value))
    };
    let usual = || {
        let named = ["name", "key", "type", "ip", "uid"].into_iter();
        named.filter_map(of).find(|(_, value)| value.is_string())
    };
    key.and_then(of).or_else(usual)
}
