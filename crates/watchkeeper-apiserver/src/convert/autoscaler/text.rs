//! The text of an annotation, members in the order in which Go declares them.

use serde_json::Value;

/// The members of all structs that annotations hold; each struct has its own in this order.
const ORDER: [&str; 38] = [
    "type",
    "status",
    "lastTransitionTime",
    "reason",
    "message",
    "object",
    "pods",
    "resource",
    "containerResource",
    "external",
    "target",
    "kind",
    "name",
    "apiVersion",
    "metricName",
    "metricSelector",
    "targetAverageUtilization",
    "currentAverageUtilization",
    "targetValue",
    "currentValue",
    "targetAverageValue",
    "currentAverageValue",
    "selector",
    "averageValue",
    "container",
    "key",
    "operator",
    "values",
    "ScaleUp",
    "ScaleDown",
    "StabilizationWindowSeconds",
    "SelectPolicy",
    "Policies",
    "Tolerance",
    "Type",
    "Value",
    "PeriodSeconds",
    LABELS,
];

/// A map: its names are no members.
const LABELS: &str = "matchLabels";

/// As Go writes it, also what could end a script in a page.
pub(super) fn of(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value);
    let escapes = [
        ('<', "\\u003c"),
        ('>', "\\u003e"),
        ('&', "\\u0026"),
        ('\u{2028}', "\\u2028"),
        ('\u{2029}', "\\u2029"),
    ];
    escapes.into_iter().fold(text, |text, (of, escape)| text.replace(of, escape))
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Object(members) => {
            let rank = |name: &str| ORDER.iter().position(|one| *one == name);
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_by_key(|(name, _)| rank(name).unwrap_or(ORDER.len()));
            list(out, ('{', '}'), sorted, |out, (name, value)| {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                if name == LABELS { out.push_str(&value.to_string()) } else { write(out, value) }
            });
        }
        Value::Array(items) => list(out, ('[', ']'), items, write),
        other => out.push_str(&other.to_string()),
    }
}

fn list<T>(
    out: &mut String,
    (open, close): (char, char),
    items: impl IntoIterator<Item = T>,
    each: impl Fn(&mut String, T),
) {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(out, item);
    }
    out.push(close);
}
