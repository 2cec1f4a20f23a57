//! Reading, merging, choosing.

use super::*;

fn parse(text: &str) -> Kubeconfig {
    Kubeconfig::parse(text).unwrap()
}

const FULL: &str = r#"
apiVersion: v1
kind: Config
preferences: {}
current-context: dev
clusters:
- name: local
  cluster: {server: "https://127.0.0.1:6443", certificate-authority: pki/ca.crt, extensions: []}
contexts:
- name: dev
  context: {cluster: local, user: me, namespace: shop}
- name: lost
  context: {cluster: nowhere, user: me}
- name: nobody
  context: {cluster: local, user: ghost}
users:
- name: me
  user:
    client-certificate: /abs/me.crt
    tokenFile: token
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: null
      env: [{name: A, value: b}]
      interactiveMode: Never
      provideClusterInfo: true
"#;

#[test]
fn a_context_names_its_cluster_and_user() {
    let mut config = parse(FULL);
    config.resolve_paths(Path::new("/home/me/.kube"));
    let chosen = config.choose(&Options::default(), "FILE").unwrap();
    assert_eq!(chosen.namespace.as_deref(), Some("shop"));
    assert_eq!(chosen.cluster.server, "https://127.0.0.1:6443");
    let path = |path: &Option<PathBuf>| path.as_ref().unwrap().display().to_string();
    assert_eq!(path(&chosen.cluster.certificate_authority), "/home/me/.kube/pki/ca.crt");
    assert_eq!(path(&chosen.user.client_certificate), "/abs/me.crt");
    assert_eq!(path(&chosen.user.token_file), "/home/me/.kube/token");
    let exec = chosen.user.exec.unwrap();
    assert_eq!(exec.command, "/home/me/.kube/./bin/login");
    assert_eq!((exec.args.len(), exec.env[0].value.as_str()), (0, "b"));
    assert!(exec.provide_cluster_info);
}

#[test]
fn a_command_without_a_slash_is_searched_for() {
    let mut config = parse("users: [{name: a, user: {exec: {command: aws}}}]");
    config.resolve_paths(Path::new("/x"));
    assert_eq!(config.users[0].user.exec.as_ref().unwrap().command, "aws");
}

#[test]
fn the_first_file_that_says_something_wins() {
    let first = parse(
        "{clusters: [{name: a, cluster: {server: 'http://1'}}], contexts: null, users: [{name: u, user: {token: one}}]}",
    );
    let second = parse(
        "{current-context: c, clusters: [{name: a, cluster: {server: 'http://2', tls-server-name: x}}, {name: b, cluster: {server: 'http://3'}}],
          contexts: [{name: c, context: {cluster: a, user: u}}], users: [{name: u, user: {token: two, username: x}}]}",
    );
    let third = parse("{current-context: d}");
    let merged = first.merge(second).merge(third);
    let chosen = merged.choose(&Options::default(), "FILES").unwrap();
    assert_eq!(chosen.context, "c");
    assert_eq!(chosen.cluster.server, "http://1");
    assert_eq!(chosen.cluster.tls_server_name, None, "an entry is taken whole");
    assert_eq!(chosen.user.token.as_deref(), Some("one"));
    assert_eq!(merged.clusters.len(), 2);
}

#[test]
fn what_is_missing_is_told_with_what_is_there() {
    let config = parse(FULL);
    let options = |context: &str| Options { context: Some(context.into()), ..Options::default() };
    let error = |context: &str| config.choose(&options(context), "FILE").unwrap_err().to_string();
    assert_eq!(
        error("prod"),
        "FILE has no context \"prod\" (it knows dev, lost, nobody); choose one that is there"
    );
    assert_eq!(
        error("lost"),
        "context \"lost\" of FILE names the cluster \"nowhere\", which is not there (it knows local); add it, or name another"
    );
    assert_eq!(
        error("nobody"),
        "context \"nobody\" of FILE names the user \"ghost\", which is not there (it knows me); add it, or name another"
    );
    for nothing in ["", "# nothing", "---", "~"] {
        let error = parse(nothing).choose(&Options::default(), "FILE").unwrap_err().to_string();
        assert_eq!(error, "FILE has no contexts; is it a kubeconfig?");
    }
}

#[test]
fn what_the_caller_says_wins_over_the_context() {
    let config = parse(
        "{current-context: c, clusters: [{name: a, cluster: {server: 'http://1'}}, {name: b, cluster: {server: 'http://2'}}],
          contexts: [{name: c, context: {cluster: a, user: u, namespace: n}}],
          users: [{name: u, user: {token: one}}, {name: v, user: {token: two}}]}",
    );
    let [cluster, user, namespace] = ["b", "v", "m"].map(|name| Some(name.to_owned()));
    let options = Options { cluster, user, namespace, ..Options::default() };
    let chosen = config.choose(&options, "FILE").unwrap();
    assert_eq!(chosen.cluster.server, "http://2");
    assert_eq!(chosen.user.token.as_deref(), Some("two"));
    assert_eq!((chosen.user_name.as_str(), chosen.namespace.as_deref()), ("v", Some("m")));
    let options = Options { user: Some("w".into()), ..Options::default() };
    let error = config.choose(&options, "FILE").unwrap_err().to_string();
    assert!(
        error.ends_with(
            "the user \"w\", which is not there (it knows u, v); add it, or name another"
        ),
        "{error}"
    );
}

#[test]
fn what_is_malformed_is_told_by_line_and_never_quoted() {
    for (text, line) in [
        ("clusters: hunter2", 1),
        ("users:\n- name: a\n  user: hunter2", 3),
        ("users:\n- name: a\n  user: {token: {hunter2: hunter2}}", 3),
        ("users:\n- user: {token: hunter2}", 2),
        ("users:\n- name: a\n  user: {token: 'hunter2}\n", 3),
        ("clusters:\n- name: a\n  cluster: {insecure-skip-tls-verify: hunter2}", 3),
        ("hunter2", 1),
        ("- hunter2", 1),
        ("a: *hunter2", 1),
        ("\t{", 1),
    ] {
        let error = Kubeconfig::parse(text).unwrap_err();
        assert!(error.starts_with(&format!("line {line}, ")), "{text:?}: {error}");
        assert!(!error.contains("hunter2"), "{text:?}: {error}");
    }
}

#[test]
fn json_is_read_too() {
    let config = parse(
        r#"{"current-context": "a", "users": [{"name": "u", "user": {"as-groups": ["g"]}}]}"#,
    );
    assert_eq!(config.users[0].user.as_groups, ["g"]);
}

#[test]
fn where_a_text_is_wanted_a_number_is_one_as_it_is_spelled() {
    let config = parse(
        "users: [{name: 007, user: {username: &n 1_0, password: true, token: *n, as-groups: [1.50, ~x]}}]",
    );
    let user = &config.users[0].user;
    assert_eq!(config.users[0].name, "007");
    let texts = [&user.username, &user.password, &user.token].map(|text| text.as_deref().unwrap());
    assert_eq!(texts, ["1_0", "true", "1_0"]);
    assert_eq!(user.as_groups, ["1.50", "~x"]);
}

#[test]
fn what_others_keep_with_a_cluster_stays_what_it_is() {
    let config = parse(
        "clusters: [{name: a, cluster: {insecure-skip-tls-verify: yes, extensions: [{name: e, extension: {a: [1, -2, 0.5, null, true, x]}}]}}]",
    );
    let cluster = &config.clusters[0].cluster;
    assert!(cluster.insecure_skip_tls_verify);
    let expected = serde_json::json!({"a": [1, -2, 0.5, null, true, "x"]});
    assert_eq!(cluster.extensions[0].extension, expected);
}

#[test]
fn what_is_no_mapping_is_no_struct() {
    for text in ["clusters: [[a]]", "users: [{name: a, user: []}]", "[]"] {
        let error = Kubeconfig::parse(text).unwrap_err();
        assert!(
            error.ends_with("expected a mapping, found a sequence; correct it there"),
            "{text:?}: {error}"
        );
    }
}

/// Which of two is meant, nobody can know; a part of the programs would take the first, a part the last.
#[test]
fn a_name_stands_once_in_a_file() {
    for list in ["clusters", "users", "contexts"] {
        let text = format!("{list}:\n- name: a\n- name: b\n- name: a\n");
        let error = Kubeconfig::parse(&text).unwrap_err();
        assert!(error.starts_with("line "), "{error}");
        assert!(error.ends_with("two entries are named \"a\"; remove or rename one"), "{error}");
    }
}

#[test]
fn what_is_null_is_not_there() {
    let config = parse(
        "{current-context: null, clusters: [{name: a, cluster: {server: null, insecure-skip-tls-verify: null,
            disable-compression: null, extensions: null}}],
          contexts: [{name: c, context: {cluster: null, user: null}}],
          users: [{name: u, user: {as-user-extra: {scopes: null}, exec: {apiVersion: null, command: null,
            env: null, provideClusterInfo: null}, auth-provider: {name: null, config: {id-token: null}}}}]}",
    );
    let user = &config.users[0].user;
    assert!(user.exec.as_ref().unwrap().command.is_empty());
    assert_eq!(user.auth_provider.as_ref().unwrap().config["id-token"], "");
    assert_eq!(user.as_user_extra["scopes"], [""; 0]);
    assert!(config.clusters[0].cluster.server.is_empty());
    assert!(config.contexts[0].context.cluster.is_empty());
}

/// As with `kubectl --cluster` and `BuildConfigFromFlags`.
#[test]
fn who_says_which_server_needs_no_context() {
    let config = parse(
        "{clusters: [{name: a, cluster: {server: 'http://1'}}], users: [{name: u, user: {token: one}}]}",
    );
    let choose = |cluster: &str, master: Option<&str>, user: &str| {
        let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (cluster, user, master) = (said(cluster), said(user), master.map(str::to_owned));
        config.choose(&Options { cluster, user, master, ..Options::default() }, "FILE")
    };
    let chosen = choose("a", None, "u").unwrap();
    assert_eq!((chosen.context.as_str(), chosen.cluster.server.as_str()), ("", "http://1"));
    assert_eq!(chosen.user.token.as_deref(), Some("one"));
    assert!(choose("", Some("http://2"), "").unwrap().cluster.server.is_empty());
    let error = choose("b", Some("http://2"), "").unwrap_err().to_string();
    assert_eq!(error, "FILE has no cluster \"b\" (it knows a); choose one that is there");
    let error = choose("a", None, "v").unwrap_err().to_string();
    assert_eq!(error, "FILE has no user \"v\" (it knows u); choose one that is there");
    assert!(choose("", None, "u").is_err());
}

/// kube-rs merges them; kubectl takes the first and leaves the others.
#[test]
fn several_documents_are_as_several_files() {
    let config = parse(
        "---\ncurrent-context: a\nusers: [{name: u, user: {token: one}}]\n---\n# nothing\n---\n\
         current-context: b\nusers: [{name: u, user: {token: two}}, {name: v}]\n...\n---\n",
    );
    assert_eq!(config.current_context, "a");
    assert_eq!(config.users[0].user.token.as_deref(), Some("one"));
    assert_eq!(config.users.len(), 2);
    let error = Kubeconfig::parse("users: []\n---\nusers: hunter2\n").unwrap_err();
    assert!(error.starts_with("line 3, ") && !error.contains("hunter2"), "{error}");
}

/// `kubectl config view --raw > config` in PowerShell.
#[test]
fn what_windows_writes_is_read() {
    let path = crate::tests::folder("utf-16").join("config");
    let text = "\u{feff}current-context: é\r\nusers: [{name: u, user: {token: t}}]\r\n";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    let written: [Vec<u8>; 3] = [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes), text.into()];
    for bytes in written {
        std::fs::write(&path, bytes).unwrap();
        let config = Kubeconfig::read(&path).unwrap();
        assert_eq!((config.current_context.as_str(), config.users.len()), ("é", 1));
    }
    for wrong in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8", b"a: \xff"] {
        std::fs::write(&path, wrong).unwrap();
        let error = Kubeconfig::read(&path).unwrap_err().to_string();
        assert!(
            error.ends_with(" is malformed: it is neither UTF-8 nor UTF-16; save it as UTF-8"),
            "{error}"
        );
    }
}

/// Tools indent JSON with tabs; YAML knows merge keys.
#[test]
fn what_go_reads_is_read() {
    let json =
        "{\n\t\"current-context\": \"a\\/b\",\n\t\"users\": [\n\t\t{\"name\": \"u\"}\n\t]\n}\n";
    let config = parse(json);
    assert_eq!((config.current_context.as_str(), config.users.len()), ("a/b", 1));
    let config = parse(
        "x: &all {token: t, as: jane}\nusers:\n- name: u\n  user:\n    <<: *all\n    as: joe\n",
    );
    let user = &config.users[0].user;
    assert_eq!((user.token.as_deref(), user.impersonate.as_deref()), (Some("t"), Some("joe")));
}

/// A program may go to another folder, and reads tokens and certificates again there.
#[test]
fn a_relative_path_to_a_kubeconfig_is_good_anywhere() {
    let path = crate::tests::folder("relative").join("config");
    let text = "clusters: [{name: c, cluster: {certificate-authority: ca.crt}}]\n\
                users: [{name: u, user: {tokenFile: token, exec: {command: ./login}, auth-provider: {name: oidc}}}]\n";
    std::fs::write(&path, text).unwrap();
    let up = "../".repeat(std::env::current_dir().unwrap().components().count() - 1);
    let relative = Path::new(&up).join(path.strip_prefix("/").unwrap());
    let mut config = Kubeconfig::read(&relative).unwrap();
    let user = config.users.remove(0).user;
    let paths = [
        config.clusters.remove(0).cluster.certificate_authority.unwrap(),
        user.token_file.unwrap(),
        user.exec.unwrap().command.into(),
        user.auth_provider.unwrap().place.unwrap().file,
    ];
    assert!(paths.iter().all(|path: &PathBuf| path.is_absolute()), "{paths:?}");
}
