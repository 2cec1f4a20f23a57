//! What a connection to a container asks for, as the object that admission is shown.

use serde_json::{Map, Value, json};

use crate::admission::{self, Attributes};
use crate::request::Call;
use crate::turn::{Halt, Turn};

/// `PodExecOptions` or `PodAttachOptions` of a query.
pub(super) fn of_program(call: &Call) -> Value {
    let is_exec = call.subresource == "exec";
    let mut options = typed(if is_exec { "PodExecOptions" } else { "PodAttachOptions" });
    for name in ["stdin", "stdout", "stderr", "tty"] {
        if call.query.flag(name).unwrap_or(false) {
            options.insert(name.to_owned(), true.into());
        }
    }
    let container = call.query.text("container");
    if !container.is_empty() {
        options.insert("container".to_owned(), container.into());
    }
    if is_exec {
        let words: Vec<&str> = call.query.all("command").collect();
        let command = if words.is_empty() { Value::Null } else { words.into() };
        options.insert("command".to_owned(), command);
    }
    Value::Object(options)
}

/// `PodPortForwardOptions`.
pub(super) fn of_ports(ports: &[u16]) -> Value {
    let mut options = typed("PodPortForwardOptions");
    if !ports.is_empty() {
        options.insert("ports".to_owned(), json!(ports));
    }
    Value::Object(options)
}

fn typed(kind: &str) -> Map<String, Value> {
    let members = [("kind", kind), ("apiVersion", "v1")];
    members.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
}

/// What is asked for once admission let it pass, and maybe changed it: whether there is an object to connect
/// to is looked at afterwards.
///
/// # Errors
///
/// What a policy or a webhook says against it, or that some must be asked first.
pub(crate) fn admitted(turn: &mut Turn<'_>, call: &Call, options: Value) -> Result<Value, Halt> {
    let mut attributes = Attributes::connect(call, options);
    admission::mutate(turn, &mut attributes)?;
    admission::validate(turn, &attributes)?;
    Ok(attributes.object.unwrap_or_default())
}

#[cfg(test)]
mod tests;
