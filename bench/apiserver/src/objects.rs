//! The objects that are written.

/// A config map that holds next to nothing.
pub fn map(name: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}},"data":{{"key":"value"}}}}"#
    )
}

/// A namespace.
pub fn namespace(name: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{name}"}}}}"#)
}

/// A pod as a replica set makes one, with one container.
pub fn pod(name: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}","labels":{{"app":"web","pod-template-hash":"5d75769f55"}},"#
    ) + r#""annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9090"}},"spec":{"containers":[{"name":"nginx","#
        + r#""image":"nginx:1.29","ports":[{"name":"http","containerPort":8080}],"env":[{"name":"MODE","value":"release"}],"#
        + r#""resources":{"requests":{"cpu":"100m","memory":"64Mi"},"limits":{"cpu":"1","memory":"256Mi"}}}]}}"#
}
