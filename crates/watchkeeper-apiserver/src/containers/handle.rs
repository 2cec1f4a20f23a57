//! What a step answers to requests for the containers of a pod.

use serde_json::Value;

use super::log_options::LogOptions;
use super::{Connect, Container, LogRequest, instance};
use crate::error::{ApiError, Result};
use crate::handlers::{Handled, read};
use crate::meta;
use crate::reply;
use crate::request::Call;
use crate::turn::{Outcome, Turn};

/// A log: of a pod without a node an empty one, as nobody could have one.
pub(crate) fn log(turn: &Turn<'_>, call: &Call) -> Handled {
    let options = LogOptions::read(&call.query, &call.name, turn.now)?;
    let pod = &read::existing(turn, call)?.value;
    let name = container(pod, call.query.text("container"))?;
    if node(pod).is_empty() {
        return Ok(Outcome::Reply(reply::typed(200, "text/plain", bytes::Bytes::new())));
    }
    let id = instance(pod, &name, options.previous).map_err(ApiError::bad_request)?;
    let LogOptions { follow, timestamps, since, tail, limit, .. } = options;
    let container = started(pod, name, id);
    let asked = LogRequest { container, follow, since, tail, timestamps, limit };
    Ok(Outcome::Connect(Box::new(Connect::Log(asked))))
}

fn started(pod: &Value, name: String, id: String) -> Container {
    let (namespace, pod) = (meta::namespace(pod).to_owned(), meta::name(pod).to_owned());
    Container { namespace, pod, name, id }
}

fn node(pod: &Value) -> &str {
    pod["spec"]["nodeName"].as_str().unwrap_or_default()
}

/// The container that is meant (`validateContainer`).
fn container(pod: &Value, asked: &str) -> Result<String> {
    let of = |kind: &str| {
        let containers = pod["spec"][kind].as_array().into_iter().flatten();
        containers.filter_map(|one| one["name"].as_str()).collect::<Vec<_>>()
    };
    let name = meta::name(pod);
    let main = of("containers");
    let all = [of("initContainers"), main.clone(), of("ephemeralContainers")].concat();
    match (asked, &main[..]) {
        ("", [only]) => Ok((*only).to_owned()),
        ("", []) => {
            let why = format!("a container name must be specified for pod {name}");
            Err(ApiError::bad_request(why))
        }
        ("", _) => Err(ApiError::bad_request(format!(
            "a container name must be specified for pod {name}, choose one of: [{}]",
            all.join(" ")
        ))),
        _ if all.contains(&asked) => Ok(asked.to_owned()),
        _ => {
            let why = format!("container {asked} is not valid for pod {name}");
            Err(ApiError::bad_request(why))
        }
    }
}
