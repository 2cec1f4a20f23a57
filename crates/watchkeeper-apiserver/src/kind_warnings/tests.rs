use serde_json::{Value, json};

use super::{of_pod, service};

#[test]
fn what_selects_nothing_or_is_there_twice_is_told() {
    let term = json!({"topologyKey": "z"});
    let spec = json!({
        "topologySpreadConstraints": [{"labelSelector": {}}, {"maxSkew": 1}],
        "hostAliases": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.1"}],
        "imagePullSecrets": [{}],
        "terminationGracePeriodSeconds": -1,
        "affinity": {"podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [term],
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": term}],
        }},
        "containers": [
            {"ports": [{"name": "a", "containerPort": 1}], "resources": {"requests": {"memory": "1500m"}}},
            {"ports": [{"name": "a", "containerPort": 2}]},
        ],
    });
    let nothing = "a null labelSelector results in matching no pod";
    let anti = "spec.affinity.podAntiAffinity";
    let during = "DuringSchedulingIgnoredDuringExecution[0]";
    assert_eq!(
        of_pod(&spec, "spec"),
        [
            format!("spec.topologySpreadConstraints[1].labelSelector: {nothing}"),
            "spec.hostAliases[1].ip: duplicate ip \"10.0.0.1\"".to_owned(),
            "spec.imagePullSecrets[0].name: invalid empty name \"\"".to_owned(),
            "spec.containers[0].resources.requests[memory]: fractional byte value \"1500m\" is invalid, must be \
             an integer"
                .to_owned(),
            "spec.containers[1].ports[0]: duplicate port name \"a\" with spec.containers[0].ports[0], services \
             and probes that select ports by name will use spec.containers[0].ports[0]"
                .to_owned(),
            "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated \
             as 1"
                .to_owned(),
            format!("{anti}.required{during}.labelSelector: {nothing}"),
            format!("{anti}.preferred{during}.podAffinityTerm.labelSelector: {nothing}"),
        ]
    );
}

#[test]
fn parts_of_a_service_that_nobody_looks_at_are_told() {
    let told = |spec: Value| service::warnings(&json!({"spec": spec}));
    let headless = json!({"type": "ClusterIP", "clusterIP": "None", "sessionAffinity": "None", "externalIPs": ["1.2.3.4"]});
    assert_eq!(told(headless), ["spec.externalIPs is ignored for headless services"]);
    let named = json!({"type": "ClusterIP", "externalName": "a.example.com", "trafficDistribution": "PreferClose"});
    assert_eq!(told(named).len(), 2);
    assert!(told(json!({"type": "ExternalName", "externalName": "a.example.com"})).is_empty());
}
