//! Parts of a kind's objects, by hash, so that several processes can share the work (KEP-5866).

use std::fmt;

use watchkeeper_api::Object;

/// How many hashes there are.
const ALL: u128 = 1 << 64;

/// The objects whose hash is in one range. Every object is in one of the shards of a count, and stays there.
///
/// The hash is 64 bits of FNV-1a over the uid or the namespace, as servers have it, so that what a server
/// selects and what [`has`](Self::has) tells are the same.
///
/// ```
/// use watchkeeper_client::Shard;
/// let second = Shard::of(1, 4).ok_or("no such shard")?;
/// assert_eq!(
///     second.to_string(),
///     "shardRange(object.metadata.uid, '0x4000000000000000', '0x8000000000000000')",
/// );
/// assert!(Shard::of(4, 4).is_none(), "they are counted from zero");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    by: By,
    /// The first hash, and the first that is not in it any more.
    range: (u128, u128),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Uid,
    Namespace,
}

impl Shard {
    /// The shard of this number, from zero, of so many of the same size, by uid. `None` if there are not so
    /// many.
    #[must_use]
    pub fn of(number: u32, count: u32) -> Option<Self> {
        let bound = |number: u64| u128::from(number) * ALL / u128::from(count);
        (number < count).then(|| Self {
            by: By::Uid,
            range: (bound(number.into()), bound(u64::from(number) + 1)),
        })
    }

    /// The same range of the hashes of namespaces: the objects of a namespace stay together.
    #[must_use]
    pub const fn by_namespace(self) -> Self {
        Self { by: By::Namespace, ..self }
    }

    /// Whether an object is in it.
    #[must_use]
    pub fn has(&self, object: &impl Object) -> bool {
        self.has_uid(object.uid(), object.namespace().unwrap_or_default())
    }

    /// The same of an object of which no more is known than its uid and its namespace, which is empty for
    /// objects of the cluster.
    #[must_use]
    pub fn has_uid(&self, uid: &str, namespace: &str) -> bool {
        let hash = u128::from(match self.by {
            By::Uid => fnv(uid),
            By::Namespace => fnv(namespace),
        });
        self.range.0 <= hash && hash < self.range.1
    }
}

/// As servers read it.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self.by {
            By::Uid => "uid",
            By::Namespace => "namespace",
        };
        let (from, to) = self.range;
        write!(f, "shardRange(object.metadata.{by}, '0x{from:016x}', '0x{to:016x}')")
    }
}

/// FNV-1a of 64 bits.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use watchkeeper_api::{Object as _, Unstructured, json};

    use super::*;

    /// The vectors that the algorithm's authors publish.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv("foobar"), 0x8594_4171_f739_67e8);
    }

    fn object(uid: &str, namespace: &str) -> Unstructured {
        let text = format!(
            r#"{{"apiVersion":"v1","kind":"A","metadata":{{"name":"a","namespace":"{namespace}","uid":"{uid}"}}}}"#
        );
        json::from_str(&text).expect("an object")
    }

    #[test]
    fn the_last_shard_ends_where_the_hashes_do() {
        let last = Shard::of(1, 2).expect("a shard");
        let text = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";
        assert_eq!(last.to_string(), text);
        let only = Shard::of(0, 1).expect("a shard").by_namespace();
        let text =
            "shardRange(object.metadata.namespace, '0x0000000000000000', '0x10000000000000000')";
        assert_eq!(only.to_string(), text);
        assert_eq!(Shard::of(0, 0), None);
    }

    proptest! {
        #[test]
        fn every_object_is_in_one_shard(uid in "[0-9a-f-]{36}", count in 1_u32..50) {
            let object = object(&uid, "shop");
            let shards = (0..count).filter_map(|number| Shard::of(number, count));
            prop_assert_eq!(shards.filter(|shard| shard.has(&object)).count(), 1);
        }

        #[test]
        fn a_namespace_stays_together(one in "[0-9a-f]{8}", two in "[0-9a-f]{8}", count in 1_u32..9) {
            let (one, two) = (object(&one, "shop"), object(&two, "shop"));
            prop_assert_eq!(one.namespace(), two.namespace());
            for number in 0..count {
                let shard = Shard::of(number, count).expect("a shard").by_namespace();
                prop_assert_eq!(shard.has(&one), shard.has(&two));
            }
        }
    }
}
