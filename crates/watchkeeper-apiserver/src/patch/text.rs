//! The text of a patched object, as upstream shows it when that cannot be decoded: what the patch went into has its
//! members by name, what it left alone has them in the order of Go's structs.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::{Presence, Type};

use crate::go::{enclosed, go_escaped};

/// The text of `new`, which a JSON patch or a merge patch made of `live`, an object of the struct of a model.
pub(crate) fn text(new: &Value, live: &Value, change: &Value, model: &str) -> String {
    let mut touched = BTreeSet::from([String::new()]);
    match change {
        Value::Array(operations) => operations.iter().for_each(|one| through(one, &mut touched)),
        change => merged(change, live, "", &mut touched),
    }
    let mut out = String::new();
    Writer { touched: &touched, out: &mut out }.value(
        new,
        Some(live),
        &Type::Struct(model.to_owned()),
        "",
    );
    go_escaped(&out)
}

/// The containers that an operation goes through.
fn through(operation: &Value, touched: &mut BTreeSet<String>) {
    for path in ["path", "from"].iter().filter_map(|name| operation.get(name)?.as_str()) {
        let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
        touched.extend(ends.map(str::to_owned));
    }
}

/// The containers that a merge patch is laid over.
fn merged(change: &Value, live: &Value, at: &str, touched: &mut BTreeSet<String>) {
    let (Some(change), Some(live)) = (change.as_object(), live.as_object()) else { return };
    touched.insert(at.to_owned());
    for (name, change) in change {
        if let Some(live) = live.get(name) {
            merged(change, live, &below(at, name), touched);
        }
    }
}

fn below(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

struct Writer<'a> {
    touched: &'a BTreeSet<String>,
    out: &'a mut String,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, live: Option<&Value>, ty: &Type, at: &str) {
        if !self.touched.contains(at) {
            // What the patch brought comes as it was sent.
            return match live {
                Some(live) if live == value => in_order(value, ty, self.out),
                _ => self.plain(value),
            };
        }
        let touched = self.touched;
        match value {
            Value::Object(members) => {
                enclosed(('{', '}'), members.iter(), self.out, |(name, value), out| {
                    let live = live.and_then(|live| live.get(name));
                    write_name(name, out);
                    Writer { touched, out }.value(value, live, &member(ty, name), &below(at, name));
                });
            }
            Value::Array(items) => {
                let of = item(ty);
                enclosed(('[', ']'), items.iter().enumerate(), self.out, |(index, value), out| {
                    let here = live.and_then(|live| live.get(index));
                    // Items may have been moved.
                    let moved = || live?.as_array()?.iter().find(|live| *live == value);
                    let same = here.filter(|here| *here == value).or_else(moved);
                    let at = format!("{at}/{index}");
                    Writer { touched, out }.value(value, same.or(here), &of, &at);
                });
            }
            other => self.plain(other),
        }
    }

    fn plain(&mut self, value: &Value) {
        self.out.push_str(&value.to_string());
    }
}

fn write_name(name: &str, out: &mut String) {
    out.push_str(&format!("{}:", Value::from(name)));
}

/// What has no struct is written by name.
const UNKNOWN: Type = Type::Scalar(watchkeeper_schema::facts::Scalar::Json);

fn item(ty: &Type) -> Type {
    match ty {
        Type::List(of) => (**of).clone(),
        _ => UNKNOWN,
    }
}

fn member(ty: &Type, name: &str) -> Type {
    match ty {
        Type::Map(of) => (**of).clone(),
        Type::Struct(model) => fields(model)
            .into_iter()
            .find(|(json, _)| *json == name)
            .map_or(UNKNOWN, |(_, ty)| ty.clone()),
        _ => UNKNOWN,
    }
}

/// The members of a struct in their order, those of embedded ones among them.
fn fields(model: &str) -> Vec<(&'static str, &'static Type)> {
    let mut found = Vec::new();
    for field in facts().get(model).into_iter().flat_map(|of| &of.fields) {
        match (field.presence, field.ty.model()) {
            (Presence::Inline, Some(inner)) => found.extend(fields(inner)),
            _ => found.push((field.json.as_str(), &field.ty)),
        }
    }
    found
}

/// A value as Go writes it.
fn in_order(value: &Value, ty: &Type, out: &mut String) {
    match (ty, value) {
        (Type::Struct(model), Value::Object(members)) => {
            let known = fields(model).into_iter();
            let known = known.filter_map(|(name, ty)| Some((name, members.get(name)?, ty.clone())));
            object(known, out);
        }
        (Type::Map(of), Value::Object(members)) => {
            let members = members.iter();
            object(members.map(|(name, value)| (name.as_str(), value, (**of).clone())), out);
        }
        (Type::List(of), Value::Array(items)) => {
            enclosed(('[', ']'), items.iter(), out, |value, out| in_order(value, of, out));
        }
        _ => out.push_str(&value.to_string()),
    }
}

fn object<'a>(members: impl Iterator<Item = (&'a str, &'a Value, Type)>, out: &mut String) {
    enclosed(('{', '}'), members, out, |(name, value, ty), out| {
        write_name(name, out);
        in_order(value, &ty, out);
    });
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::text;

    #[test]
    fn what_a_patch_goes_through_is_by_name() {
        let live = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"annotations": {"b": "<"}, "labels": {"a": "b"}, "name": "s", "uid": "u"},
            "data": {"a": "YQ=="}});
        let shown = |new, change| text(&new, &live, &change, "io.k8s.api.core.v1.Secret");
        let mut new = live.clone();
        new["data"] = json!(3);
        let change = json!([{"op": "replace", "path": "/data", "value": 3}]);
        expect![[r#"{"apiVersion":"v1","data":3,"kind":"Secret","metadata":{"name":"s","uid":"u","labels":{"a":"b"},"annotations":{"b":"\u003c"}}}"#]]
            .assert_eq(&shown(new.clone(), change));
        let change = json!({"data": 3, "metadata": {"labels": {"a": "b"}}});
        expect![[r#"{"apiVersion":"v1","data":3,"kind":"Secret","metadata":{"annotations":{"b":"\u003c"},"labels":{"a":"b"},"name":"s","uid":"u"}}"#]]
            .assert_eq(&shown(new, change));
    }
}
