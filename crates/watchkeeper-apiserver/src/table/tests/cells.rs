//! Single cells of built-in kinds, where they change.

mod networks;
mod pods;

use super::*;

/// The cell below a column.
#[track_caller]
fn cell(group: &str, kind: &str, column: &str, mut object: Value) -> Value {
    object["metadata"]["name"] = "x".into();
    let columns = Columns::builtin(group, kind);
    let table = render(&columns, &[&object], &json!({}), Include::None, true, now());
    let mut definitions = table["columnDefinitions"].as_array().expect("columns").iter();
    let at = definitions.position(|one| one["name"] == column).expect("a column");
    table["rows"][0]["cells"][at].clone()
}

#[test]
fn an_api_service_is_there_or_says_why_not() {
    const GROUP: &str = "apiregistration.k8s.io";
    let available = |conditions: Value| {
        let object = json!({"status": {"conditions": conditions}});
        cell(GROUP, "APIService", "Available", object)
    };
    let one = |status: &str, reason: &str| json!({"type": "Available", "status": status, "reason": reason});
    let other = json!({"type": "Other", "status": "False", "reason": "Why"});
    assert_eq!(available(json!([one("True", "Passed")])), "True");
    assert_eq!(available(json!([one("True", "")])), "True");
    assert_eq!(available(json!([one("False", "")])), "False");
    assert_eq!(available(json!([one("False", "Gone")])), "False (Gone)");
    assert_eq!(available(json!([other, one("True", "Local")])), "True");
    assert_eq!(available(json!([other])), "Unknown");
    assert_eq!(available(json!([])), "Unknown");
    let service = |service: Value| {
        cell(GROUP, "APIService", "Service", json!({"spec": {"service": service}}))
    };
    assert_eq!(service(json!({"namespace": "n", "name": "s"})), "n/s");
    assert_eq!(service(Value::Null), "Local");
}

#[test]
fn a_component_is_healthy_or_not_or_nobody_knows() {
    let told = |conditions: Value| {
        ["Status", "Message", "Error"]
            .map(|column| cell("", "ComponentStatus", column, json!({ "conditions": conditions })))
    };
    let one =
        |status: &str| json!({"type": "Healthy", "status": status, "message": "m", "error": "e"});
    assert_eq!(told(json!([one("True")])), ["Healthy", "m", "e"]);
    assert_eq!(told(json!([one("False")])), ["Unhealthy", "m", "e"]);
    let other = json!({"type": "Other", "status": "True", "message": "o"});
    assert_eq!(told(json!([other, one("True")])), ["Healthy", "m", "e"]);
    assert_eq!(told(json!([other])), ["Unknown", "", ""]);
}

#[test]
fn a_request_for_a_certificate_is_in_one_state_and_more() {
    let state = |conditions: &[&str], certificate: &str| {
        let conditions: Vec<Value> =
            conditions.iter().map(|one| json!({"type": one, "status": "True"})).collect();
        let status = json!({"conditions": conditions, "certificate": certificate});
        let object = json!({ "status": status });
        cell("certificates.k8s.io", "CertificateSigningRequest", "Condition", object)
    };
    assert_eq!(state(&[], ""), "Pending");
    assert_eq!(state(&["Approved"], ""), "Approved");
    assert_eq!(state(&["Denied"], ""), "Denied");
    assert_eq!(state(&["Approved", "Denied"], ""), "Denied");
    assert_eq!(state(&["Approved", "Failed"], ""), "Approved,Failed");
    assert_eq!(state(&["Failed"], "c"), "Pending,Failed,Issued");
    let lasts = |spec: Value| {
        let kind = "CertificateSigningRequest";
        cell("certificates.k8s.io", kind, "RequestedDuration", json!({ "spec": spec }))
    };
    assert_eq!(lasts(json!({"expirationSeconds": 600})), "10m");
    assert_eq!(lasts(json!({})), "<none>");
}

#[test]
fn a_claim_of_devices_is_in_states() {
    let state = |is_deleting: bool, status: Value| {
        let mut object = json!({"metadata": {}, "status": status});
        if is_deleting {
            object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        }
        cell("resource.k8s.io", "ResourceClaim", "State", object)
    };
    let reserved = json!([{"name": "p"}]);
    assert_eq!(state(false, json!({})), "pending");
    assert_eq!(state(true, json!({})), "deleted");
    assert_eq!(state(false, json!({"allocation": {}})), "allocated");
    assert_eq!(state(false, json!({"allocation": {}, "reservedFor": []})), "allocated");
    assert_eq!(state(true, json!({"allocation": {}})), "deleted,allocated");
    let both = json!({"allocation": {}, "reservedFor": reserved});
    assert_eq!(state(true, both), "deleted,allocated,reserved");
    assert_eq!(state(false, json!({"reservedFor": reserved})), "pending");
}

#[test]
fn a_policy_is_bound_with_parameters_or_without() {
    let kind = "ValidatingAdmissionPolicyBinding";
    let params = |reference: Value| {
        let object = json!({"spec": {"paramRef": reference}});
        cell("admissionregistration.k8s.io", kind, "ParamRef", object)
    };
    assert_eq!(params(Value::Null), "<unset>");
    assert_eq!(params(json!({"name": "p"})), "*/p");
    assert_eq!(params(json!({"name": "p", "namespace": "n"})), "n/p");
    assert_eq!(params(json!({"name": "p", "selector": {}})), "*/p");
    let expression = json!({"key": "k", "operator": "In", "values": ["a", "b"]});
    let selector = json!({"matchLabels": {"a": "b", "c": "d"}, "matchExpressions": [expression]});
    assert_eq!(
        params(json!({ "selector": selector })),
        "&LabelSelector{MatchLabels:map[string]string{a: b,c: d,},\
         MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,\
         Values:[a b],},},}"
    );
    let rules = |kind: &str, column: &str, spec: Value| {
        cell("admissionregistration.k8s.io", kind, column, json!({ "spec": spec }))
    };
    let validating =
        json!({"validations": [{}, {}], "paramKind": {"apiVersion": "v1", "kind": "A"}});
    let kind = "ValidatingAdmissionPolicy";
    assert_eq!(rules(kind, "Validations", validating.clone()), 2);
    assert_eq!(rules(kind, "ParamKind", validating), "v1/A");
    assert_eq!(rules(kind, "ParamKind", json!({})), "<unset>");
    assert_eq!(rules("MutatingAdmissionPolicy", "Mutations", json!({"mutations": [{}]})), 1);
}

#[test]
fn an_address_is_of_something() {
    let parent = |of: Value| {
        cell("networking.k8s.io", "IPAddress", "ParentRef", json!({"spec": {"parentRef": of}}))
    };
    assert_eq!(parent(Value::Null), "<none>");
    assert_eq!(parent(json!({"resource": "Services", "name": "a"})), "services/a");
    let whole = json!({"group": "g.io", "resource": "r", "namespace": "n", "name": "a"});
    assert_eq!(parent(whole), "r.g.io/n/a");
    assert_eq!(parent(json!({"resource": "r"})), "r/");
}

#[test]
fn a_driver_of_volumes_tells_what_it_can() {
    let told = |column: &str, spec: Value| {
        cell("storage.k8s.io", "CSIDriver", column, json!({ "spec": spec }))
    };
    assert_eq!(told("AttachRequired", json!({})), true);
    assert_eq!(told("AttachRequired", json!({"attachRequired": false})), false);
    assert_eq!(
        told("Modes", json!({"volumeLifecycleModes": ["Persistent", "Ephemeral"]})),
        "Persistent,Ephemeral"
    );
    assert_eq!(told("Modes", json!({})), "<none>");
    assert_eq!(told("TokenRequests", json!({})), "<unset>");
    let tokens = json!({"tokenRequests": [{"audience": "a"}, {"audience": "b"}]});
    assert_eq!(told("TokenRequests", tokens), "a,b");
    assert_eq!(told("RequiresRepublish", json!({"requiresRepublish": true})), true);
}

#[test]
fn a_quota_shows_what_is_used_of_what() {
    let hard = json!({"limits.cpu": "2", "limits.memory": "1Gi", "pods": "3", "requests.cpu": "1"});
    let status = json!({"hard": hard, "used": {"limits.cpu": "1", "pods": "2"}});
    let told = |column: &str| cell("", "ResourceQuota", column, json!({ "status": status }));
    assert_eq!(told("Request"), "pods: 2/3, requests.cpu: 0/1");
    assert_eq!(told("Limit"), "limits.cpu: 1/2, limits.memory: 0/1Gi");
}

#[test]
fn a_node_has_roles_and_a_state() {
    let told = |column: &str, object: &Value| cell("", "Node", column, object.clone());
    let roles = |labels: Value| told("Roles", &json!({"metadata": {"labels": labels}}));
    assert_eq!(roles(json!({})), "<none>");
    assert_eq!(roles(json!({"node-role.kubernetes.io/": "x", "other": "y"})), "<none>");
    let many = json!({"kubernetes.io/role": "b", "node-role.kubernetes.io/b": "", "node-role.kubernetes.io/a": ""});
    assert_eq!(roles(many), "a,b");
    let ready = |status: &str, unschedulable: bool| {
        let conditions = json!([{"type": "Ready", "status": status}]);
        let spec = json!({"unschedulable": unschedulable});
        told("Status", &json!({"spec": spec, "status": {"conditions": conditions}}))
    };
    assert_eq!(ready("True", false), "Ready");
    assert_eq!(ready("Unknown", true), "NotReady,SchedulingDisabled");
    assert_eq!(told("Status", &json!({})), "Unknown");
    let info = |info: Value| told("Kernel-Version", &json!({"status": {"nodeInfo": info}}));
    assert_eq!(info(json!({"kernelVersion": "6"})), "6");
    assert_eq!(info(json!({"architecture": "arm64"})), "<unknown> (arm64)");
    let addresses =
        json!([{"type": "ExternalIP", "address": "e"}, {"type": "InternalIP", "address": "i"}]);
    let object = json!({"status": {"addresses": addresses}});
    assert_eq!(
        (told("Internal-IP", &object), told("External-IP", &object)),
        (json!("i"), json!("e"))
    );
}

#[test]
fn a_volume_tells_its_claim_and_a_claim_its_volume() {
    let volume = |column: &str, object: Value| cell("", "PersistentVolume", column, object);
    let claim =
        |column: &str, object: &Value| cell("", "PersistentVolumeClaim", column, object.clone());
    let reference = json!({"namespace": "n", "name": "c"});
    assert_eq!(volume("Claim", json!({"spec": {"claimRef": reference}})), "n/c");
    assert_eq!(volume("Claim", json!({})), "");
    assert_eq!(volume("Capacity", json!({})), "0");
    let modes = json!(["ReadWriteMany", "ReadWriteOncePod", "ReadOnlyMany", "ReadWriteOnce"]);
    assert_eq!(volume("Access Modes", json!({"spec": {"accessModes": modes}})), "RWO,ROX,RWX,RWOP");
    assert_eq!(volume("Access Modes", json!({"spec": {"accessModes": ["x"]}})), "");
    let gone = json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "status": {"phase": "Bound"}});
    assert_eq!(volume("Status", gone.clone()), "Terminating");
    assert_eq!(claim("Status", &gone), "Terminating");
    assert_eq!(claim("Status", &json!({"status": {"phase": "Bound"}})), "Bound");
    let status = json!({"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]});
    let unbound = json!({"status": status});
    assert_eq!(
        (claim("Capacity", &unbound), claim("Access Modes", &unbound)),
        (json!(""), json!(""))
    );
    let bound = json!({"spec": {"volumeName": "v"}, "status": status});
    assert_eq!(
        (claim("Capacity", &bound), claim("Access Modes", &bound)),
        (json!("1Gi"), json!("RWO"))
    );
    let annotations = json!({"volume.beta.kubernetes.io/storage-class": "old"});
    let mut classed = json!({"spec": {"storageClassName": "new"}});
    assert_eq!(claim("StorageClass", &classed), "new");
    classed["metadata"] = json!({ "annotations": annotations });
    assert_eq!(claim("StorageClass", &classed), "old");
}

#[test]
fn an_event_tells_of_its_times_by_what_it_has() {
    let told = |column: &str, object: &Value| cell("", "Event", column, object.clone());
    let (early, late) = ("2026-01-01T01:00:00Z", "2026-01-01T01:59:00Z");
    let event = json!({"firstTimestamp": early, "lastTimestamp": late, "count": 7});
    let series = json!({"firstTimestamp": early, "lastTimestamp": early, "count": 7,
        "series": {"count": 3, "lastObservedTime": late}});
    let new = json!({"eventTime": late, "deprecatedCount": 2});
    for (event, first, last, count) in [
        (&event, "60m", "60s", 7),
        (&series, "60m", "60s", 3),
        (&new, "60s", "60s", 2),
        (&json!({}), "<unknown>", "<unknown>", 1),
    ] {
        let shown = (told("First Seen", event), told("Last Seen", event), told("Count", event));
        assert_eq!(shown, (json!(first), json!(last), json!(count)), "{event}");
    }
    let about = |object: Value| told("Object", &object);
    assert_eq!(about(json!({"involvedObject": {"kind": "Pod", "name": "a"}})), "pod/a");
    assert_eq!(about(json!({"regarding": {"kind": "Pod", "name": "a"}})), "pod/a");
    assert_eq!(about(json!({"regarding": {"kind": "Pod"}})), "pod");
    let source = |object: Value| told("Source", &object);
    assert_eq!(source(json!({"source": {"component": "c", "host": "h"}})), "c, h");
    assert_eq!(source(json!({"source": {"component": "c"}})), "c");
    let reporter = json!({"reportingController": "c", "reportingInstance": "i"});
    assert_eq!(source(reporter), "c, i");
    let message = |object: Value| told("Message", &object);
    assert_eq!(message(json!({"message": " m ", "note": "n"})), "m");
    assert_eq!(message(json!({"note": "n"})), "n");
}

#[test]
fn the_target_of_an_autoscaler_is_told_by_its_kind() {
    let targets = |metrics: Value, current: Value| {
        let status = json!({ "currentMetrics": current });
        let object = json!({"spec": {"metrics": metrics}, "status": status});
        cell("autoscaling", "HorizontalPodAutoscaler", "Targets", object)
    };
    let none = || Value::Null;
    let resource =
        |target: Value| json!({"type": "Resource", "resource": {"name": "cpu", "target": target}});
    let used = json!([{"resource": {"current": {"averageUtilization": 5, "averageValue": "7m"}}}]);
    let by_use = resource(json!({"averageUtilization": 80}));
    let by_value = resource(json!({"averageValue": "10m"}));
    assert_eq!(targets(none(), none()), "<none>");
    assert_eq!(targets(json!([by_use]), none()), "cpu: <unknown>/80%");
    assert_eq!(targets(json!([by_use]), used.clone()), "cpu: 5%/80%");
    assert_eq!(targets(json!([by_value]), used), "cpu: 7m/10m");
    assert_eq!(targets(json!([resource(json!({}))]), none()), "cpu: <unknown>/<auto>");
    let of = |type_: &str, member: &str, target: Value| json!({"type": type_, member: {"target": target}});
    let pods = of("Pods", "pods", json!({"averageValue": "1"}));
    assert_eq!(targets(json!([pods]), none()), "<unknown>/1");
    let object = of("Object", "object", json!({"value": "2"}));
    assert_eq!(targets(json!([object]), none()), "<unknown>/2");
    let average = of("External", "external", json!({"averageValue": "3"}));
    assert_eq!(targets(json!([average]), none()), "<unknown>/3 (avg)");
    assert_eq!(targets(json!([{"type": "x"}]), none()), "<unknown type>");
    assert_eq!(targets(json!([pods, object]), none()), "<unknown>/1, <unknown>/2");
    assert_eq!(
        targets(json!([pods, object, average]), none()),
        "<unknown>/1, <unknown>/2 + 1 more..."
    );
    let least = |spec: Value| {
        cell("autoscaling", "HorizontalPodAutoscaler", "MinPods", json!({ "spec": spec }))
    };
    assert_eq!(
        (least(json!({"minReplicas": 2})), least(json!({}))),
        (json!("2"), json!("<unset>"))
    );
}

#[test]
fn small_kinds_tell_their_defaults() {
    let budget = |spec: Value| {
        ["Min Available", "Max Unavailable"]
            .map(|column| cell("policy", "PodDisruptionBudget", column, json!({ "spec": spec })))
    };
    assert_eq!(budget(json!({"minAvailable": 1})), ["1", "N/A"]);
    assert_eq!(budget(json!({"maxUnavailable": "5%"})), ["N/A", "5%"]);
    let class = |annotation: &str, value: &str| {
        let object = json!({"metadata": {"annotations": {annotation: value}}});
        cell("storage.k8s.io", "StorageClass", "Name", object)
    };
    let plain = "storageclass.kubernetes.io/is-default-class";
    let beta = "storageclass.beta.kubernetes.io/is-default-class";
    assert_eq!(
        (class(plain, "true"), class(beta, "true")),
        (json!("x (default)"), json!("x (default)"))
    );
    assert_eq!((class(plain, "false"), class("other", "true")), (json!("x"), json!("x")));
    let of_class = |column: &str| cell("storage.k8s.io", "StorageClass", column, json!({}));
    assert_eq!(
        (of_class("ReclaimPolicy"), of_class("VolumeBindingMode")),
        (json!("Delete"), json!("Immediate"))
    );
    let subject =
        |kind: &str, namespace: &str| json!({"kind": kind, "name": "n", "namespace": namespace});
    let subjects = json!([
        subject("ServiceAccount", "s"),
        subject("ServiceAccount", ""),
        subject("User", "s"),
        subject("Group", "s")
    ]);
    let bound = |column: &str| {
        let object = json!({ "subjects": subjects });
        cell("rbac.authorization.k8s.io", "ClusterRoleBinding", column, object)
    };
    assert_eq!((bound("ServiceAccounts"), bound("Users")), (json!("s/n, n"), json!("n")));
    assert_eq!(bound("Groups"), "n");
    let level = |limited: Value| {
        let columns = ["NominalConcurrencyShares", "Queues", "HandSize", "QueueLengthLimit"];
        let object = json!({"spec": {"limited": limited}});
        let group = "flowcontrol.apiserver.k8s.io";
        columns.map(|column| cell(group, "PriorityLevelConfiguration", column, object.clone()))
    };
    let queuing = json!({"queues": 2, "handSize": 3, "queueLengthLimit": 4});
    let limited = json!({"nominalConcurrencyShares": 1, "limitResponse": {"queuing": queuing}});
    assert_eq!(level(limited), [json!(1), json!(2), json!(3), json!(4)]);
    assert_eq!(level(json!({})), ["<none>"; 4]);
    let missing = |conditions: Value| {
        let object = json!({"status": {"conditions": conditions}});
        cell("flowcontrol.apiserver.k8s.io", "FlowSchema", "MissingPL", object)
    };
    assert_eq!(missing(json!([])), "?");
    assert_eq!(missing(json!([{"type": "Dangling", "status": "True"}])), "True");
}

#[test]
fn a_job_is_in_the_first_state_that_holds() {
    let told = |column: &str, object: Value| cell("batch", "Job", column, object);
    let state = |of: &[&str], metadata: Value| {
        let conditions: Vec<Value> =
            of.iter().map(|one| json!({"type": one, "status": "True"})).collect();
        told("Status", json!({"metadata": metadata, "status": {"conditions": conditions}}))
    };
    let order = ["Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"];
    for (at, first) in order.iter().enumerate() {
        assert_eq!(state(&order[at..], json!({})), *first);
    }
    assert_eq!(state(&[], json!({})), "Running");
    let going = json!({"deletionTimestamp": "2026-01-01T00:00:00Z"});
    assert_eq!(state(&order[2..], going.clone()), "Terminating");
    assert_eq!(state(&order[1..], going), "Failed");
    let no = json!([{"type": "Complete", "status": "False"}]);
    assert_eq!(told("Status", json!({"status": {"conditions": no}})), "Running");
    let completions =
        |spec: Value| told("Completions", json!({"spec": spec, "status": {"succeeded": 1}}));
    assert_eq!(completions(json!({"completions": 3, "parallelism": 2})), "1/3");
    assert_eq!(completions(json!({"parallelism": 2})), "1/1 of 2");
    assert_eq!(completions(json!({"parallelism": 1})), "1/1");
    assert_eq!(completions(json!({})), "1/1");
    let lasts = |status: Value| told("Duration", json!({ "status": status }));
    assert_eq!(lasts(json!({"startTime": "2026-01-01T01:59:00Z"})), "60s");
    assert_eq!(lasts(json!({})), "");
    let cron = |column: &str, object: Value| cell("batch", "CronJob", column, object);
    let suspended = |spec: Value| cron("Suspend", json!({ "spec": spec }));
    assert_eq!(
        (suspended(json!({"suspend": true})), suspended(json!({"suspend": false}))),
        (json!("True"), json!("False"))
    );
    assert_eq!(suspended(json!({})), "<unset>");
    assert_eq!(cron("Last Schedule", json!({})), "<none>");
    assert_eq!(
        cron("Last Schedule", json!({"status": {"lastScheduleTime": "2026-01-01T01:59:00Z"}})),
        "60s"
    );
}

#[test]
fn a_revision_is_of_its_controller() {
    let controller = |owners: Value| {
        let object = json!({"metadata": {"ownerReferences": owners}});
        cell("apps", "ControllerRevision", "Controller", object)
    };
    let owner = |version: &str, controls: bool| json!({"apiVersion": version, "kind": "Foo", "name": "a", "controller": controls});
    assert_eq!(controller(json!([])), "<none>");
    assert_eq!(controller(json!([owner("apps/v1", false)])), "<none>");
    assert_eq!(controller(json!([owner("v1", false), owner("apps/v1", true)])), "foo.apps/a");
    assert_eq!(controller(json!([owner("v1", true)])), "foo/a");
    let selector = |selector: Value| {
        cell("", "ReplicationController", "Selector", json!({"spec": {"selector": selector}}))
    };
    assert_eq!(selector(json!({"a": "b"})), "a=b");
    assert_eq!(selector(json!({"matchLabels": {"a": "b"}})), "a=b");
    let expression = json!([{"key": "a", "operator": "Exists"}]);
    assert_eq!(selector(json!({ "matchExpressions": expression })), "a");
}

#[test]
fn columns_have_the_types_of_what_is_in_them() {
    let types = |group: &str, kind: &str| {
        let columns = Columns::builtin(group, kind);
        let told = columns
            .columns
            .iter()
            .map(|one| format!("{} {} {} {}", one.name, one.type_, one.format, one.priority));
        told.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        types("storage.k8s.io", "VolumeAttachment"),
        "Name string name 0\nAttacher string name 0\nPV string  0\nNode string  0\n\
         Attached boolean  0\nAge string  0"
    );
    assert_eq!(types("nobody", "Knows"), "Name string name 0\nCreated At date  0");
    assert!(types("autoscaling", "Scale").starts_with("Name string  0\nDesired integer  0\n"));
    assert!(
        types("apps", "ReplicaSet")
            .ends_with("\nContainers string  1\nImages string  1\nSelector string  1")
    );
    let event = types("", "Event");
    assert!(event.ends_with("\nCount string  1\nName string name 1"), "{event}");
    assert_eq!(types("events.k8s.io", "Event"), event);
}
