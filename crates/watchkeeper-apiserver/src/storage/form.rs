//! Objects written before their definition got the schema that it has now.
//!
//! What a schema drops and fills in is dropped and filled in on reads, too (apiextensions,
//! `crdConversionRESTOptionsGetter`), by the schema of the version an object was written in. Here
//! that happens once, when the definition changes, so reads of the present pay nothing; states of
//! the past are brought into form when somebody looks at them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use watchkeeper_schema::{Schema, Schemas, defaults, prune};

use super::{Event, Stored};
use crate::schemas::metadata;

/// The schemas of a table's objects, by `apiVersion`.
pub type VersionSchemas = BTreeMap<String, Arc<Schema>>;

/// The schemas, and since when they hold.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// Objects up to this revision were written under other schemas.
    pub(super) since: u64,
    pub(super) schemas: VersionSchemas,
}

/// Drops and fills in what a schema drops and fills in.
pub fn shape(value: &mut Value, schema: &Schema) {
    let schema = Schemas::builtin().at(schema);
    prune::prune(value, schema, true);
    metadata::decode_stored(value, schema);
    defaults::drop_nulls(value, schema);
    defaults::default_values(value, schema);
}

impl Form {
    /// The object in this form; none when it is in form already.
    pub(super) fn of(&self, stored: &Arc<Stored>) -> Option<Arc<Stored>> {
        if stored.revision > self.since {
            return None;
        }
        let written = stored.written.as_ref().unwrap_or(stored);
        let was = written.peek();
        let version = was["apiVersion"].as_str().unwrap_or_default();
        let mut value = Value::clone(&was);
        if let Some(schema) = self.schemas.get(version) {
            shape(&mut value, schema);
        }
        if value == *stored.peek() {
            return None;
        }
        if value == *was {
            return Some(Arc::clone(written));
        }
        let (key, head) = (written.key.clone(), Some(&written.head));
        let shown = Stored::of(key, written.revision, value, head);
        Some(Arc::new(Stored { written: Some(Arc::clone(written)), ..shown }))
    }

    /// The event with its states in this form.
    pub(super) fn of_event(&self, event: &Arc<Event>) -> Arc<Event> {
        if event.revision > self.since {
            return Arc::clone(event);
        }
        let shown = |stored: &Arc<Stored>| self.of(stored).unwrap_or_else(|| Arc::clone(stored));
        Arc::new(Event {
            revision: event.revision,
            table: event.table.clone(),
            change: event.change,
            object: shown(&event.object),
            previous: event.previous.as_ref().map(shown),
        })
    }
}
