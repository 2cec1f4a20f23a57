//! Objects as a `meta.k8s.io/v1` `Table`: what `kubectl get` prints.
//!
//! Columns and cells of built-in kinds are those of upstream's printers
//! (`pkg/printers/internalversion`); custom resources bring theirs (`additionalPrinterColumns`).
//! The age of things is told at `now`, which the caller passes in.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::jsonpath::JsonPath;

mod age;
mod builtin;
mod custom;
mod pod;
mod row;
mod workloads;

#[cfg(test)]
mod tests;

pub use age::human_duration;
use row::Row;

/// What of each object comes along in its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Include {
    /// Nothing.
    None,
    /// Its metadata.
    #[default]
    Metadata,
    /// All of it.
    Object,
}

impl Include {
    /// From the query parameter `includeObject`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "" | "Metadata" => Some(Self::Metadata),
            "None" => Some(Self::None),
            "Object" => Some(Self::Object),
            _ => None,
        }
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
struct Column {
    name: String,
    type_: String,
    format: String,
    description: String,
    priority: i64,
}

impl Column {
    /// A column of text.
    fn text(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            type_: "string".to_owned(),
            format: String::new(),
            description: String::new(),
            priority: 0,
        }
    }

    fn name() -> Self {
        Self { format: "name".to_owned(), ..Self::text("Name") }
    }

    fn definition(&self) -> Value {
        json!({"name": self.name, "type": self.type_, "format": self.format,
            "description": self.description, "priority": self.priority})
    }
}

/// How cells are made.
#[derive(Clone, Debug)]
enum Cells {
    Builtin(fn(Row<'_>) -> Vec<Value>),
    Custom(Vec<JsonPath>),
}

/// The columns of a kind and how they are filled.
#[derive(Clone, Debug)]
pub struct Columns {
    columns: Vec<Column>,
    cells: Cells,
    /// What clients may grey the row out for.
    condition: Option<fn(Row<'_>) -> Option<Value>>,
}

impl Columns {
    /// Those of a built-in kind; name and age for kinds without any of their own.
    #[must_use]
    pub fn builtin(group: &str, kind: &str) -> Self {
        builtin::columns(group, kind)
    }

    /// Those of a version of a CRD: the JSON of its `additionalPrinterColumns`. Columns whose path
    /// cannot be read stay empty.
    #[must_use]
    pub fn custom(printer_columns: &[Value]) -> Self {
        custom::columns(printer_columns)
    }

    fn cells(&self, row: Row<'_>) -> Vec<Value> {
        match &self.cells {
            Cells::Builtin(cells) => cells(row),
            Cells::Custom(paths) => custom::cells(&self.columns[1..], paths, row),
        }
    }
}

/// Renders a table.
///
/// `metadata` is the list's (resource version, continue token); `definitions` false leaves the
/// columns out, as in all watch events but the first.
#[must_use]
pub fn render(
    columns: &Columns,
    objects: &[&Value],
    metadata: &Value,
    include: Include,
    definitions: bool,
    now: Timestamp,
) -> Value {
    let rows = objects.iter().map(|object| row(columns, object, include, now));
    with_rows(columns, rows.collect(), metadata, definitions)
}

/// As [`render`], of rows that are there.
pub(crate) fn with_rows(
    columns: &Columns,
    rows: Vec<Value>,
    metadata: &Value,
    definitions: bool,
) -> Value {
    let columns: Vec<Value> = match definitions {
        true => columns.columns.iter().map(Column::definition).collect(),
        false => Vec::new(),
    };
    json!({"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": metadata,
        "columnDefinitions": columns, "rows": rows})
}

/// A row.
pub(crate) fn row(columns: &Columns, object: &Value, include: Include, now: Timestamp) -> Value {
    let row = Row { object, now };
    let mut out = Map::new();
    out.insert("cells".to_owned(), Value::Array(columns.cells(row)));
    if let Some(condition) = columns.condition.and_then(|condition| condition(row)) {
        out.insert("conditions".to_owned(), json!([condition]));
    }
    let object = match include {
        Include::None => Value::Null,
        Include::Metadata => partial(object),
        Include::Object => object.clone(),
    };
    out.insert("object".to_owned(), object);
    Value::Object(out)
}

/// An object's `PartialObjectMetadata`.
#[must_use]
pub fn partial(object: &Value) -> Value {
    let metadata = object.get("metadata").cloned().unwrap_or_else(|| json!({}));
    json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata})
}
