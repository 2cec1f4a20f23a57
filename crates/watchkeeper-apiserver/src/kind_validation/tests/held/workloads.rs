//! Workloads, webhooks, nodes, autoscalers, roles and events.

use super::*;

const HOOKS: Kind = ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration");
const SCALER: Kind = ("autoscaling", "HorizontalPodAutoscaler");

/// A workload that selects its pods, with more in its spec.
fn workload(more: Value) -> Value {
    let spec = json!({
        "selector": {"matchLabels": {"app": "a"}},
        "template": {"metadata": {"labels": {"app": "a"}},
            "spec": {"containers": [{"name": "a", "image": "i"}]}},
    });
    json!({"spec": crate::patch::merge(&spec, &more)})
}

#[test]
fn a_text_that_is_no_percentage_is_a_number_or_counts_as_none() {
    let told = |unavailable: &str| {
        let rolling = json!({"maxUnavailable": unavailable, "maxSurge": 0});
        wrong(("apps", "Deployment"), workload(json!({"strategy": {"rollingUpdate": rolling}})))
    };
    let once = "spec.strategy.rollingUpdate.maxUnavailable Invalid";
    let twice = format!("{once}; {once}");
    assert_eq!(told("1%"), "");
    let beyond = ["5", "-5", "99999999999999999999", "-99999999999999999999"].map(told);
    assert_eq!(beyond, [once; 4]);
    assert_eq!([told("0"), told("x")], [twice.as_str(); 2]);
    assert_eq!(told("0%"), once);
}

#[test]
fn deadlines_of_deployments_are_after_pods_are_ready() {
    let told = |ready: i64, deadline: i64| {
        let more = json!({"minReadySeconds": ready, "progressDeadlineSeconds": deadline});
        wrong(("apps", "Deployment"), workload(more))
    };
    assert_eq!([told(5, 6), told(0, 1)], [""; 2]);
    assert_eq!(told(6, 6), "spec.progressDeadlineSeconds Invalid");
    for kind in ["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"] {
        let pod =
            |more: Value| wrong(("apps", kind), workload(json!({"template": {"spec": more}})));
        let told = pod(json!({"restartPolicy": "Never", "activeDeadlineSeconds": 5}));
        let at = "spec.template.spec";
        let expected =
            format!("{at}.restartPolicy NotSupported; {at}.activeDeadlineSeconds Forbidden");
        assert_eq!(told, expected, "{kind}");
        assert_eq!(
            wrong(("apps", kind), workload(json!({"minReadySeconds": -1}))),
            "spec.minReadySeconds Invalid"
        );
    }
}

#[test]
fn replication_controllers_select_their_pods() {
    let kind = ("", "ReplicationController");
    let controller = |more: Value| {
        let mut controller = workload(json!({"selector": null}));
        controller["spec"]["selector"] = json!({"app": "a"});
        crate::patch::merge(&controller, &json!({ "spec": more }))
    };
    let labels = "spec.template.metadata.labels Invalid";
    assert_eq!(wrong(kind, controller(json!({}))), "");
    assert_eq!(wrong(kind, controller(json!({"selector": {"app": "b"}}))), labels);
    assert_eq!(wrong(kind, controller(json!({"selector": {"tier": "b"}}))), labels);
    assert_eq!(
        wrong_bare(kind, &json!({"spec": {}})),
        "spec.selector Required; spec.template Required"
    );
}

#[test]
fn selectors_take_labels_in_each_way() {
    let told = |operator: &str, key: &str, values: &[&str]| {
        let one = json!({"key": key, "operator": operator, "values": values});
        let selector = json!({"matchLabels": null, "matchExpressions": [one]});
        wrong(("apps", "Deployment"), workload(json!({ "selector": selector })))
    };
    let not = "spec.template.metadata.labels Invalid";
    for (operator, key, values, expected) in [
        ("In", "app", &["b", "a"][..], ""),
        ("In", "app", &["b"], not),
        ("In", "x", &["a"], not),
        ("NotIn", "app", &["b"], ""),
        ("NotIn", "app", &["a"], not),
        ("NotIn", "x", &["a"], ""),
        ("Exists", "app", &[], ""),
        ("Exists", "x", &[], not),
        ("DoesNotExist", "app", &[], not),
        ("DoesNotExist", "x", &[], ""),
    ] {
        assert_eq!(told(operator, key, values), expected, "{operator} {key}");
    }
    let at = "spec.selector.matchExpressions[0]";
    for (operator, values, expected) in [
        ("Exists", &["a"][..], format!("{at}.values Forbidden")),
        ("In", &[], format!("{at}.values Required")),
        ("x", &[], format!("{at}.operator Invalid")),
        ("NotIn", &["a", "a b"], format!("{at}.values[1] Invalid")),
    ] {
        let told = told(operator, "app", values);
        assert_eq!(told, format!("{expected}; spec.selector Invalid"), "{operator}");
    }
}

fn hook(more: Value) -> Value {
    let hook = json!({"name": "a.b.c", "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://a/"}});
    json!({"webhooks": [crate::patch::merge(&hook, &more)]})
}

#[test]
fn clients_of_webhooks() {
    let at = "webhooks[0].clientConfig";
    let url = |url: &str| json!({ "url": url });
    let service = |more: Value| {
        let service = json!({"name": "s", "namespace": "n"});
        json!({"url": null, "service": crate::patch::merge(&service, &more)})
    };
    let path = |path: &str| service(json!({ "path": path }));
    let (of_url, of_path) = (format!("{at}.url Invalid"), format!("{at}.service.path Invalid"));
    for (client, expected) in [
        (url("https://a:443/b"), String::new()),
        (url("http://a"), of_url.clone()),
        (url("https://"), of_url.clone()),
        (url("https://u@a"), of_url.clone()),
        (url("https://a#b"), of_url.clone()),
        (url("https://a?b"), of_url),
        (json!({"url": null}), format!("{at} Required")),
        (json!({"service": {"name": "s", "namespace": "n"}}), format!("{at} Required")),
        (service(json!({"port": 65_535})), String::new()),
        (service(json!({"port": 65_536})), format!("{at}.service.port Invalid")),
        (service(json!({"namespace": ""})), format!("{at}.service.name Required")),
        (service(json!({"name": ""})), format!("{at}.service.namespace Required")),
        (path(""), String::new()),
        (path("/"), String::new()),
        (path("/a/b/"), String::new()),
        (path("//"), of_path.clone()),
        (path("/a//b"), of_path.clone()),
        (path("/A"), of_path.clone()),
        (path("a"), format!("{of_path}; {of_path}")),
    ] {
        assert_eq!(wrong(HOOKS, hook(json!({"clientConfig": client}))), expected, "{client}");
    }
}

#[test]
fn rules_of_webhooks() {
    let rule = |more: Value| {
        let rule = json!({"operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]});
        hook(json!({"rules": [crate::patch::merge(&rule, &more)]}))
    };
    let at = "webhooks[0].rules[0]";
    let resources = format!("{at}.resources");
    for (more, expected) in [
        (json!({"resources": ["pods", "pods/*", "*/scale"]}), String::new()),
        (json!({"resources": ["pods/*", "pods/log"]}), format!("{resources}[1] Invalid")),
        (json!({"resources": ["*/scale", "a/scale"]}), format!("{resources}[1] Invalid")),
        (json!({"resources": ["*/*"]}), String::new()),
        (json!({"resources": ["*/*", "pods"]}), format!("{resources} Invalid")),
        (json!({"resources": ["*", "pods/log"]}), String::new()),
        (json!({"resources": ["*", "pods"]}), format!("{resources} Invalid")),
        (json!({"resources": ["pods", ""]}), format!("{resources}[1] Required")),
        (json!({"resources": []}), format!("{resources} Required")),
        (json!({"operations": ["CREATE", "x"]}), format!("{at}.operations[1] NotSupported")),
        (json!({"operations": ["*", "CREATE"]}), format!("{at}.operations Invalid")),
        (json!({"apiGroups": []}), format!("{at}.apiGroups Required")),
        (json!({"apiVersions": ["v1", ""]}), format!("{at}.apiVersions[1] Required")),
    ] {
        assert_eq!(wrong(HOOKS, rule(more.clone())), expected, "{more}");
    }
    let at = "webhooks[0]";
    for (more, expected) in [
        (json!({"timeoutSeconds": 1}), String::new()),
        (json!({"timeoutSeconds": 30}), String::new()),
        (json!({"timeoutSeconds": 31}), format!("{at}.timeoutSeconds Invalid")),
        (json!({"name": "a.b"}), format!("{at}.name Invalid")),
        (json!({"name": ""}), format!("{at}.name Required")),
        (json!({"name": "A.b.c"}), format!("{at}.name Invalid")),
        (json!({"failurePolicy": "x"}), format!("{at}.failurePolicy NotSupported")),
        (json!({"matchPolicy": "x"}), format!("{at}.matchPolicy NotSupported")),
        (json!({"sideEffects": null}), format!("{at}.sideEffects Required")),
        (json!({"sideEffects": "Some"}), format!("{at}.sideEffects NotSupported")),
        (json!({"admissionReviewVersions": []}), format!("{at}.admissionReviewVersions Required")),
        (
            json!({"admissionReviewVersions": ["v1", "v1"]}),
            format!("{at}.admissionReviewVersions[1] Invalid"),
        ),
    ] {
        assert_eq!(wrong(HOOKS, hook(more.clone())), expected, "{more}");
    }
}

/// What is wrong with an autoscaler with one metric.
fn scaled(metric: Value) -> String {
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"});
    let spec = json!({"maxReplicas": 2, "scaleTargetRef": target, "metrics": [metric]});
    wrong(SCALER, json!({ "spec": spec })).replace("spec.metrics[0]", "")
}

#[test]
fn targets_of_metrics() {
    let metric = |kind: &str, target: Value| {
        let object = json!({"apiVersion": "v1/x", "kind": "K", "name": "n"});
        let (member, mut source) = match kind {
            "Object" => ("object", json!({"metric": {"name": "m"}, "describedObject": object})),
            "Pods" => ("pods", json!({"metric": {"name": "m"}})),
            "External" => ("external", json!({"metric": {"name": "m"}})),
            _ => ("resource", json!({"name": "cpu"})),
        };
        source["target"] = crate::patch::merge(&json!({"type": "Value"}), &target);
        scaled(json!({"type": kind, member: source}))
    };
    let (value, average, share) =
        (json!({"value": "1"}), json!({"averageValue": "1"}), json!({"averageUtilization": 1}));
    let both = json!({"value": "1", "averageValue": "1"});
    let shares = json!({"averageUtilization": 1, "averageValue": "1"});
    for (kind, target, expected) in [
        ("Object", &value, ""),
        ("Object", &average, ""),
        ("Object", &share, ".object.target.averageValue Required"),
        ("External", &value, ""),
        ("External", &average, ""),
        ("External", &share, ".external.target.averageValue Required"),
        ("External", &both, ".external.target.value Forbidden"),
        ("Pods", &average, ""),
        ("Pods", &value, ".pods.target.averageValue Required"),
        ("Resource", &average, ""),
        ("Resource", &share, ""),
        ("Resource", &value, ".resource.target.averageUtilization Required"),
        ("Resource", &shares, ".resource.target.averageValue Forbidden"),
        ("Object", &json!({"value": "0"}), ".object.target.value Invalid"),
        (
            "Resource",
            &json!({"averageUtilization": 0}),
            ".resource.target.averageUtilization Invalid",
        ),
        ("Pods", &json!({"type": "x", "averageValue": "1"}), ".pods.target.type Invalid"),
    ] {
        assert_eq!(metric(kind, target.clone()), expected, "{kind} {target}");
    }
}

#[test]
fn a_metric_is_of_its_own_kind() {
    let target = json!({"type": "AverageValue", "averageValue": "1"});
    let pods = json!({"metric": {"name": "m"}, "target": target});
    let resource = json!({"name": "cpu", "target": target});
    let contained =
        |container: &str| json!({"name": "cpu", "container": container, "target": target});
    for (metric, expected) in [
        (json!({"type": "Pods", "pods": pods}), ""),
        (json!({"type": "Pods"}), ".pods Required"),
        (json!({"type": "Pods", "resource": resource}), ".pods Required"),
        (json!({"type": "Pods", "pods": pods, "resource": resource}), ".resource Forbidden"),
        (json!({"type": "x", "pods": pods}), ".type NotSupported; .type NotSupported"),
        (json!({"type": "ContainerResource", "containerResource": contained("a")}), ""),
        (
            json!({"type": "ContainerResource", "containerResource": contained("")}),
            ".containerResource.container Required",
        ),
        (
            json!({"type": "Pods", "pods": {"metric": {"name": "a/b"}, "target": target}}),
            ".pods.metric.name Invalid",
        ),
        (
            json!({"type": "Resource", "resource": {"name": "", "target": target}}),
            ".resource.name Required",
        ),
    ] {
        assert_eq!(scaled(metric.clone()), expected, "{metric}");
    }
}

#[test]
fn autoscalers_move_in_bounds() {
    let scaler = |more: Value| {
        let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"});
        let spec = json!({"minReplicas": 1, "maxReplicas": 2, "scaleTargetRef": target});
        json!({"spec": crate::patch::merge(&spec, &more)})
    };
    let rules = |more: Value| {
        let policy = json!({"type": "Pods", "value": 1, "periodSeconds": 1});
        let rules = json!({"selectPolicy": "Max", "policies": [policy]});
        json!({"behavior": {"scaleDown": crate::patch::merge(&rules, &more)}})
    };
    let policy = |kind: &str, value: i64, period: i64| {
        rules(json!({"policies": [{"type": kind, "value": value, "periodSeconds": period}]}))
    };
    let at = "spec.behavior.scaleDown";
    for (more, expected) in [
        (json!({"maxReplicas": 1}), String::new()),
        (json!({"minReplicas": 3}), "spec.maxReplicas Invalid".to_owned()),
        (
            json!({"minReplicas": null, "maxReplicas": 0}),
            "spec.maxReplicas Required; spec.maxReplicas Invalid".to_owned(),
        ),
        (
            json!({"scaleTargetRef": {"apiVersion": "v1"}}),
            "spec.scaleTargetRef.apiVersion Invalid".to_owned(),
        ),
        (
            json!({"scaleTargetRef": {"apiVersion": "/v1"}}),
            "spec.scaleTargetRef.apiVersion Invalid".to_owned(),
        ),
        (
            json!({"scaleTargetRef": {"apiVersion": "a/b/c"}}),
            "spec.scaleTargetRef.apiVersion Invalid".to_owned(),
        ),
        (rules(json!({"stabilizationWindowSeconds": 0})), String::new()),
        (rules(json!({"stabilizationWindowSeconds": 3600})), String::new()),
        (
            rules(json!({"stabilizationWindowSeconds": 3601})),
            format!("{at}.stabilizationWindowSeconds Invalid"),
        ),
        (
            rules(json!({"stabilizationWindowSeconds": -1})),
            format!("{at}.stabilizationWindowSeconds Invalid"),
        ),
        (rules(json!({"selectPolicy": "x"})), format!("{at}.selectPolicy NotSupported")),
        (policy("Percent", 1, 1800), String::new()),
        (policy("Percent", 1, 1801), format!("{at}.policies[0].periodSeconds Invalid")),
        (policy("Percent", 0, 1), format!("{at}.policies[0].value Invalid")),
        (
            policy("x", 1, 0),
            format!("{at}.policies[0].type NotSupported; {at}.policies[0].periodSeconds Invalid"),
        ),
        (rules(json!({"tolerance": "0"})), String::new()),
        (rules(json!({"tolerance": "-1m"})), format!("{at}.tolerance Invalid")),
    ] {
        assert_eq!(wrong(SCALER, scaler(more.clone())), expected, "{more}");
    }
}
