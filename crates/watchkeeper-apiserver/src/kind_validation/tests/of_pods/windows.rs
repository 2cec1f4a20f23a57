//! Pods of Windows.

use super::*;

fn options(options: &Value) -> Vec<String> {
    let told = told(&json!({"securityContext": {"windowsOptions": options}}));
    let place = "spec.securityContext.windowsOptions.";
    told.iter().map(|told| told.strip_prefix(place).unwrap_or(told).to_owned()).collect()
}

#[test]
fn users_are_named_within_bounds() {
    let user = |name: &str| options(&json!({"runAsUserName": name}));
    let wrong = |why: &str| format!("runAsUserName: runAsUserName{why}");
    let (most, more) = ("u".repeat(104), "u".repeat(105));
    for name in ["a", "a b", ".a", "DOMAIN\\a", "é", &*most] {
        assert_eq!(user(name), NONE, "{name}");
    }
    let dots = wrong("'s User cannot contain only periods or spaces");
    let signs = wrong("'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
    for (name, said) in [
        ("", wrong(" cannot be an empty string")),
        ("a\tb", wrong(" cannot contain control characters")),
        ("a\\b\\c", wrong(" cannot contain more than one backslash")),
        ("DOMAIN\\", wrong("'s User cannot be empty")),
        (". .", dots.clone()),
        (".", dots),
        (&*more, wrong("'s User length must not be longer than 104 characters")),
        ("a@b", signs.clone()),
        ("a\"b", signs),
    ] {
        assert_eq!(user(name), [said], "{name}");
    }
}

#[test]
fn domains_have_the_form_of_net_bios_or_of_dns() {
    let domain = |name: &str| options(&json!({"runAsUserName": format!("{name}\\u")}));
    let part = "a".repeat(63);
    let whole = |last: usize| {
        let part = "a".repeat(60);
        format!("{part}.{part}.{part}.{part}.{}", "a".repeat(last))
    };
    for name in [
        "a",
        "a_b c",
        "fifteen_letters",
        "sixteen--letters",
        "Longer-Than-15.example",
        &*format!("{part}.a"),
        &*whole(11),
    ] {
        assert_eq!(domain(name), NONE, "{name}");
    }
    let long = "runAsUserName: runAsUserName's Domain length must be under 256 characters";
    assert_eq!(domain(&whole(12)), [long]);
    let wrong =
        "runAsUserName: runAsUserName's Domain doesn't match the NetBios nor the DNS format";
    for name in [
        "",
        ".a",
        "a:b",
        "sixteen__letters",
        "-begins-with-a-dash",
        "ends-with-a-dash--",
        "ends.in-a-dot.example.",
        "has..nothing-between",
        "has_an_underscore_inside",
        &*format!("{part}a.a"),
    ] {
        assert_eq!(domain(name), [wrong], "{name}");
    }
}

#[test]
fn accounts_of_windows_have_64_kibibytes_at_most() {
    let account = |size: usize| options(&json!({"gmsaCredentialSpec": "s".repeat(size)}));
    for size in [1, 65_536] {
        assert_eq!(account(size), NONE);
    }
    let empty = "gmsaCredentialSpec: gmsaCredentialSpec cannot be an empty string";
    assert_eq!(account(0), [empty]);
    let large = "gmsaCredentialSpec: gmsaCredentialSpec size must be under 64 KiB";
    assert_eq!(account(65_537), [large]);
    let name = format!("gmsaCredentialSpecName: {}", names::subdomain("A")[0]);
    assert_eq!(options(&json!({"gmsaCredentialSpecName": "A"})), [name]);
}

#[test]
fn a_pod_of_windows_has_nothing_of_linux_and_the_other_way_round() {
    let of = |system: &str, more: Value| {
        told(&crate::patch::merge(&json!({"os": {"name": system}}), &more))
    };
    let context = |more: Value| json!({"securityContext": more});
    for taken in [
        json!({}),
        json!({"hostPID": false, "hostIPC": false}),
        context(json!({"sysctls": []})),
        context(json!({"windowsOptions": {"runAsUserName": "u"}})),
    ] {
        assert_eq!(of("windows", taken.clone()), NONE, "{taken}");
    }
    for (refused, place) in [
        (json!({"hostPID": true}), "hostPID"),
        (json!({"hostIPC": true}), "hostIPC"),
        (json!({"hostUsers": true}), "hostUsers"),
        (json!({"shareProcessNamespace": false}), "shareProcessNamespace"),
        (context(json!({"runAsUser": 1})), "securityContext.runAsUser"),
        (context(json!({"sysctls": [{"name": "a", "value": "1"}]})), "securityContext.sysctls"),
    ] {
        assert_eq!(of("linux", refused.clone()), NONE, "{refused}");
        let wrong = format!("spec.{place}: cannot be set for a windows pod");
        assert_eq!(of("windows", refused.clone()), [wrong], "{refused}");
    }
    let linux = "windows options cannot be set for a linux pod";
    let options = json!({"windowsOptions": {"runAsUserName": "u"}});
    let place = "spec.securityContext.windowsOptions";
    assert_eq!(of("linux", context(options.clone())), [format!("{place}: {linux}")]);
    let container = json!({"name": "a", "image": "x", "securityContext": options});
    let place = "spec.containers[0].securityContext.windowsOptions";
    assert_eq!(of("linux", json!({"containers": [container]})), [format!("{place}: {linux}")]);
    let container = json!({"name": "a", "image": "x", "securityContext": {"privileged": false}});
    let wrong = "spec.containers[0].securityContext.privileged: cannot be set for a windows pod";
    assert_eq!(of("windows", json!({"containers": [container]})), [wrong]);
}

#[test]
fn containers_are_processes_of_the_node_all_together() {
    let told = |network: bool, of_pod: Value, of_containers: [Value; 2]| {
        let options = |is: &Value| match is {
            Value::Null => json!({}),
            is => json!({"windowsOptions": {"hostProcess": is}}),
        };
        let [first, second] = of_containers.map(|is| options(&is));
        told(&json!({"hostNetwork": network, "securityContext": options(&of_pod), "containers": [
            {"name": "a", "image": "x", "securityContext": first},
            {"name": "b", "image": "x", "securityContext": second},
        ]}))
    };
    let (yes, no, unsaid) = (json!(true), json!(false), Value::Null);
    for (of_pod, of_containers) in
        [(&unsaid, [&yes, &yes]), (&yes, [&yes, &unsaid]), (&yes, [&unsaid, &unsaid])]
    {
        assert_eq!(told(true, of_pod.clone(), of_containers.map(Value::clone)), NONE);
        assert_eq!(
            told(false, of_pod.clone(), of_containers.map(Value::clone)),
            [
                "spec.hostNetwork: hostNetwork must be true if pod contains any hostProcess containers"
            ]
        );
    }
    for (of_pod, of_containers) in
        [(&unsaid, [&no, &unsaid]), (&no, [&no, &unsaid]), (&unsaid, [&unsaid, &unsaid])]
    {
        assert_eq!(told(false, of_pod.clone(), of_containers.map(Value::clone)), NONE);
    }
    let some = "spec: If pod contains any hostProcess containers then all containers must be HostProcess \
                containers";
    assert_eq!(told(true, unsaid.clone(), [yes.clone(), no.clone()]), [some]);
    assert_eq!(told(true, unsaid.clone(), [unsaid, yes.clone()]), [some]);
    let other = "spec.containers[1].securityContext.windowsOptions.hostProcess: pod hostProcess value must be \
                 identical if both are specified, was true";
    assert_eq!(told(true, yes.clone(), [yes, no]), [other, some]);
}

#[test]
fn what_is_off_is_nothing_of_linux() {
    let mut pod = completed("", "Pod", pod(&json!({"os": {"name": "windows"}})));
    for name in ["hostPID", "hostIPC"] {
        pod["spec"][name] = false.into();
    }
    pod["spec"]["securityContext"]["sysctls"] = json!([]);
    assert_eq!(each(&validate("", "Pod", &pod, None)), NONE);
}
