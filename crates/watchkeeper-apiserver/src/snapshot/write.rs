//! From a store to YAML.

use serde_json::Value;
use watchkeeper_schema::yaml;

use super::documents::LIMITS;
use super::kinds::{DEFINITIONS, Kinds};
use crate::clock::Now;
use crate::deep;
use crate::journal::Record;
use crate::restore::records;
use crate::storage::Store;

/// What an export begins with; the revision comes behind it.
pub(super) const HEADER: &str = "# What a server of Watchkeeper holds at revision ";

/// What a server holds at one moment: the server can go on while it is written.
pub(crate) struct Picture {
    revision: u64,
    records: Vec<Record>,
}

impl Picture {
    /// What is in a store now. Definitions and namespaces come first, for whoever creates one object after the
    /// other; then it goes by table and key.
    pub(crate) fn of(store: &Store) -> Self {
        let mut records = records(store, Now::default());
        records.sort_by_key(|record| match &*record.table {
            DEFINITIONS => 0,
            "namespaces" => 1,
            _ => 2,
        });
        Self { revision: store.revision(), records }
    }

    /// The same as YAML, a document for each object.
    pub(crate) fn text(&self) -> String {
        // Without room for a large stack every object is as its JSON says, which nothing has to be read for.
        let documents = deep::run(|| self.documents()).unwrap_or_else(|| {
            let lines = self.records.iter().filter_map(Record::json).map(|json| line(&json));
            lines.fold(String::new(), begun)
        });
        format!("{HEADER}{}.\n{documents}", self.revision)
    }

    fn documents(&self) -> String {
        let mut kinds = Kinds::builtin();
        for record in self.records.iter().filter(|record| &*record.table == DEFINITIONS) {
            kinds.define(&value(record));
        }
        let (mut left_out, mut documents) = (String::new(), String::new());
        for record in &self.records {
            let value = value(record);
            if is_known(&kinds, record, &value) {
                documents = begun(documents, document(record, &value));
            } else {
                left_out.push_str("# Left out, as no definition says what it is: ");
                left_out.extend([&*record.table, " ", &*record.key, "\n"]);
            }
        }
        left_out + &documents
    }
}

/// Adds a document to others.
fn begun(mut documents: String, document: String) -> String {
    documents.push_str("---\n");
    documents.push_str(&document);
    documents
}

fn value(record: &Record) -> Value {
    let json = record.json().unwrap_or_default();
    deep::read(&json).unwrap_or_default()
}

/// Whether who reads it finds the table that it is in.
fn is_known(kinds: &Kinds, record: &Record, value: &Value) -> bool {
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    let kind = kinds.find(text("apiVersion"), text("kind"));
    kind.is_some_and(|kind| kind.table == record.table)
}

/// An object in blocks. What would be read otherwise than it is, such as one that nests too deep, is JSON on a
/// line, which is YAML, too.
fn document(record: &Record, value: &Value) -> String {
    let text = (deep::depth(value, LIMITS.depth) < LIMITS.depth).then(|| crate::yaml::text(value));
    let is_read =
        |text: &String| yaml::documents(text, &LIMITS).is_ok_and(|read| *read == [value.clone()]);
    text.filter(is_read).unwrap_or_else(|| line(&record.json().unwrap_or_default()))
}

fn line(json: &[u8]) -> String {
    String::from_utf8_lossy(json).into_owned() + "\n"
}
