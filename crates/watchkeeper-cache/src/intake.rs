//! From what the server sent to what the copy keeps.

use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use watchkeeper_api::{Object, ObjectKey, Writable};

use crate::item::Item;
use crate::store::Store;
use crate::tasks::words;

/// Takes objects in.
pub(crate) trait Intake<K>: Send + Sync + 'static {
    /// What is kept of each.
    type Kept: Item;

    /// What to keep of `object`: what `known` has, if that is of the same version. Else why there is nothing.
    fn take(&self, object: K, known: &Store<Self::Kept>) -> Result<Arc<Self::Kept>, NotTaken>;

    /// How many bytes count of what is kept, where the server sent `sent` of them.
    fn size(&self, _kept: &Self::Kept, sent: usize) -> usize {
        sent
    }
}

/// Why nothing is kept of an object, and in which version of it.
pub(crate) struct NotTaken {
    pub(crate) version: Box<str>,
    pub(crate) reason: String,
}

/// Keeps objects as they are.
pub(crate) struct Whole;

impl<K: Object> Intake<K> for Whole {
    type Kept = K;

    fn take(&self, object: K, known: &Store<K>) -> Result<Arc<K>, NotTaken> {
        Ok(known.share(object))
    }
}

/// Keeps what a function makes of them.
pub(crate) struct Through<K, V>(Box<Transform<K, V>>);

type Transform<K, V> = dyn Fn(K) -> Result<V, String> + Send + Sync;

impl<K, V> Through<K, V> {
    pub(crate) fn new(transform: impl Fn(K) -> Result<V, String> + Send + Sync + 'static) -> Self {
        Self(Box::new(transform))
    }
}

impl<K: Object, V: Send + Sync + 'static> Intake<K> for Through<K, V> {
    type Kept = Transformed<V>;

    fn take(
        &self,
        object: K,
        known: &Store<Transformed<V>>,
    ) -> Result<Arc<Transformed<V>>, NotTaken> {
        let key = object.key();
        if let Some(known) = known.get(&key).filter(|known| known.is_of(&object)) {
            return Ok(known);
        }
        let (uid, version) = (object.uid().into(), object.resource_version().into());
        let reason = match catch_unwind(AssertUnwindSafe(|| (self.0)(object))) {
            Ok(Ok(value)) => return Ok(Arc::new(Transformed { key, uid, version, value })),
            Ok(Err(error)) => format!("the transform failed: {error}"),
            Err(panic) => format!("the transform panicked: {}", words(&*panic)),
        };
        Err(NotTaken { version, reason })
    }
}

/// What a transform made of an object, and which object that was.
///
/// It cannot be written: the server would lose what the transform left out. Key, uid and version are those of
/// the object, whatever the transform did to them, so that reads of own writes hold.
///
/// ```compile_fail,E0277
/// use watchkeeper_api::Writable;
/// use watchkeeper_cache::Transformed;
/// fn update(_: &impl Writable) {}
/// fn f(images: &Transformed<Vec<String>>) {
///     update(images);
/// }
/// ```
pub struct Transformed<V> {
    key: ObjectKey,
    uid: Box<str>,
    version: Box<str>,
    value: V,
}

impl<V> Transformed<V> {
    /// Namespace and name of the object.
    #[must_use]
    pub const fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// The uid of the object.
    #[must_use]
    pub const fn uid(&self) -> &str {
        &self.uid
    }

    /// The version of the object.
    #[must_use]
    pub const fn resource_version(&self) -> &str {
        &self.version
    }

    /// What the transform made.
    #[must_use]
    pub const fn value(&self) -> &V {
        &self.value
    }

    fn is_of<K: Object>(&self, object: &K) -> bool {
        !self.version.is_empty()
            && &*self.version == object.resource_version()
            && &*self.uid == object.uid()
    }
}

impl<V> Deref for Transformed<V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}

impl<V: Send + Sync + 'static> Item for Transformed<V> {
    fn item_key(&self) -> ObjectKey {
        self.key.clone()
    }

    fn item_uid(&self) -> &str {
        &self.uid
    }

    fn item_version(&self) -> &str {
        &self.version
    }
}

impl<V: fmt::Debug> fmt::Debug for Transformed<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transformed({} @{}, {:?})", self.key, self.version, self.value)
    }
}

/// Anything but a whole object, which could be written.
///
/// Whole objects have two implementations, everything else has one. `P` is always left to the compiler,
/// which does not find it for a whole object: "type annotations needed".
pub trait NotWhole<P> {}

impl<V> NotWhole<()> for V {}
impl<V: Writable> NotWhole<((),)> for V {}
