//! Columns that a CRD brings (apiextensions, `pkg/registry/customresource/tableconvertor`).

use serde_json::Value;

use super::row::{Row, since};
use super::{Cells, Column, Columns, builtin};
use crate::jsonpath::JsonPath;

/// Name first; age when the CRD names no columns.
pub(super) fn columns(printer_columns: &[Value]) -> Columns {
    let name = Column { description: builtin::name_words().to_owned(), ..Column::name() };
    let mut columns = vec![name];
    let mut paths = Vec::new();
    let text = |column: &Value, name: &str| {
        column.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    for column in printer_columns {
        let json_path = text(column, "jsonPath");
        let Ok(path) = JsonPath::parse(&json_path) else { continue };
        paths.push(path);
        let description = match text(column, "description") {
            said if said.is_empty() => {
                format!("Custom resource definition column (in JSONPath format): {json_path}")
            }
            said => said,
        };
        columns.push(Column {
            name: text(column, "name"),
            type_: text(column, "type"),
            format: text(column, "format"),
            description,
            priority: column.get("priority").and_then(Value::as_i64).unwrap_or_default(),
        });
    }
    if printer_columns.is_empty() {
        columns.push(Column {
            type_: "date".to_owned(),
            description: builtin::age_words().to_owned(),
            ..Column::text("Age")
        });
        paths.extend(JsonPath::parse(".metadata.creationTimestamp"));
    }
    Columns { columns, cells: Cells::Custom(paths), condition: None }
}

pub(super) fn cells(columns: &[Column], paths: &[JsonPath], row: Row<'_>) -> Vec<Value> {
    let mut cells = vec![row.name()];
    for (column, path) in columns.iter().zip(paths) {
        let value = path.first(row.object);
        cells.push(value.map_or(Value::Null, |value| cell(&column.type_, value, row)));
    }
    cells
}

fn cell(type_: &str, value: &Value, row: Row<'_>) -> Value {
    match (type_, value) {
        ("integer", Value::Number(number)) => {
            let whole = number.as_i64().or_else(|| number.as_f64().map(truncate));
            whole.map_or(Value::Null, Value::from)
        }
        ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) => value.clone(),
        ("string", Value::Null) => Value::Null,
        ("string", Value::String(text)) => text.as_str().into(),
        ("string", other) => other.to_string().into(),
        ("date", Value::String(text)) => match since(text, row.now).as_str() {
            "<unknown>" => "<invalid>".into(),
            age => age.into(),
        },
        _ => Value::Null,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "as Go's conversion does")]
fn truncate(number: f64) -> i64 {
    number as i64
}
