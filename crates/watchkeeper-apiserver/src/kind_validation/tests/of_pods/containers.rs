//! What is in a container: mounts and devices, variables, ports, probes, and as whom it runs.

use super::*;

/// What is said of a container with more in it, with the places below the container.
fn inside(more: &Value) -> Vec<String> {
    let container = crate::patch::merge(&json!({"name": "a", "image": "x"}), more);
    let volumes = json!([{"name": "v", "emptyDir": {}}, {"name": "w", "emptyDir": {}},
        {"name": "c", "persistentVolumeClaim": {"claimName": "n"}}]);
    let told = told(&json!({"volumes": volumes, "containers": [container]}));
    let place = "spec.containers[0].";
    told.iter().map(|told| told.strip_prefix(place).unwrap_or(told).to_owned()).collect()
}

#[test]
fn mounts_are_apart_and_stay_below_their_volumes() {
    let mount = |path: &str, more: Value| {
        crate::patch::merge(&json!({"name": "v", "mountPath": path}), &more)
    };
    let mounts = |mounts: &[Value]| inside(&json!({"volumeMounts": mounts}));
    let none = || json!({});
    assert_eq!(mounts(&[mount("/a", none()), mount("/b", json!({"name": "w"}))]), NONE);
    assert_eq!(
        mounts(&[mount("/a", none()), mount("/a", none())]),
        ["volumeMounts[1].mountPath: must be unique"]
    );
    assert_eq!(mounts(&[mount("/a", json!({"name": "x"}))]), ["volumeMounts[0].name: "]);
    for (more, expected) in [
        (json!({"subPath": "a"}), vec![]),
        (json!({"subPath": "/a"}), vec!["volumeMounts.subPath: must be a relative path"]),
        (json!({"subPathExpr": "a"}), vec![]),
        (json!({"subPathExpr": ".."}), vec!["volumeMounts.subPathExpr: must not contain '..'"]),
        (
            json!({"subPath": "a", "subPathExpr": "a"}),
            vec!["volumeMounts[0].subPathExpr: subPathExpr and subPath are mutually exclusive"],
        ),
        (json!({"mountPropagation": "HostToContainer"}), vec![]),
        (
            json!({"mountPropagation": "Bidirectional"}),
            vec![
                "volumeMounts.mountPropagation: Bidirectional mount propagation is available only to privileged containers",
            ],
        ),
        (json!({"recursiveReadOnly": "Disabled"}), vec![]),
        (json!({"recursiveReadOnly": "Enabled", "readOnly": true}), vec![]),
        (
            json!({"recursiveReadOnly": "IfPossible", "readOnly": true, "mountPropagation": "None"}),
            vec![],
        ),
        (
            json!({"recursiveReadOnly": "Enabled"}),
            vec!["volumeMounts.recursiveReadOnly: may only be specified when readOnly is true"],
        ),
        (
            json!({"recursiveReadOnly": "IfPossible", "readOnly": true,
                "mountPropagation": "HostToContainer"}),
            vec![
                "volumeMounts.recursiveReadOnly: may only be specified when mountPropagation is None or not specified",
            ],
        ),
    ] {
        assert_eq!(mounts(&[mount("/a", more.clone())]), expected, "{more}");
    }
    let privileged = json!({"securityContext": {"privileged": true},
        "volumeMounts": [mount("/a", json!({"mountPropagation": "Bidirectional"}))]});
    assert_eq!(inside(&privileged), NONE);
}

#[test]
fn devices_are_claims_that_are_mounted_nowhere() {
    let devices = |devices: &[(&str, &str)]| -> Vec<Value> {
        devices.iter().map(|(name, path)| json!({"name": name, "devicePath": path})).collect()
    };
    let told = |of: &[(&str, &str)]| inside(&json!({"volumeDevices": devices(of)}));
    assert_eq!(told(&[("c", "/a")]), NONE);
    assert_eq!(
        told(&[("v", "/a")]),
        [
            "volumeDevices[0].name: can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
        ]
    );
    assert_eq!(told(&[("x", "/a")]), ["volumeDevices[0].name: "]);
    assert_eq!(told(&[("c", "/a"), ("c", "/b")]), ["volumeDevices[1].name: must be unique"]);
    assert_eq!(
        told(&[("c", "/a"), ("c", "/a")]),
        ["volumeDevices[1].name: must be unique", "volumeDevices[1].devicePath: must be unique"]
    );
    let steps = "volumeDevices[0].devicePath: can not contain backsteps ('..')";
    assert_eq!(told(&[("c", "/a/../b")]), [steps]);
    let both = |mount: &str, path: &str| {
        inside(&json!({"volumeDevices": devices(&[("c", "/a")]),
            "volumeMounts": [{"name": mount, "mountPath": path}]}))
    };
    assert_eq!(both("v", "/b"), NONE);
    assert_eq!(
        both("c", "/b"),
        [
            "volumeMounts[0].name: must not already exist in volumeDevices",
            "volumeDevices[0].name: must not already exist in volumeMounts",
        ]
    );
    assert_eq!(
        both("v", "/a"),
        [
            "volumeMounts[0].mountPath: must not already exist as a path in volumeDevices",
            "volumeDevices[0].devicePath: must not already exist as a path in volumeMounts",
        ]
    );
}

#[test]
fn a_variable_has_its_value_from_one_place() {
    let variable = |more: Value| {
        let variable = crate::patch::merge(&json!({"name": "n"}), &more);
        inside(&json!({"env": [variable]}))
    };
    let entry = json!({"name": "n", "key": "k"});
    let file = |volume: &str, path: &str| json!({"key": "K", "volumeName": volume, "path": path});
    let wrong = |why: &str| vec![format!("env[0].valueFrom: {why}")];
    let more = "may not have more than one field specified at a time";
    for (given, expected) in [
        (json!({"value": "v"}), vec![]),
        (json!({"valueFrom": {"secretKeyRef": entry}}), vec![]),
        (
            json!({"valueFrom": {}}),
            wrong(
                "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
            ),
        ),
        (json!({"valueFrom": {"secretKeyRef": entry, "configMapKeyRef": entry}}), wrong(more)),
        (
            json!({"value": "v", "valueFrom": {"secretKeyRef": entry}}),
            wrong("may not be specified when `value` is not empty"),
        ),
        (json!({"valueFrom": {"fileKeyRef": file("v", "p")}}), vec![]),
        (
            json!({"valueFrom": {"fileKeyRef": file("v", "../p")}}),
            vec!["env[0].valueFrom.fileKeyRef.path: must not contain '..'".to_owned()],
        ),
        (
            json!({"valueFrom": {"fileKeyRef": file("c", "p")}}),
            vec![
                "env[0].valueFrom.fileKeyRef.volumeName: referenced volume must be of type emptyDir".to_owned(),
            ],
        ),
        (
            json!({"valueFrom": {"fileKeyRef": file("x", "p")}}),
            vec!["env[0].valueFrom.fileKeyRef.volumeName: ".to_owned()],
        ),
    ] {
        assert_eq!(variable(given.clone()), expected, "{given}");
    }
    let named = |name: &str| inside(&json!({"env": [{"name": name}]}));
    for name in ["a b", " ", "~", "1-a.B"] {
        assert_eq!(named(name), NONE, "{name}");
    }
    for name in ["a=b", "é", "a\tb", "\u{7f}"] {
        let told = named(name);
        assert!(told.len() == 1 && told[0].starts_with("env[0].name: a valid"), "{told:?}");
    }
}

#[test]
fn variables_come_from_one_map_or_secret_at_a_time() {
    let from = |source: Value| inside(&json!({"envFrom": [source]}));
    let of = json!({"name": "n"});
    assert_eq!(from(json!({"configMapRef": of})), NONE);
    assert_eq!(from(json!({"secretRef": of})), NONE);
    let neither = "envFrom: must specify one of: `configMapRef` or `secretRef`";
    assert_eq!(from(json!({"prefix": "p"})), [neither]);
    let both = "envFrom: may not have more than one field specified at a time";
    assert_eq!(from(json!({"configMapRef": of, "secretRef": of})), [both]);
    assert_eq!(from(json!({"secretRef": {}})), ["envFrom[0].secretRef.name: "]);
}

#[test]
fn probes_have_one_handler_and_numbers_that_fit() {
    let probe = |name: &str, more: Value| {
        let probe = crate::patch::merge(&json!({"exec": {"command": ["c"]}}), &more);
        inside(&json!({name: probe}))
    };
    let (live, ready) = ("livenessProbe", "readinessProbe");
    for (name, more, expected) in [
        (live, json!({"terminationGracePeriodSeconds": 1, "initialDelaySeconds": 0}), vec![]),
        (ready, json!({"successThreshold": 2}), vec![]),
        (live, json!({"successThreshold": 2}), vec!["successThreshold: must be 1"]),
        ("startupProbe", json!({"successThreshold": 2}), vec!["successThreshold: must be 1"]),
        (
            live,
            json!({"terminationGracePeriodSeconds": 0}),
            vec!["terminationGracePeriodSeconds: must be greater than 0"],
        ),
        (
            ready,
            json!({"terminationGracePeriodSeconds": 1}),
            vec!["terminationGracePeriodSeconds: must not be set for readinessProbes"],
        ),
        (
            live,
            json!({"initialDelaySeconds": -1}),
            vec!["initialDelaySeconds: must be greater than or equal to 0"],
        ),
        (live, json!({"exec": {"command": null}}), vec!["exec.command: "]),
        (live, json!({"exec": null, "tcpSocket": {"port": 1}}), vec![]),
        (
            live,
            json!({"exec": null, "grpc": {"port": 65536}}),
            vec!["grpc.port: must be between 1 and 65535, inclusive"],
        ),
        (
            live,
            json!({"tcpSocket": {"port": 1}, "httpGet": {"port": 1}}),
            vec![
                "httpGet: may not specify more than 1 handler type",
                "tcpSocket: may not specify more than 1 handler type",
            ],
        ),
        (
            live,
            json!({"exec": null, "httpGet": {"path": "/", "port": "http", "scheme": "FTP"}}),
            vec![r#"httpGet.scheme: supported values: "HTTP", "HTTPS""#],
        ),
    ] {
        let expected: Vec<String> = expected.iter().map(|of| format!("{name}.{of}")).collect();
        assert_eq!(probe(name, more.clone()), expected, "{name} {more}");
    }
    assert_eq!(probe(live, json!({"exec": null})), ["livenessProbe: must specify a handler type"]);
}

#[test]
fn ports_of_a_container_have_names_and_those_of_the_node_are_taken_once() {
    let ports = |ports: Value| inside(&json!({"ports": ports}));
    let port = |number: i64, host: i64, protocol: &str| json!({"containerPort": number, "hostPort": host, "protocol": protocol});
    assert_eq!(ports(json!([port(1, 65_535, "TCP"), port(65_535, 1, "UDP")])), NONE);
    assert_eq!(ports(json!([port(1, 9, "TCP"), port(2, 9, "UDP")])), NONE);
    assert_eq!(ports(json!([port(1, 0, "TCP"), port(2, 0, "TCP")])), NONE);
    assert_eq!(ports(json!([port(1, 9, "TCP"), port(2, 9, "TCP")])), ["ports[1].hostPort: "]);
    let range = "must be between 1 and 65535, inclusive";
    assert_eq!(
        ports(json!([port(65_536, 0, "TCP")])),
        [format!("ports[0].containerPort: {range}")]
    );
    assert_eq!(ports(json!([port(1, -1, "TCP")])), [format!("ports[0].hostPort: {range}")]);
    let named = |first: &str, second: &str| {
        ports(json!([{"name": first, "containerPort": 1}, {"name": second, "containerPort": 2}]))
    };
    assert_eq!(named("a", "b"), NONE);
    assert_eq!(named("a", "a"), ["ports[1].name: "]);
}

#[test]
fn a_container_that_may_not_gain_more_has_not_all() {
    let context = |more: Value| {
        let told = inside(&json!({"securityContext": more}));
        let ends = |told: String| told.rsplit(" false and ").next().map(str::to_owned);
        told.into_iter().filter_map(ends).collect::<Vec<_>>()
    };
    let add =
        |name: &str| json!({"allowPrivilegeEscalation": false, "capabilities": {"add": [name]}});
    assert_eq!(context(json!({"allowPrivilegeEscalation": false, "privileged": false})), NONE);
    assert_eq!(context(json!({"allowPrivilegeEscalation": true, "privileged": true})), NONE);
    assert_eq!(
        context(json!({"allowPrivilegeEscalation": false, "privileged": true})),
        ["`privileged` to true"]
    );
    assert_eq!(context(add("SYS_ADMIN")), NONE);
    assert_eq!(context(add("CAP_SYS_ADMIN")), ["`capabilities.Add` CAP_SYS_ADMIN"]);
    for id in [0, 2_147_483_647] {
        assert_eq!(context(json!({"runAsUser": id, "runAsGroup": id})), NONE);
    }
    let range = "must be between 0 and 2147483647, inclusive";
    for id in [-1_i64, 2_147_483_648] {
        let wrong = format!("securityContext.runAsUser: {range}");
        assert_eq!(context(json!({"runAsUser": id})), [wrong]);
    }
    let users = "securityContext.procMount: `hostUsers` must be false to use `Unmasked`";
    assert_eq!(context(json!({"procMount": "Unmasked"})), [users]);
    assert_eq!(context(json!({"procMount": "Default"})), NONE);
}

#[test]
fn profiles_have_a_file_where_they_are_on_the_node() {
    let seccomp = |profile: Value| inside(&json!({"securityContext": {"seccompProfile": profile}}));
    let armor = |profile: Value| inside(&json!({"securityContext": {"appArmorProfile": profile}}));
    let local = |file: &str| json!({"type": "Localhost", "localhostProfile": file});
    let place = |kind: &str, told: &str| [format!("securityContext.{kind}Profile.{told}")];
    assert_eq!(seccomp(local("a/b")), NONE);
    assert_eq!(seccomp(local("../a")), place("seccomp", "localhostProfile: must not contain '..'"));
    let unset = "localhostProfile: must be set when seccomp type is Localhost";
    assert_eq!(seccomp(json!({"type": "Localhost"})), place("seccomp", unset));
    assert_eq!(seccomp(json!({"type": "Unconfined"})), NONE);
    assert_eq!(
        seccomp(json!({})),
        place("seccomp", "type: type is required when seccompProfile is set")
    );
    let told = seccomp(json!({"type": "Unconfined", "localhostProfile": "a"}));
    assert!(told.len() == 1 && told[0].ends_with("can only be set when seccomp type is Localhost"));
    assert_eq!(armor(local(&"a".repeat(4095))), NONE);
    assert_eq!(
        armor(local(&"a".repeat(4096))),
        place("appArmor", "localhostProfile: may not be more than 4095 bytes")
    );
    let padded = "localhostProfile: must not be padded with whitespace";
    assert_eq!(armor(local(" a")), place("appArmor", padded));
    let unset = "localhostProfile: must be set when AppArmor type is Localhost";
    assert_eq!(armor(json!({"type": "Localhost"})), place("appArmor", unset));
    for of in ["RuntimeDefault", "Unconfined"] {
        assert_eq!(armor(json!({"type": of})), NONE);
        let only = "localhostProfile: can only be set when AppArmor type is Localhost";
        let named = armor(json!({"type": of, "localhostProfile": "a"}));
        assert_eq!(named, place("appArmor", only));
    }
}
