//! Differences as JSON patches (RFC 6902): what takes a value from what it is to what it shall be.

use serde_json::{Map, Value, json};

#[cfg(test)]
mod tests;

/// The operations that make `before` be `after`, in the order in which they are carried out; none if they are
/// the same. Each changes no more than it must: members one by one, and of lists the part between what both
/// begin and end with.
pub(crate) fn operations(before: &Value, after: &Value) -> Vec<Value> {
    let mut walk = Walk { path: String::new(), operations: Vec::new() };
    walk.values(before, after);
    walk.operations
}

struct Walk {
    /// A JSON pointer (RFC 6901).
    path: String,
    operations: Vec<Value>,
}

impl Walk {
    fn values(&mut self, before: &Value, after: &Value) {
        match (before, after) {
            _ if before == after => {}
            (Value::Object(before), Value::Object(after)) => self.members(before, after),
            (Value::Array(before), Value::Array(after)) => self.items(before, after),
            _ => self.say("replace", Some(after)),
        }
    }

    fn members(&mut self, before: &Map<String, Value>, after: &Map<String, Value>) {
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            self.at(name, |walk| walk.say("remove", None));
        }
        for (name, value) in after {
            self.at(name, |walk| match before.get(name) {
                Some(before) => walk.values(before, value),
                None => walk.say("add", Some(value)),
            });
        }
    }

    fn items(&mut self, before: &[Value], after: &[Value]) {
        let same = |(one, other): &(&Value, &Value)| one == other;
        let head = before.iter().zip(after).take_while(same).count();
        let (before, after) = (&before[head..], &after[head..]);
        let tail = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
        let (before, after) = (&before[..before.len() - tail], &after[..after.len() - tail]);
        let common = before.len().min(after.len());
        for (at, (before, after)) in before.iter().zip(after).enumerate() {
            self.at(&(head + at).to_string(), |walk| walk.values(before, after));
        }
        // From behind, so that what is left keeps its place.
        for at in (common..before.len()).rev() {
            self.at(&(head + at).to_string(), |walk| walk.say("remove", None));
        }
        for (at, value) in after.iter().enumerate().skip(common) {
            self.at(&(head + at).to_string(), |walk| walk.say("add", Some(value)));
        }
    }

    fn at(&mut self, step: &str, there: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        there(self);
        self.path.truncate(length);
    }

    fn say(&mut self, operation: &str, value: Option<&Value>) {
        let mut said = json!({ "op": operation, "path": self.path });
        if let Some(value) = value {
            said["value"] = value.clone();
        }
        self.operations.push(said);
    }
}
