//! Objects that are converted together, and what becomes of them.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use watchkeeper_schema::{Schemas, defaults, prune};

use super::answer::{self, Wrong};
use super::{TIMEOUT, Webhook};
use crate::admission::{CallError, Question, Subject};
use crate::rng::Rng;
use crate::schemas::metadata;
use crate::storage::{Stored, Tree};

/// The most bytes of objects in one call, unless a single one has more: what comes back must fit into
/// what is read of an answer.
const MOST_BYTES: usize = 1 << 20;

/// Objects of other versions that are wanted in this one.
#[derive(Clone)]
pub(crate) struct Batch {
    pub(crate) webhook: Arc<Webhook>,
    /// The `apiVersion` that is wanted.
    pub(crate) desired: String,
    pub(crate) objects: Vec<Arc<Stored>>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({} to {})", self.objects.len(), self.desired)
    }
}

/// A batch that has been answered.
#[derive(Clone, Debug)]
pub(crate) struct Converted {
    batch: Batch,
    outcome: Result<Vec<Arc<Stored>>, String>,
}

impl Batch {
    /// The questions about these objects, in calls that are not too large.
    ///
    /// # Errors
    ///
    /// Why nobody can be asked.
    pub(crate) fn questions(
        webhook: &Arc<Webhook>,
        desired: &str,
        objects: Vec<Arc<Stored>>,
        rng: &mut Rng,
    ) -> Result<Vec<Question>, String> {
        let (mut batches, mut size) = (Vec::<Vec<Arc<Stored>>>::new(), 0);
        for object in objects {
            size += object.tail.len();
            match batches.last_mut().filter(|_| size <= MOST_BYTES) {
                Some(batch) => batch.push(object),
                None => {
                    size = object.tail.len();
                    batches.push(vec![object]);
                }
            }
        }
        let batch = |objects| {
            let (webhook, desired) = (Arc::clone(webhook), desired.to_owned());
            Self { webhook, desired, objects }
        };
        batches.into_iter().map(|objects| batch(objects).question(rng)).collect()
    }

    fn question(self, rng: &mut Rng) -> Result<Question, String> {
        let uid = rng.uuid();
        let trees: Vec<Tree> = self.objects.iter().map(|object| object.peek()).collect();
        let objects: Vec<&Value> = trees.iter().map(|tree| &**tree).collect();
        let mut call = self.webhook.call(&uid, &self.desired, &objects)?;
        call.timeout = TIMEOUT;
        Ok(Question { subject: Subject::Conversion(self), uid, call })
    }

    /// Takes the answer; what was converted is kept with the objects.
    pub(crate) fn settle(self, uid: &str, body: Result<Bytes, CallError>) -> Converted {
        let outcome = self.read(uid, body);
        if let Ok(converted) = &outcome {
            let version = self.webhook.version(&self.desired);
            for (object, state) in self.objects.iter().zip(converted) {
                object.derived.keep_state(version.clone(), Arc::clone(state));
            }
        }
        Converted { batch: self, outcome }
    }

    fn read(&self, uid: &str, body: Result<Bytes, CallError>) -> Result<Vec<Arc<Stored>>, String> {
        let said = |why: &str| format!("conversion webhook for {} {why}", self.kind());
        let version = self.webhook.review_version.unwrap_or_default();
        let objects = body
            .map_err(|CallError(why)| why)
            .and_then(|body| answer::objects(&body, version, uid))
            .map_err(|why| said(&format!("failed: {why}")))?;
        let (got, expected) = (objects.len(), self.objects.len());
        if got != expected {
            return Err(said(&format!("returned {got} objects, expected {expected}")));
        }
        let originals = self.objects.iter().enumerate();
        originals
            .zip(objects)
            .map(|((index, original), converted)| {
                let accepted = answer::accept(&original.peek(), converted, &self.desired);
                let mut value = accepted.map_err(|wrong| self.told(index, wrong, said))?;
                coerce(&self.webhook, &self.desired, &mut value);
                Ok(Arc::new(original.in_version(value)))
            })
            .collect()
    }

    /// Of several objects the place of the one that is wrong is told.
    fn told(&self, index: usize, wrong: Wrong, said: impl Fn(&str) -> String) -> String {
        let several = self.objects.len() > 1;
        let converted = if several { "converted " } else { "" };
        let (what, why) = match wrong {
            Wrong::Unreadable(why) if !several => return why,
            Wrong::Unreadable(why) => (format!("converted object at index {index}"), why),
            Wrong::Type(why) => (format!("{converted}object at index {index}"), why),
            Wrong::Object(why) if several => (format!("converted object at index {index}"), why),
            Wrong::Object(why) => ("object".to_owned(), why),
            Wrong::Metadata(why) if several => {
                (format!("metadata in object at index {index}"), why)
            }
            Wrong::Metadata(why) => ("metadata".to_owned(), why),
        };
        said(&format!("returned invalid {what}: {why}"))
    }

    /// `example.com/v1, Kind=Foo`, of the first object.
    fn kind(&self) -> String {
        let value = self.objects.first().map(|object| object.peek());
        let text =
            |name: &str| value.as_ref().and_then(|value| value[name].as_str()).unwrap_or_default();
        format!("{}, Kind={}", text("apiVersion"), text("kind"))
    }
}

/// Drops what the schema of the version does not know.
fn coerce(webhook: &Webhook, api_version: &str, value: &mut Value) {
    if let Some(schema) = webhook.schemas.get(api_version) {
        let schema = Schemas::builtin().at(schema);
        prune::prune(value, schema, true);
        metadata::decode(value, schema);
        defaults::drop_nulls(value, schema);
    }
}

impl Converted {
    /// What became of an object in a version, if it was asked about.
    pub(crate) fn of(
        &self,
        webhook: &Webhook,
        desired: &str,
        object: &Arc<Stored>,
    ) -> Option<Result<Arc<Stored>, String>> {
        let Batch { webhook: asked, desired: version, objects } = &self.batch;
        if version != desired || !asked.is_same(webhook) {
            return None;
        }
        let is = |one: &Arc<Stored>| Arc::ptr_eq(one, object) || one.is_same(object);
        let at = objects.iter().position(is)?;
        Some(self.outcome.as_ref().map(|states| Arc::clone(&states[at])).map_err(Clone::clone))
    }

    /// What became of the object with that key.
    pub(crate) fn at(&self, webhook: &Webhook, desired: &str, key: &str) -> Option<Arc<Stored>> {
        let object = self.batch.objects.iter().find(|object| &*object.key == key)?;
        self.of(webhook, desired, object)?.ok()
    }

    /// Why nothing was converted.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.outcome.as_ref().err().map(String::as_str)
    }
}
