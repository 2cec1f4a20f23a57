//! How long failed daemons are left where they are.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::Object;
use watchkeeper_api::Time;
use watchkeeper_api::apps::v1::DaemonSet;

/// The first wait, the longest one, and after how long a failure is forgotten.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(15 * 60);
const FORGOTTEN: Duration = Duration::from_secs(30 * 60);

/// When daemons of one set were last replaced because they had failed, by node.
///
/// A kubelet may refuse a pod at once, each time; replacing it as fast would never end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Backoff {
    /// The set's uid, and its generation: another template may do better.
    of: (String, i64),
    nodes: BTreeMap<String, (Time, Duration)>,
}

impl Backoff {
    /// Begins anew if the set is another one or has changed.
    pub(crate) fn follow(&mut self, set: &DaemonSet) {
        let of = (set.uid().to_owned(), set.status.observed_generation);
        if self.of != of {
            *self = Self { of, nodes: BTreeMap::new() };
        }
    }

    /// Whether a failed daemon on `node` may be replaced now, which is remembered then; or from when on.
    pub(crate) fn replace(&mut self, node: &str, now: Time) -> Result<(), Time> {
        let before = self.nodes.get(node).filter(|(last, _)| now < *last + FORGOTTEN);
        let wait = match before {
            Some((last, wait)) if now < *last + *wait => return Err(*last + *wait),
            Some((_, wait)) => (*wait * 2).min(LONGEST),
            None => FIRST,
        };
        self.nodes.insert(node.to_owned(), (now, wait));
        Ok(())
    }
}
