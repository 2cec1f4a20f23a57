//! A node for the real kube-apiserver: upstream's streaming handlers and reader of logs, with programs in place of
//! containers (`conformance/real/cmd/node`), and the pods that are on it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{Lifetime, Server};
use crate::{Outcome, process, real, step};

/// The node, which is also the name of its first pod.
const NAME: &str = "streams";
/// The pods and their containers.
const PODS: [(&str, &[&str]); 2] = [(NAME, &["main", "diary"]), ("brief", &["main"])];

/// Starts it, and tells the server in whose run this is of it.
///
/// # Errors
/// When it does not start, or kubectl is refused.
pub(super) fn start() -> Outcome<Server> {
    let folder = real::own_folder()?;
    let file = folder.join("node.port");
    let mut command = real::program("node")?;
    command.arg("--port-file").arg(&file);
    let mut server = Server::start(command, &folder.join("node.log"), Lifetime::Ours)?;
    step::until(Duration::from_secs(30), || server.check().map(|()| file.exists()))?;
    let port = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let port: u16 = port.parse().map_err(|e| format!("{}: {e}", file.display()))?;
    create(&folder, &json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": NAME } }))?;
    let address = json!({ "type": "InternalIP", "address": "127.0.0.1" });
    let endpoint = json!({ "kubeletEndpoint": { "Port": port } });
    let status = json!({ "addresses": [address], "daemonEndpoints": endpoint });
    set_status("node", NAME, &status)?;
    for (name, containers) in PODS {
        pod(&folder, name, containers)?;
    }
    Ok(server)
}

fn pod(folder: &Path, name: &str, containers: &[&str]) -> Outcome<()> {
    let container = |name: &&str| json!({ "name": name, "image": "none" });
    let containers: Vec<Value> = containers.iter().map(container).collect();
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name },
        "spec": { "nodeName": NAME, "containers": containers },
    });
    create(folder, &pod)?;
    set_status("pod", name, &json!({ "phase": "Running" }))
}

fn create(folder: &Path, object: &Value) -> Outcome<()> {
    let file = folder.join("object.json");
    fs::write(&file, object.to_string()).map_err(|e| format!("{}: {e}", file.display()))?;
    process::output(real::program("kubectl")?.args(["create", "-f"]).arg(&file)).map(drop)
}

fn set_status(kind: &str, name: &str, status: &Value) -> Outcome<()> {
    let patch = json!({ "status": status }).to_string();
    let change = ["patch", kind, name, "--subresource=status", "--patch", &patch];
    process::output(real::program("kubectl")?.args(change)).map(drop)
}
