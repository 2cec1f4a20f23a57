use http::Method;
use serde_json::{Value, json};

use super::{check_place, give_metadata, in_order, mismatch};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;

fn said(group: &str, of: &str, kind: &str, api_version: &str) -> String {
    let resource = builtin(group, "v1", of).expect("a kind");
    mismatch(&resource, kind, api_version).unwrap_or_default()
}

/// Of what Go's decoder of a scheme says.
#[test]
fn an_object_is_of_the_kind_and_the_version_of_its_path() {
    for (kind, version) in
        [("", ""), ("Deployment", ""), ("", "apps/v1"), ("Deployment", "apps/v1")]
    {
        assert_eq!(said("apps", "Deployment", kind, version), "", "{kind} {version}");
    }
    assert_eq!(
        said("apps", "Deployment", "HorizontalPodAutoscaler", "autoscaling/v1"),
        "the API version in the data (autoscaling/v1) does not match the expected API version (apps/v1)"
    );
    let head = "cannot be handled as a Deployment:";
    assert_eq!(
        said("apps", "Deployment", "Nobody", "apps/v1"),
        format!(
            "Nobody in version \"v1\" {head} no kind \"Nobody\" is registered for version \
             \"apps/v1\" in scheme \"pkg/runtime/scheme.go:111\""
        )
    );
    assert_eq!(
        said("apps", "Deployment", "DaemonSet", ""),
        format!(
            "DaemonSet in version \"v1\" {head} converting (v1.DaemonSet) to (apps.Deployment): \
             unknown conversion"
        )
    );
    assert_eq!(
        said("", "Pod", "Node", "v1"),
        "Node in version \"v1\" cannot be handled as a Pod: converting (v1.Node) to (core.Pod): \
         unknown conversion"
    );
}

#[test]
fn problems_are_in_the_order_of_members_and_items() {
    let mut paths = ["b", "a[10].x", "a[9].y", "a", "a[9].x"];
    paths.sort_by_cached_key(|path| {
        in_order(path)
            .into_iter()
            .map(|(number, text)| (number, text.to_owned()))
            .collect::<Vec<_>>()
    });
    assert_eq!(paths, ["a", "a[9].x", "a[9].y", "a[10].x", "b"]);
}

#[test]
fn metadata_is_an_object_or_nothing() {
    let pods = builtin("", "v1", "Pod").expect("pods");
    for (metadata, expected) in [
        (json!({"name": "a"}), Ok(json!({"name": "a"}))),
        (Value::Null, Ok(json!({}))),
        (
            json!("a"),
            Err("json: cannot unmarshal string into Go struct field Pod.metadata of type \
                 v1.ObjectMeta"
                .to_owned()),
        ),
    ] {
        let mut value = json!({"metadata": metadata});
        let given = give_metadata(&mut value, &pods).map(|()| value["metadata"].take());
        assert_eq!(given, expected);
    }
}

#[test]
fn an_object_is_where_its_path_says() {
    let placed = |kind: &str, metadata: &Value| {
        let resource = builtin("", "v1", kind).expect("a kind");
        let call = own_call(Method::PUT, resource, "a", "x");
        let mut value = json!({"metadata": metadata});
        check_place(&call, &mut value)
            .map_or_else(|why| why.message.into(), |()| value["metadata"].take())
    };
    let here = json!({"name": "x", "namespace": "a"});
    assert_eq!(placed("Pod", &json!({})), here);
    assert_eq!(placed("Pod", &here), here);
    assert_eq!(placed("Node", &here), json!({"name": "x"}));
    let name = "the name of the object (y) does not match the name on the URL (x)";
    assert_eq!(placed("Pod", &json!({"name": "y"})), name);
    let namespace =
        "the namespace of the provided object does not match the namespace sent on the request";
    assert_eq!(placed("Pod", &json!({"namespace": "b"})), namespace);
}
