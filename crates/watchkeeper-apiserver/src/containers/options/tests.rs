use http::Method;
use serde_json::{Value, json};

use super::{of_ports, of_program};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::query::Query;

fn program(subresource: &str, query: &str) -> Value {
    let pods = builtin("", "v1", "Pod").expect("pods");
    let mut call = own_call(Method::GET, pods, "a", "x");
    subresource.clone_into(&mut call.subresource);
    call.query = Query::parse(query);
    of_program(&call)
}

#[test]
fn what_is_not_asked_for_is_not_told() {
    let exec = json!({"kind": "PodExecOptions", "apiVersion": "v1", "command": null});
    assert_eq!(program("exec", ""), exec);
    let attach = json!({"kind": "PodAttachOptions", "apiVersion": "v1"});
    assert_eq!(program("attach", "command=ls&stdin=false"), attach);
    let ports = json!({"kind": "PodPortForwardOptions", "apiVersion": "v1"});
    assert_eq!(of_ports(&[]), ports);
}

#[test]
fn what_is_asked_for_is_told() {
    let told = program("exec", "command=ls&command=-l&container=c&stdin=true&stdout=1&tty=true");
    let exec = json!({
        "kind": "PodExecOptions", "apiVersion": "v1", "stdin": true, "stdout": true, "tty": true,
        "container": "c", "command": ["ls", "-l"],
    });
    assert_eq!(told, exec);
    assert_eq!(of_ports(&[80, 443])["ports"], json!([80, 443]));
}
