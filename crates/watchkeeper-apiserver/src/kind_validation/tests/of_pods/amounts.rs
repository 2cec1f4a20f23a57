//! What containers and pods ask for, and when they begin again.

use super::*;

/// A container that asks for so many processors.
fn container(name: &str, cpu: &str, more: &Value) -> Value {
    let container = json!({"name": name, "image": "x", "resources": {"requests": {"cpu": cpu}}});
    crate::patch::merge(&container, more)
}

#[test]
fn a_pod_as_a_whole_asks_for_what_its_containers_take_at_a_time() {
    let beside = json!({"restartPolicy": "Always"});
    let none = json!({});
    let told = |amount: &str, containers: &[Value], before: &[Value]| {
        told(&json!({"resources": {"requests": {"cpu": amount}}, "containers": containers,
            "initContainers": before}))
    };
    let two = [container("a", "1", &none), container("b", "1", &none)];
    let small = [container("a", "100m", &none)];
    let pair = [container("s", "1", &beside), container("i", "2", &none)];
    let turned = [container("i", "2", &none), container("s", "1", &beside)];
    for (containers, before, sum, least) in [
        (&two[..], &[][..], "2", "1999m"),
        (&two, &[container("s", "3", &beside)], "5", "4999m"),
        (&two, &[container("i", "3", &none)], "3", "2999m"),
        // One that runs to its end has those beside it that began before it, and no others.
        (&small, &pair, "3", "2999m"),
        (&small, &turned, "2", "1999m"),
    ] {
        assert_eq!(told(sum, containers, before), NONE, "{sum}");
        let place = "spec.resources.requests[cpu]";
        let detail = "must be greater than or equal to aggregate container requests of";
        assert_eq!(told(least, containers, before), [format!("{place}: {detail} {sum}")]);
    }
}

#[test]
fn no_container_may_take_more_than_its_pod() {
    let told = |most: &str, own: &str| {
        let limits = json!({"resources": {"limits": {"cpu": own}}});
        told(&json!({"resources": {"limits": {"cpu": most}},
            "containers": [container("a", "1m", &limits)]}))
    };
    assert_eq!(told("1", "1"), NONE);
    let wrong =
        "spec.resources.containers[0][cpu].limits: must be less than or equal to pod limits of 1";
    assert_eq!(told("1", "1001m"), [wrong]);
}

#[test]
fn requests_are_within_limits_and_pages_come_with_something_else() {
    let told = |resources: Value| {
        told(&json!({"containers": [{"name": "a", "image": "x", "resources": resources}]}))
    };
    let both = |name: &str, request: &str, limit: &str| {
        told(
            json!({"requests": {name: request, "memory": "1"}, "limits": {name: limit, "memory": "1"}}),
        )
    };
    let place = "spec.containers[0].resources";
    let below = format!("{place}.requests: must be less than or equal to cpu limit of 1");
    assert_eq!(both("cpu", "1", "1"), NONE);
    assert_eq!(both("cpu", "1m", "1"), NONE);
    assert_eq!(both("cpu", "1001m", "1"), [below]);
    let equal = format!("{place}.requests: must be equal to example.com/a limit of 2");
    assert_eq!(both("example.com/a", "2", "2"), NONE);
    assert_eq!(both("example.com/a", "1", "2"), std::slice::from_ref(&equal));
    assert_eq!(both("example.com/a", "3", "2"), [equal]);
    let pages = |more: Value| {
        let pages = json!({"hugepages-2Mi": "2Mi"});
        let limits = crate::patch::merge(&pages, &more);
        told(json!({"requests": pages, "limits": limits}))
    };
    assert_eq!(pages(json!({"cpu": "1"})), NONE);
    assert_eq!(pages(json!({"memory": "1"})), NONE);
    let alone = format!("{place}: HugePages require cpu or memory");
    assert_eq!(pages(json!({"ephemeral-storage": "1"})), [alone]);
}

#[test]
fn claims_are_named_once_each_or_in_parts() {
    let told = |claims: &[(&str, &str)]| {
        let named = |(name, request): &(&str, &str)| match *request {
            "" => json!({"name": name}),
            request => json!({"name": name, "request": request}),
        };
        let claims: Vec<Value> = claims.iter().map(named).collect();
        let list = json!([{"name": "c", "resourceClaimName": "x"}, {"name": "d", "resourceClaimName": "y"}]);
        let resources = json!({"claims": claims});
        told(&json!({"resourceClaims": list,
            "containers": [{"name": "a", "image": "x", "resources": resources}]}))
    };
    let place = |at: usize| format!("spec.containers[0].resources.claims[{at}]");
    let twice = |at: usize| format!("{}: ", place(at));
    assert_eq!(told(&[("c", ""), ("d", "")]), NONE);
    assert_eq!(told(&[("c", "r"), ("c", "s"), ("d", "r")]), NONE);
    assert_eq!(told(&[("c", ""), ("c", "")]), [twice(1)]);
    assert_eq!(told(&[("c", ""), ("c", "r")]), [twice(1)]);
    assert_eq!(told(&[("c", "r"), ("c", "r")]), [twice(1)]);
    assert_eq!(told(&[("c", "r"), ("c", "s"), ("c", "")]), [twice(2), twice(2)]);
    assert_eq!(told(&[("c", "r"), ("d", "")]), NONE);
    assert_eq!(told(&[("", "")]), [twice(0)]);
    let known = "must be one of the names in pod.spec.resourceClaims: c, d";
    assert_eq!(told(&[("e", "")]), [format!("{}: {known}", place(0))]);
}

#[test]
fn containers_that_never_begin_again_do_not_for_other_resources() {
    let told = |pod: &str, restart: &str| {
        let policies = json!([{"resourceName": "cpu", "restartPolicy": restart}]);
        let container = json!({"resizePolicy": policies});
        told(&json!({"restartPolicy": pod, "containers": [container_of(&container)]}))
    };
    let wrong = "spec.containers[0].resizePolicy: must be 'NotRequired' when pod `restartPolicy` is 'Never'";
    for (pod, restart, expected) in [
        ("Never", "NotRequired", &[][..]),
        ("Never", "RestartContainer", &[wrong]),
        ("OnFailure", "RestartContainer", &[]),
        ("Always", "NotRequired", &[]),
    ] {
        assert_eq!(told(pod, restart), expected, "{pod} {restart}");
    }
}

fn container_of(more: &Value) -> Value {
    container("a", "1", more)
}

#[test]
fn rules_of_restarts_have_a_policy_and_bounds() {
    let told = |rules: usize, codes: usize, policy: &Value| {
        let codes = json!({"operator": "In", "values": (0..codes).collect::<Vec<_>>()});
        let rules = vec![json!({"action": "Restart", "exitCodes": codes}); rules];
        let container = json!({"restartPolicy": policy, "restartPolicyRules": rules});
        told(&json!({"containers": [container_of(&container)]}))
    };
    let never = json!("Never");
    assert_eq!(told(20, 255, &never), NONE);
    let place = "spec.containers[0]";
    let many = format!("{place}.restartPolicyRules: must have at most 20 items");
    assert_eq!(told(21, 1, &never), [many]);
    let many =
        format!("{place}.restartPolicyRules[0].exitCodes.values: must have at most 255 items");
    assert_eq!(told(1, 256, &never), [many]);
    let policy =
        format!("{place}.restartPolicy: must specify restartPolicy when restart rules are used");
    assert_eq!(told(1, 1, &Value::Null), [policy]);
    assert_eq!(told(0, 0, &Value::Null), NONE);
}

#[test]
fn nodes_are_above_or_below_one_number() {
    let told = |operator: &str, values: Value| {
        let expression = json!({"key": "k", "operator": operator, "values": values});
        let required = json!({"nodeSelectorTerms": [{"matchExpressions": [expression]}]});
        let affinity = json!({"requiredDuringSchedulingIgnoredDuringExecution": required});
        told(&json!({"affinity": {"nodeAffinity": affinity}}))
    };
    let place = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution\
                 .nodeSelectorTerms[0].matchExpressions[0]";
    let one =
        format!("{place}.values: must be specified single value when `operator` is 'Lt' or 'Gt'");
    for operator in ["Gt", "Lt"] {
        assert_eq!(told(operator, json!(["1"])), NONE);
        assert_eq!(told(operator, json!([])), [&*one]);
        assert_eq!(told(operator, json!(["1", "2"])), [&*one]);
    }
    let unknown = format!("{place}.operator: not a valid selector operator");
    assert_eq!(told("Ge", json!(["1"])), [unknown]);
}

#[test]
fn what_is_preferred_weighs_from_one_to_a_hundred() {
    let told = |weight: u8| {
        let term = json!({"weight": weight, "podAffinityTerm": {"topologyKey": "k"}});
        let affinity = json!({"preferredDuringSchedulingIgnoredDuringExecution": [term]});
        told(&json!({"affinity": {"podAffinity": affinity}}))
    };
    for weight in [1, 100] {
        assert_eq!(told(weight), NONE);
    }
    let place = "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]";
    for weight in [0, 101] {
        assert_eq!(told(weight), [format!("{place}.weight: must be in the range 1-100")]);
    }
}

#[test]
fn a_pod_asks_so_many_servers_for_names_and_in_so_many_places() {
    let told = |servers: usize, searches: &[String]| {
        let servers = vec!["10.0.0.1"; servers];
        told(&json!({"dnsConfig": {"nameservers": servers, "searches": searches}}))
    };
    let named = |count: usize, letters: usize| vec!["s".repeat(letters); count];
    assert_eq!(told(3, &named(32, 63)), NONE);
    let servers = "spec.dnsConfig.nameservers: must not have more than 3 nameservers";
    assert_eq!(told(4, &[]), [servers]);
    let searches = "spec.dnsConfig.searches: must not have more than 32 search paths";
    assert_eq!(told(1, &named(33, 1)), [searches]);
    // Sixteen of 127 letters, with a space behind each but the last, are 2047.
    let with_last = |letters: usize| [named(15, 127), named(1, letters)].concat();
    let letters = "spec.dnsConfig.searches: must not have more than 2048 characters (including spaces) in the \
                   search list";
    assert_eq!(told(1, &with_last(128)), NONE);
    assert_eq!(told(1, &with_last(129)), [letters]);
}

#[test]
fn a_name_in_place_of_a_pods_own_has_64_letters_at_most() {
    let told = |letters: usize, more: Value| {
        let name = json!({"hostnameOverride": "h".repeat(letters)});
        told(&crate::patch::merge(&name, &more))
    };
    assert_eq!(told(64, json!({"setHostnameAsFQDN": false})), NONE);
    let place = "spec.hostnameOverride";
    assert_eq!(told(65, json!({})), [format!("{place}: may not be more than 64 bytes")]);
    for other in ["setHostnameAsFQDN", "hostNetwork"] {
        let wrong = format!("{place}: may not be specified when {other} is true");
        assert_eq!(told(1, json!({other: true})), [wrong]);
    }
}

#[test]
fn a_container_sleeps_no_longer_than_it_is_waited_for() {
    let told = |seconds: i64| {
        let container = json!({"lifecycle": {"preStop": {"sleep": {"seconds": seconds}}}});
        told(&json!({"terminationGracePeriodSeconds": 5, "containers": [container_of(&container)]}))
    };
    for seconds in [0, 5] {
        assert_eq!(told(seconds), NONE);
    }
    let wrong = "spec.containers[0].lifecycle.preStop.sleep: must be non-negative and less than \
                 terminationGracePeriodSeconds (5)";
    for seconds in [-1, 6] {
        assert_eq!(told(seconds), [wrong]);
    }
}
