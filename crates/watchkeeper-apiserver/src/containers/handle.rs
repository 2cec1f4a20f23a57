//! What a step answers to requests for the containers of a pod.

#[cfg(test)]
mod tests;

use http::{Method, header};
use serde_json::Value;

use super::handshake::{Agreed, asks_for_tunnel};
use super::instance::running;
use super::log_options::LogOptions;
use super::{Connect, Container, Forward, LogRequest, Run, Streams, instance, options};
use crate::access;
use crate::error::{ApiError, Result, quoted};
use crate::go::parse_uint;
use crate::handlers::{Handled, read};
use crate::meta;
use crate::reply;
use crate::request::Call;
use crate::turn::{Outcome, Turn};

/// A log: of a pod without a node there is none, as nobody could have it.
pub(crate) fn log(turn: &Turn<'_>, call: &Call) -> Handled {
    let options = LogOptions::read(&call.query, &call.name, turn.now)?;
    let pod = &*read::existing(turn, call)?.value();
    let name = container(pod, call.query.text("container"))?;
    if node(pod).is_empty() {
        let mut nothing = reply::typed(204, "text/plain", bytes::Bytes::new());
        nothing.headers_mut().remove(header::CONTENT_TYPE);
        return Ok(Outcome::Reply(nothing));
    }
    let id = instance(pod, &name, options.previous).map_err(ApiError::bad_request)?;
    let LogOptions { follow, timestamps, since, tail, limit, .. } = options;
    let container = started(pod, name, id);
    let asked = LogRequest { container, follow, since, tail, timestamps, limit };
    Ok(Outcome::Connect(Box::new(Connect::Log(asked))))
}

/// What is spoken of the streams of a program.
const PROGRAMS: [&str; 2] = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
/// What is spoken of ports.
const PORTS: [&str; 1] = ["v4.channel.k8s.io"];
/// What is spoken of ports where a tunnel is asked for.
const TUNNELS: [&str; 1] = ["SPDY/3.1+portforward.k8s.io"];
/// Each port has two streams, whose numbers are a byte.
const MOST_PORTS: usize = 100;

/// A program, or the container's own. Of a container that does not run there is none, which is told like
/// the end of a program.
pub(crate) fn run(turn: &mut Turn<'_>, call: &Call) -> Handled {
    refuse_dry_run(call)?;
    let asked = options::admitted(turn, call, options::of_program(call))?;
    may_begin(turn, call)?;
    let pod = &*read::existing(turn, call)?.value();
    let name = container(pod, asked["container"].as_str().unwrap_or_default())?;
    placed(pod)?;
    let flag = |name: &str| asked[name] == true;
    let tty = flag("tty");
    let (stdin, stdout) = (flag("stdin"), flag("stdout"));
    let streams = Streams { stdin, stdout, stderr: flag("stderr") && !tty, tty };
    let agreed = Agreed::with(&call.headers, &PROGRAMS)?;
    // What the kubelet says of it comes when the client's streams are there already.
    let refused = |why: &str| {
        let why = format!("unable to upgrade connection: {why}");
        Ok(Outcome::Connect(Box::new(Connect::Refused(why, agreed.clone()))))
    };
    if !(stdin || stdout || streams.stderr) {
        return refused("you must specify at least 1 of stdin, stdout, stderr");
    }
    let Some(id) = running(pod, &name) else {
        return refused(&format!("container not found ({})", quoted(&name)));
    };
    let is_exec = call.subresource == "exec";
    let words = asked["command"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let command = is_exec.then(|| words.map(str::to_owned).collect());
    let run = Run { container: started(pod, name, id), command, streams };
    Ok(Outcome::Connect(Box::new(Connect::Run(run, agreed))))
}

/// Connections to ports of a pod that runs.
pub(crate) fn forward(turn: &mut Turn<'_>, call: &Call) -> Handled {
    refuse_dry_run(call)?;
    let texts = call.query.all("ports").flat_map(|text| text.split(','));
    let ports = texts.map(port).collect::<Result<Vec<u16>>>()?;
    let asked = options::admitted(turn, call, options::of_ports(&ports))?;
    let ports = asked["ports"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let ports: Vec<u16> = ports.filter_map(|port| u16::try_from(port).ok()).collect();
    may_begin(turn, call)?;
    let pod = &*read::existing(turn, call)?.value();
    placed(pod)?;
    // As kube-apiserver has it, whatever the client would rather have.
    let is_tunnel = asks_for_tunnel(&call.headers);
    let agreed = Agreed::with(&call.headers, if is_tunnel { &TUNNELS } else { &PORTS })?;
    // What follows a kubelet says.
    let (namespace, name) = (meta::namespace(pod), meta::name(pod));
    let statuses = pod["status"]["containerStatuses"].as_array();
    if !statuses.into_iter().flatten().any(|one| one["state"]["running"].is_object()) {
        let why = format!("pod not found ({})", quoted(&format!("{name}_{namespace}")));
        return Err(ApiError::internal(why).into());
    }
    let to = |port| Forward { namespace: namespace.to_owned(), pod: name.to_owned(), port };
    if is_tunnel {
        // Its ports are asked for one by one.
        return Ok(Outcome::Connect(Box::new(Connect::Tunnel(to(0), agreed))));
    }
    check_ports(&ports)?;
    let all = ports.into_iter().map(to).collect();
    Ok(Outcome::Connect(Box::new(Connect::Forward(all, agreed))))
}

/// A number as apimachinery reads it.
fn port(text: &str) -> Result<u16> {
    let number = parse_uint(text, u16::MAX.into());
    number
        .map(|number| u16::try_from(number).unwrap_or(u16::MAX))
        .map_err(|why| ApiError::bad_request(format!("cannot convert to []int32: {why}")))
}

/// The ports of a WebSocket, as cri-streaming's `portforward/websocket.go` takes them.
fn check_ports(ports: &[u16]) -> Result<()> {
    if ports.contains(&0) {
        return Err(ApiError::bad_request("port \"0\" must be > 0"));
    }
    match ports.len() {
        0 => Err(ApiError::bad_request("query parameter \"port\" is required")),
        count if count > MOST_PORTS => {
            Err(ApiError::bad_request(format!("{count} ports are more than {MOST_PORTS}")))
        }
        _ => Ok(()),
    }
}

/// Who may read may not therefore run something (the gate `AuthorizePodWebsocketUpgradeCreatePermission`).
fn may_begin(turn: &Turn<'_>, call: &Call) -> Result<()> {
    if call.method == Method::POST { Ok(()) } else { access::check_create(turn.core, call) }
}

/// What is begun has been done, whatever the query says.
pub(super) fn refuse_dry_run(call: &Call) -> Result<()> {
    match call.query.get("dryRun") {
        Some(_) => Err(ApiError::bad_request("dryRun is not supported")),
        None => Ok(()),
    }
}

fn placed(pod: &Value) -> Result<()> {
    if node(pod).is_empty() {
        let why = format!("pod {} does not have a host assigned", meta::name(pod));
        return Err(ApiError::bad_request(why));
    }
    Ok(())
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
