//! The defaults of a schema: each is a value that the schema itself takes, and one within what a whole object says of
//! itself makes for one that may be (apiextensions, `pkg/apiserver/schema/defaulting`).

use serde_json::Value;
use watchkeeper_schema::crd::OBJECT_META;
use watchkeeper_schema::error::{MOST_TOLD, child, key, summary};
use watchkeeper_schema::rules::{Judgement, Rules};
use watchkeeper_schema::validate::validate_default;
use watchkeeper_schema::{FieldError, Schema, SchemaRef, Schemas, prune};

use crate::schemas::embedded;

/// What is wrong with the defaults of a structural schema at `path`. What the root describes is a whole object, too.
pub(super) fn check(schema: &Schema, path: &str) -> Vec<FieldError> {
    let root = Schema { embedded_resource: true, ..schema.clone() };
    let mut search = Search { errors: Vec::new(), told: 0, inside: None };
    search.node(&root, path);
    search.errors
}

/// A way through all of a schema.
struct Search<'a> {
    errors: Vec<FieldError>,
    /// How many bytes they are, about.
    told: usize,
    /// Where it goes through what a whole object says of itself.
    inside: Option<Inside<'a>>,
}

/// A place within what a whole object says of itself.
struct Inside<'a> {
    /// The schema of the object.
    object: &'a Schema,
    /// The way from there.
    way: Vec<Step<'a>>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Member(&'a str),
    Item,
}

impl<'a> Search<'a> {
    /// Those under `additionalProperties` are not looked at: upstream says that none may be there.
    fn node(&mut self, schema: &'a Schema, path: &str) {
        // A whole object says of itself what no other around it does.
        let outer = schema.embedded_resource.then(|| self.inside.take());
        self.parts(schema, path);
        if let Some(outer) = outer {
            self.inside = outer;
        }
    }

    fn parts(&mut self, schema: &'a Schema, path: &str) {
        if let Some(default) = schema.default.as_ref().filter(|default| !default.is_null()) {
            self.value(default, schema, &child(path, "default"));
        }
        if let Some(items) = &schema.items {
            self.step(Step::Item, items, &child(path, "items"));
        }
        for (name, of) in &schema.properties {
            let is_meta = matches!(&**name, "metadata" | "apiVersion" | "kind");
            let place = key(&child(path, "properties"), name);
            let step = Step::Member(name);
            if is_meta && schema.embedded_resource {
                self.enter(schema, step, of, &place);
            } else {
                self.step(step, of, &place);
            }
        }
    }

    fn step(&mut self, step: Step<'a>, to: &'a Schema, path: &str) {
        if let Some(inside) = &mut self.inside {
            inside.way.push(step);
        }
        self.node(to, path);
        if let Some(inside) = &mut self.inside {
            inside.way.pop();
        }
    }

    /// Goes into what a whole object says of itself.
    fn enter(&mut self, object: &'a Schema, step: Step<'a>, to: &'a Schema, path: &str) {
        let outer = self.inside.replace(Inside { object, way: vec![step] });
        self.node(to, path);
        self.inside = outer;
    }

    fn value(&mut self, default: &Value, schema: &Schema, path: &str) {
        // Nobody reads on, and each mistake may show all that is around its default.
        if self.told >= MOST_TOLD {
            return;
        }
        let at = Schemas::builtin().at(schema);
        let mut wrong = if let Some(inside) = &self.inside {
            inside.wrong(default, at)
        } else {
            let mut pruned = default.clone();
            if !prune::prune(&mut pruned, at, schema.embedded_resource).is_empty() {
                let detail = "must not have unknown fields";
                self.tell(FieldError::invalid("", default.clone(), detail), path);
            }
            embedded::wrong(default, at)
        };
        if wrong.is_empty() {
            wrong = validate_default(default, at);
            wrong.iter_mut().for_each(name_item);
        }
        if wrong.is_empty()
            && let Ok(rules) = Rules::compile_stored(schema, "")
        {
            wrong = judged(&rules, default);
        }
        wrong.into_iter().for_each(|error| self.tell(error, path));
    }

    fn tell(&mut self, error: FieldError, path: &str) {
        self.told = self.told.saturating_add(path.len() + error.size());
        if self.told < MOST_TOLD || self.errors.is_empty() {
            self.errors.push(placed(error, path));
        }
    }
}

impl Inside<'_> {
    /// What is wrong with an object that says of itself nothing but a default of this place.
    fn wrong(&self, default: &Value, at: SchemaRef<'_>) -> Vec<FieldError> {
        if self.is_unknown() && embedded::wrong(default, at).is_empty() {
            return Vec::new();
        }
        let object = self.around(default);
        let wrong = embedded::wrong(&object, Schemas::builtin().at(self.object));
        if wrong.is_empty() {
            return wrong;
        }
        let detail = format!("must result in valid metadata: {}", summary(&wrong));
        vec![FieldError::invalid("", default.clone(), detail)]
    }

    /// Whether no metadata has what is here, so that nobody judges it. A schema may be deep there, and building all that
    /// is around each of its defaults would take long.
    fn is_unknown(&self) -> bool {
        let [Step::Member("metadata"), Step::Member(name), ..] = self.way[..] else { return false };
        let metadata = Schemas::builtin().by_name(OBJECT_META);
        metadata.is_some_and(|metadata| metadata.property(name).is_none())
    }

    fn around(&self, default: &Value) -> Value {
        let within = |value: Value, step: &Step<'_>| match step {
            Step::Member(name) => {
                Value::Object(std::iter::once(((*name).to_owned(), value)).collect())
            }
            Step::Item => Value::Array(vec![value]),
        };
        let mut object = self.way.iter().rev().fold(default.clone(), within);
        for (name, text) in [("kind", "Validation"), ("apiVersion", "validation/v1")] {
            if object.get(name).is_none() {
                object[name] = text.into();
            }
        }
        object
    }
}

/// What the rules say of a default that was there before, and of one that was not.
fn judged(rules: &Rules, default: &Value) -> Vec<FieldError> {
    let Judgement { mut errors, forgiven } = rules.judge(default, Some(default));
    errors.extend(forgiven);
    if errors.is_empty() { rules.judge(default, None).errors } else { errors }
}

/// An item is told with a dot before it by who looks at schemas, and without by who looks at whole objects.
fn name_item(error: &mut FieldError) {
    if error.field.starts_with('[') {
        error.field.insert(0, '.');
    }
}

fn placed(mut error: FieldError, path: &str) -> FieldError {
    error.field = match &*error.field {
        "" | "<nil>" => path.to_owned(),
        field if field.starts_with('[') => format!("{path}{field}"),
        field => child(path, field.trim_start_matches('.')),
    };
    error
}
