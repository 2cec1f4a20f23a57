//! Objects as Go would write them, made up from the facts of their kinds.

use serde_json::{Map, Value, json};
use watchkeeper_apiserver::Rng;
use watchkeeper_schema::facts::{Facts, Field, KindFacts, Presence, Scalar, Struct, Type};

/// Which of the members that may be left out are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// None of them.
    Least,
    /// Some.
    Some,
    /// All of them.
    All,
}

/// How deep structs nest before those that may be left out are: schemas hold schemas.
const DEEP: usize = 12;

/// Makes objects; the same seed makes the same ones.
pub(crate) struct Maker<'f> {
    facts: &'f Facts,
    rng: Rng,
    fill: Fill,
}

impl<'f> Maker<'f> {
    pub(crate) fn new(facts: &'f Facts, seed: u64, fill: Fill) -> Self {
        Self { facts, rng: Rng::new(seed), fill }
    }

    /// An object of that kind.
    pub(crate) fn object(&mut self, kind: &KindFacts) -> Value {
        let mut members = Map::new();
        members.insert("apiVersion".into(), kind.api_version().into());
        members.insert("kind".into(), kind.kind.clone().into());
        self.members(self.known(&kind.model), 0, &mut members);
        Value::Object(members)
    }

    fn known(&self, model: &str) -> &'f Struct {
        self.facts.get(model).expect("the facts name what they have")
    }

    fn members(&mut self, of: &'f Struct, depth: usize, members: &mut Map<String, Value>) {
        for field in &of.fields {
            if field.presence != Presence::Inline {
                if let Some(value) = self.member(field, depth) {
                    members.insert(field.json.clone(), value);
                }
            } else if let Some(model) = field.ty.model().filter(|m| !m.ends_with(".TypeMeta")) {
                self.members(self.known(model), depth, members);
            }
        }
    }

    /// What Go would write of the member, if anything.
    fn member(&mut self, field: &'f Field, depth: usize) -> Option<Value> {
        let is_struct = matches!(field.ty, Type::Struct(_));
        match field.presence {
            Presence::Always => {
                let is_time = field.ty.scalar().is_some_and(|of| of == Scalar::Time);
                if is_time && !field.required && self.is_left_out(depth) {
                    return Some(Value::Null);
                }
                Some(self.perhaps_zero(field, depth))
            }
            // Go never takes a struct for empty.
            Presence::OmitEmpty if is_struct => Some(self.value(field, &field.ty, depth)),
            Presence::OmitEmpty | Presence::OmitZero => {
                (!self.is_left_out(depth)).then(|| self.some(field, depth))
            }
            Presence::Pointer | Presence::PointerOrNull => {
                if !field.required && self.is_left_out(depth) {
                    return None;
                }
                Some(self.perhaps_zero(field, depth))
            }
            Presence::Inline => None,
        }
    }

    fn is_left_out(&mut self, depth: usize) -> bool {
        match self.fill {
            _ if depth > DEEP => true,
            Fill::Least => true,
            // Less the deeper, or objects grow without bound.
            Fill::Some => self.rng.below(10 + depth as u64) >= 5,
            Fill::All => depth > 8 && self.rng.below(2) == 0,
        }
    }

    /// A value, now and then the empty one.
    fn perhaps_zero(&mut self, field: &'f Field, depth: usize) -> Value {
        let zero = zero(&field.ty);
        if !zero.is_null() && self.rng.below(4) == 0 {
            zero
        } else {
            self.value(field, &field.ty, depth)
        }
    }

    /// A value that is not the empty one.
    fn some(&mut self, field: &'f Field, depth: usize) -> Value {
        loop {
            let value = self.value(field, &field.ty, depth);
            if value != zero(&field.ty) {
                return value;
            }
        }
    }

    fn value(&mut self, field: &'f Field, ty: &'f Type, depth: usize) -> Value {
        match ty {
            Type::Scalar(Scalar::String) | Type::Named(Scalar::String, _)
                if !field.enum_values.is_empty() =>
            {
                let index = usize::try_from(self.rng.below(field.enum_values.len() as u64));
                field.enum_values[index.expect("an index")].clone().into()
            }
            Type::Scalar(of) | Type::Named(of, _) => self.scalar(*of, depth),
            Type::Struct(model) => {
                let mut members = Map::new();
                self.members(self.known(model), depth + 1, &mut members);
                Value::Object(members)
            }
            Type::List(item) => {
                let count = 1 + self.rng.below(if depth > 5 { 1 } else { 2 });
                (0..count).map(|_| self.value(field, item, depth + 1)).collect()
            }
            Type::Map(of) => {
                let count = 1 + self.rng.below(2);
                let entries = (0..count)
                    .map(|index| (format!("k{index}.io/x"), self.value(field, of, depth + 1)));
                Value::Object(entries.collect())
            }
        }
    }

    fn scalar(&mut self, of: Scalar, depth: usize) -> Value {
        let any = self.rng.next_u64();
        match of {
            Scalar::String => self.text().into(),
            Scalar::Bool => (any & 1 == 1).into(),
            Scalar::Int32 => (any as u32).cast_signed().into(),
            Scalar::Int64 => any.cast_signed().into(),
            Scalar::Float64 => (f64::from((any as u32).cast_signed()) / 8.0).into(),
            Scalar::Bytes => pick(&mut self.rng, &["AA==", "aGVsbG8=", "//79"]).into(),
            Scalar::Time => {
                pick(&mut self.rng, &["2026-03-01T12:00:00Z", "1999-12-31T23:59:59Z"]).into()
            }
            Scalar::MicroTime => {
                pick(&mut self.rng, &["2026-03-01T12:00:00.000001Z", "1999-12-31T23:59:59.999999Z"])
                    .into()
            }
            Scalar::Duration => pick(&mut self.rng, &["1h30m0s", "5s", "100ms"]).into(),
            Scalar::Quantity => pick(&mut self.rng, &["100m", "1Gi", "2", "1500Ki", "-3"]).into(),
            Scalar::IntOrString if any & 1 == 1 => pick(&mut self.rng, &["http", "25%", ""]).into(),
            Scalar::IntOrString => (any as u32).cast_signed().into(),
            Scalar::Raw => json!({ "apiVersion": "v1", "kind": "Any", "n": any >> 12, "x": [1.5] }),
            Scalar::FieldsV1 => json!({ "f:metadata": { "f:labels": {} } }),
            Scalar::Json => {
                let values =
                    [json!(1), json!("a"), json!(false), json!([{}, 0.5]), json!({"a": {}})];
                let index = usize::try_from(any % values.len() as u64).expect("an index");
                values[index].clone()
            }
            Scalar::SchemaOrBool if depth > 3 || any & 1 == 1 => (any & 2 == 2).into(),
            Scalar::SchemaOrStringArray if depth > 3 || any & 1 == 1 => json!(["a", "b"]),
            Scalar::SchemaOrArray if any & 1 == 1 => json!([self.schema(depth)]),
            Scalar::SchemaOrBool | Scalar::SchemaOrArray | Scalar::SchemaOrStringArray => {
                self.schema(depth)
            }
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        const MODEL: &str =
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
        let mut members = Map::new();
        self.members(self.known(MODEL), depth + 4, &mut members);
        Value::Object(members)
    }

    fn text(&mut self) -> String {
        let texts =
            ["a", "web-0", "10.0.0.1", "é\u{1f6a2} \"q\" \\ \n\t/", "x".repeat(40).as_str()]
                .map(str::to_owned);
        let index = usize::try_from(self.rng.below(texts.len() as u64)).expect("an index");
        format!("{}{}", texts[index], self.rng.below(100))
    }
}

fn pick(rng: &mut Rng, texts: &[&'static str]) -> &'static str {
    texts[usize::try_from(rng.below(texts.len() as u64)).expect("an index")]
}

/// What Go calls the zero value; null where it has no text of its own.
fn zero(ty: &Type) -> Value {
    match ty {
        Type::List(_) => json!([]),
        Type::Map(_) => json!({}),
        Type::Struct(_) => Value::Null,
        Type::Scalar(of) | Type::Named(of, _) => match of {
            Scalar::String => json!(""),
            Scalar::Bool => json!(false),
            Scalar::Int32 | Scalar::Int64 | Scalar::IntOrString => json!(0),
            _ => Value::Null,
        },
    }
}
