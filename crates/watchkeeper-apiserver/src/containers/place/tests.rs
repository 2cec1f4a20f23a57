use serde_json::{Value, json};

use super::{Behind, Named, of_node, of_pod};
use crate::containers::Forward;

fn named(text: &str) -> Named<'_> {
    Named::read(text).expect("a name")
}

#[test]
fn a_name_has_a_port_and_a_scheme_at_most() {
    for (text, scheme, name, port) in [
        ("a", "", "a", ""),
        ("a:80", "", "a", "80"),
        ("a:", "", "a", ""),
        ("https:a:x", "https", "a", "x"),
        (":a:1", "", "a", "1"),
    ] {
        assert_eq!(named(text), Named { scheme, name, port }, "{text}");
    }
    for text in ["", ":1", "ftp:a:1", "http::1", "a:b:c:d"] {
        assert_eq!(Named::read(text), None, "{text}");
    }
}

#[test]
fn a_node_is_reached_by_its_best_address() {
    let node = |addresses: Value, port: Value| {
        json!({"status": {
            "addresses": addresses, "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        }})
    };
    let address = |kind: &str, text: &str| json!({"type": kind, "address": text});
    let both = json!([address("InternalIP", "10.0.0.1"), address("Hostname", "n.test")]);
    for (addresses, port, asked, told) in [
        (both.clone(), json!(null), "n", Ok("n.test:10250")),
        (both.clone(), json!(11_000), "n", Ok("n.test:11000")),
        (both, json!(0), "n:9100", Ok("n.test:9100")),
        (json!([address("ExternalIP", "fd00::1")]), json!(null), "n", Ok("[fd00::1]:10250")),
        (json!([address("Hostname", "localhost")]), json!(null), "n", Err("address not allowed")),
        (
            json!([address("InternalIP", "169.254.0.1")]),
            json!(null),
            "n",
            Err("address not allowed"),
        ),
        (json!([]), json!(null), "n", Err("no preferred addresses found; known addresses: []")),
    ] {
        let place = of_node(&node(addresses, port), &named(asked));
        let place = place.map(|place| {
            assert_eq!(place.to, Behind::Node("n".to_owned()));
            place.address
        });
        let place = place.map_err(|error| error.message);
        assert_eq!(place.as_deref().map_err(String::as_str), told, "{asked}");
    }
}

#[test]
fn a_pod_is_reached_at_its_first_port() {
    let pod = |containers: Value, ip: &str| {
        json!({
            "metadata": {"name": "p", "namespace": "a"}, "spec": {"containers": containers},
            "status": {"podIPs": [{"ip": ip}]},
        })
    };
    let ports = json!([{}, {"ports": [{"containerPort": 8080}, {"containerPort": 1}]}]);
    for (containers, ip, asked, told) in [
        (ports.clone(), "10.0.0.1", "p", Ok(8080)),
        (ports.clone(), "10.0.0.1", "p:99", Ok(99)),
        (json!([{}]), "10.0.0.1", "p", Ok(80)),
        (ports.clone(), "127.0.0.1", "p", Err("address not allowed")),
        (ports.clone(), "", "p", Err("address not allowed")),
        (
            ports.clone(),
            "10.0.0.1",
            "p:web",
            Err("error trying to reach service: dial tcp: lookup tcp/web: unknown port"),
        ),
        (
            ports,
            "10.0.0.1",
            "https:p:1",
            Err(
                "error trying to reach service: 10.0.0.1:1: TLS is not spoken with pods here, ask \
                 for http",
            ),
        ),
    ] {
        let place = of_pod(&pod(containers, ip), &named(asked));
        let place = place.map(|place| match place.to {
            Behind::Pod(Forward { port, .. }) => port,
            Behind::Node(name) => panic!("{name}"),
        });
        let place = place.map_err(|error| error.message);
        assert_eq!(place.as_ref().map(|port| *port).map_err(String::as_str), told, "{asked}");
    }
}
