//! Services and what routes to them.

use serde_json::Value;

use crate::table::row::{Row, labels, member, selector};

/// Addresses shown before the rest is counted.
const MOST_SHOWN: usize = 3;

pub(super) fn service(row: Row<'_>) -> Vec<Value> {
    let port = |port: &Value| {
        let number = |name: &str| port.get(name).and_then(Value::as_i64).unwrap_or_default();
        let protocol = member(port, "protocol");
        match number("nodePort") {
            0 => format!("{}/{protocol}", number("port")),
            node_port => format!("{}:{node_port}/{protocol}", number("port")),
        }
    };
    let ports: Vec<String> = row.items("/spec/ports").iter().map(port).collect();
    vec![
        row.name(),
        row.text("/spec/type").into(),
        row.text_or("/spec/clusterIPs/0", "<none>").into(),
        external_ip(row).into(),
        or_none(ports.join(",")).into(),
        row.age(),
        labels(row, "/spec/selector").into(),
    ]
}

fn or_none(text: String) -> String {
    if text.is_empty() { "<none>".to_owned() } else { text }
}

fn external_ip(row: Row<'_>) -> String {
    let external = row.items("/spec/externalIPs").iter().filter_map(Value::as_str);
    let external: Vec<&str> = external.collect();
    match row.text("/spec/type") {
        "ClusterIP" | "NodePort" => or_none(external.join(",")),
        "ExternalName" => row.text("/spec/externalName").to_owned(),
        "LoadBalancer" => {
            let mut all = balancers(row);
            all.extend(external.into_iter().map(str::to_owned));
            if all.is_empty() { "<pending>".to_owned() } else { all.join(",") }
        }
        _ => "<unknown>".to_owned(),
    }
}

/// The addresses of load balancers, sorted.
fn balancers(row: Row<'_>) -> Vec<String> {
    let address = |ingress: &Value| match member(ingress, "ip") {
        "" => member(ingress, "hostname").to_owned(),
        ip => ip.to_owned(),
    };
    let mut all: Vec<String> =
        row.items("/status/loadBalancer/ingress").iter().map(address).collect();
    all.retain(|address| !address.is_empty());
    all.sort();
    all.dedup();
    all
}

pub(super) fn endpoints(row: Row<'_>) -> Vec<Value> {
    let subsets = row.items("/subsets");
    let mut all = Vec::new();
    for subset in subsets {
        let list = |name: &str| subset.get(name).and_then(Value::as_array).cloned();
        let addresses = list("addresses").unwrap_or_default();
        let ports = list("ports").unwrap_or_default();
        if ports.is_empty() {
            all.extend(addresses.iter().map(|address| member(address, "ip").to_owned()));
        }
        for port in &ports {
            let number = port.get("port").and_then(Value::as_i64).unwrap_or_default();
            all.extend(addresses.iter().map(|address| host_port(member(address, "ip"), number)));
        }
    }
    let shown = if subsets.is_empty() { "<none>".to_owned() } else { some(&all) };
    vec![row.name(), shown.into(), row.age()]
}

fn host_port(host: &str, port: i64) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// The first few, and how many more there are.
fn some(all: &[String]) -> String {
    match all.len().checked_sub(MOST_SHOWN) {
        Some(more @ 1..) => format!("{} + {more} more...", all[..MOST_SHOWN].join(",")),
        _ => all.join(","),
    }
}

pub(super) fn endpoint_slice(row: Row<'_>) -> Vec<Value> {
    let port = |port: &Value| match port.get("port").and_then(Value::as_i64) {
        Some(number) => number.to_string(),
        None => port.get("name").and_then(Value::as_str).unwrap_or("*").to_owned(),
    };
    let ports: Vec<String> = row.items("/ports").iter().map(port).collect();
    let addresses = |endpoint: &Value| {
        let list = endpoint.get("addresses").and_then(Value::as_array).cloned().unwrap_or_default();
        list.into_iter().filter_map(|address| address.as_str().map(str::to_owned))
    };
    let endpoints: Vec<String> = row.items("/endpoints").iter().flat_map(addresses).collect();
    let shown = |all: &[String]| match some(all).as_str() {
        "" => "<unset>".to_owned(),
        text => text.to_owned(),
    };
    vec![
        row.name(),
        row.text("/addressType").into(),
        shown(&ports).into(),
        shown(&endpoints).into(),
        row.age(),
    ]
}

pub(super) fn ingress(row: Row<'_>) -> Vec<Value> {
    let ports = if row.items("/spec/tls").is_empty() { "80" } else { "80, 443" };
    vec![
        row.name(),
        row.text_or("/spec/ingressClassName", "<none>").into(),
        hosts(row).into(),
        balancers(row).join(",").into(),
        ports.into(),
        row.age(),
    ]
}

/// The first few hosts; whatever rules come behind them are counted, with a host or without.
fn hosts(row: Row<'_>) -> String {
    let rules = row.items("/spec/rules");
    let mut shown = Vec::new();
    for rule in rules {
        if shown.len() == MOST_SHOWN {
            return format!("{} + {} more...", shown.join(","), rules.len() - MOST_SHOWN);
        }
        shown.extend(Some(member(rule, "host")).filter(|host| !host.is_empty()));
    }
    if shown.is_empty() { "*".to_owned() } else { shown.join(",") }
}

pub(super) fn ingress_class(row: Row<'_>) -> Vec<Value> {
    let mut name = row.text("/metadata/name").to_owned();
    if row.annotation("ingressclass.kubernetes.io/is-default-class") == Some("true") {
        name.push_str(" (default)");
    }
    let parameters = match row.at("/spec/parameters") {
        None => "<none>".to_owned(),
        Some(of) => {
            let group = member(of, "apiGroup");
            let dot = if group.is_empty() { "" } else { "." };
            format!("{}{dot}{group}/{}", member(of, "kind"), member(of, "name"))
        }
    };
    vec![name.into(), row.text("/spec/controller").into(), parameters.into(), row.age()]
}

pub(super) fn network_policy(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), selector(row, "/spec/podSelector").into(), row.age()]
}
