//! What is made of an object when it is first wanted, and kept with it: protobuf messages, and its
//! states in versions that a webhook converts to.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::Value;

use super::Stored;

/// What was made of one object: a message for each model, since the versions of a kind may differ in
/// shape, and a state for each version that was asked for. A chain that only grows, so an object of
/// which nothing was made has one word for it.
#[derive(Clone, Debug, Default)]
pub struct Derived(OnceLock<Box<Link>>);

#[derive(Clone, Debug)]
struct Link {
    made: Made,
    others: Derived,
}

#[derive(Clone, Debug)]
enum Made {
    Message { model: String, message: Bytes },
    State { version: Version, state: Arc<Stored> },
}

/// A version of a kind, as its definition had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// `example.com/v1`.
    pub api_version: String,
    /// The generation of the definition: what was converted under another one counts no more.
    pub generation: i64,
}

impl Derived {
    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.0.get(), |link| link.others.0.get()).map(|link| &**link)
    }

    /// Adds to the end of the chain; what was added at the same time by others stays before it.
    fn add(&self, mut made: Made) {
        let mut at = self;
        loop {
            match at.0.set(Box::new(Link { made, others: Self::default() })) {
                Ok(()) => return,
                Err(back) => made = back.made,
            }
            match at.0.get() {
                Some(link) => at = &link.others,
                None => return,
            }
        }
    }

    /// The message of that model; `make` makes it the first time.
    pub(crate) fn message(&self, model: &str, make: impl FnOnce() -> Bytes) -> Bytes {
        let known = self.links().find_map(|link| match &link.made {
            Made::Message { model: of, message } if of == model => Some(message.clone()),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let message = make();
            self.add(Made::Message { model: model.to_owned(), message: message.clone() });
            message
        })
    }

    /// The state in that version, if it is known.
    pub(crate) fn state(&self, version: &Version) -> Option<Arc<Stored>> {
        self.links().find_map(|link| match &link.made {
            Made::State { version: of, state } if of == version => Some(Arc::clone(state)),
            _ => None,
        })
    }

    /// Keeps the state in a version.
    pub(crate) fn keep_state(&self, version: Version, state: Arc<Stored>) {
        if self.state(&version).is_none() {
            self.add(Made::State { version, state });
        }
    }
}

impl Stored {
    /// The same object as it is in another version; its metadata but for labels and annotations are
    /// those of this one.
    pub(crate) fn seen_as(&self, converted: &Value) -> Arc<Self> {
        let mut value = converted.clone();
        value["metadata"] = self.value["metadata"].clone();
        for name in ["labels", "annotations"] {
            crate::meta::copy(&mut value, converted, &[name]);
        }
        let tail = super::tail(&value);
        let (key, revision, derived) = (self.key.clone(), self.revision, Derived::default());
        Arc::new(Self { key, revision, value, tail, derived, written: None })
    }

    /// Where nothing but metadata that webhooks do not change became of `before`, its states in other
    /// versions are those of this object, too.
    pub(crate) fn inherit(&self, before: &Self) {
        if before.derived.0.get().is_none() || !self.differs_in_metadata_only(before) {
            return;
        }
        for link in before.derived.links() {
            if let Made::State { version, state } = &link.made {
                self.derived.keep_state(version.clone(), self.seen_as(&state.value));
            }
        }
    }

    fn differs_in_metadata_only(&self, before: &Self) -> bool {
        let converted = |object: &Value| {
            let of = |name: &str| object["metadata"].get(name).cloned();
            (of("labels"), of("annotations"))
        };
        let members = |object: &Value| object.as_object().map_or(0, serde_json::Map::len);
        let same = |(name, value): (&String, &Value)| {
            name == "metadata" || before.value.get(name) == Some(value)
        };
        members(&self.value) == members(&before.value)
            && self.value.as_object().is_some_and(|own| own.iter().all(same))
            && converted(&self.value) == converted(&before.value)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::super::key;
    use super::*;

    #[test]
    fn each_model_has_its_own_message_and_it_is_made_once() {
        let (derived, made) = (Derived::default(), Cell::new(0));
        let get = |model: &str| {
            derived.message(model, || {
                made.set(made.get() + 1);
                Bytes::from(model.to_owned())
            })
        };
        for model in ["v1", "v2", "v1beta1", "v2", "v1", "v1beta1"] {
            assert_eq!(get(model), model);
        }
        assert_eq!(made.get(), 3);
    }

    fn stored(revision: u64, value: Value) -> Stored {
        Stored::new(key("", "a"), revision, value)
    }

    fn version(name: &str, generation: i64) -> Version {
        Version { api_version: format!("example.com/{name}"), generation }
    }

    #[test]
    fn a_state_counts_for_its_version_and_generation() {
        let object = stored(5, json!({"metadata": {"name": "a"}, "spec": 1}));
        let seen = object.seen_as(&json!({"metadata": {"labels": {"a": "b"}}, "spec": 2}));
        assert_eq!(seen.value["metadata"]["resourceVersion"], "5");
        assert_eq!(seen.value["metadata"]["labels"]["a"], "b");
        object.derived.keep_state(version("v2", 1), seen);
        assert_eq!(object.derived.state(&version("v2", 1)).expect("it").value["spec"], 2);
        assert!(object.derived.state(&version("v2", 2)).is_none());
        assert!(object.derived.state(&version("v3", 1)).is_none());
    }

    #[test]
    fn states_are_inherited_where_only_metadata_changed() {
        let before = stored(5, json!({"metadata": {"name": "a"}, "spec": 1}));
        let state = before.seen_as(&json!({"metadata": {"labels": {"a": "b"}}, "spec": 2}));
        before.derived.keep_state(version("v2", 1), state);
        let marked = json!({"metadata": {"name": "a", "deletionTimestamp": "x"}, "spec": 1});
        let marked = stored(6, marked);
        marked.inherit(&before);
        let seen = marked.derived.state(&version("v2", 1)).expect("a state");
        assert_eq!(seen.value["metadata"]["resourceVersion"], "6");
        assert_eq!(seen.value["metadata"]["deletionTimestamp"], "x");
        assert_eq!(seen.value["metadata"]["labels"]["a"], "b");
        for other in [
            json!({"metadata": {"name": "a"}, "spec": 2}),
            json!({"metadata": {"name": "a"}}),
            json!({"metadata": {"name": "a", "labels": {"c": "d"}}, "spec": 1}),
        ] {
            let other = stored(6, other);
            other.inherit(&before);
            assert!(other.derived.state(&version("v2", 1)).is_none());
        }
    }
}
