//! What is made of an object when it is first wanted, and kept with it: its states in versions that a webhook
//! converts to.

use std::sync::Arc;

use serde_json::Value;

use super::Stored;
use super::chain::Chain;

/// What was made of one object: a state for each version that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Derived(Chain<(Version, Arc<Stored>)>);

/// A version of a kind, as its definition had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// `example.com/v1`.
    pub api_version: String,
    /// The generation of the definition: what was converted under another one counts no more.
    pub generation: i64,
}

impl Derived {
    /// The state in that version, if it is known.
    pub(crate) fn state(&self, version: &Version) -> Option<Arc<Stored>> {
        self.0.iter().find(|(of, _)| of == version).map(|(_, state)| Arc::clone(state))
    }

    /// Keeps the state in a version.
    pub(crate) fn keep_state(&self, version: Version, state: Arc<Stored>) {
        if self.state(&version).is_none() {
            self.0.add((version, state));
        }
    }
}

impl Stored {
    /// The same object as it is in another version; its metadata but for labels and annotations are
    /// those of this one.
    pub(crate) fn seen_as(&self, converted: &Value) -> Arc<Self> {
        let mut value = converted.clone();
        value["metadata"] = self.value()["metadata"].clone();
        for name in ["labels", "annotations"] {
            crate::meta::copy(&mut value, converted, &[name]);
        }
        Arc::new(self.in_version(value))
    }

    /// Where nothing but metadata that webhooks do not change became of `before`, its states in other
    /// versions are those of this object, too.
    pub(crate) fn inherit(&self, before: &Self) {
        if before.derived.0.is_empty() || !self.differs_in_metadata_only(before) {
            return;
        }
        for (version, state) in before.derived.0.iter() {
            self.derived.keep_state(version.clone(), self.seen_as(&state.value()));
        }
    }

    fn differs_in_metadata_only(&self, before: &Self) -> bool {
        let converted = |object: &Value| {
            let of = |name: &str| object["metadata"].get(name).cloned();
            (of("labels"), of("annotations"))
        };
        let members = |object: &Value| object.as_object().map_or(0, serde_json::Map::len);
        let (own, before) = (self.value(), before.value());
        let same = |(name, value): (&String, &Value)| {
            name == "metadata" || before.get(name) == Some(value)
        };
        members(&own) == members(&before)
            && own.as_object().is_some_and(|own| own.iter().all(same))
            && converted(&own) == converted(&before)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::key;
    use super::*;

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
        assert_eq!(seen.value()["metadata"]["resourceVersion"], "5");
        assert_eq!(seen.value()["metadata"]["labels"]["a"], "b");
        object.derived.keep_state(version("v2", 1), seen);
        assert_eq!(object.derived.state(&version("v2", 1)).expect("it").value()["spec"], 2);
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
        assert_eq!(seen.value()["metadata"]["resourceVersion"], "6");
        assert_eq!(seen.value()["metadata"]["deletionTimestamp"], "x");
        assert_eq!(seen.value()["metadata"]["labels"]["a"], "b");
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
