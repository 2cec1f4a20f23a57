//! What is sent of a user, and what is told of a server.

use super::*;

/// As client-go sends it: a user's extras may be what limits him.
#[test]
fn impersonation_is_sent_whole() {
    let text = r#"
users:
- name: me
  user:
    as: jane
    as-uid: "7"
    as-groups: [dev, ops]
    as-user-extra: {scopes: [view, edit], example.com/team%: [blue]}
"#;
    let user = Kubeconfig::parse(text).unwrap().users.remove(0).user;
    let headers = impersonation(&user).unwrap();
    let mut sent: Vec<_> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    sent.sort();
    assert_eq!(
        sent,
        [
            "impersonate-extra-example.com%2fteam%25: blue",
            "impersonate-extra-scopes: edit",
            "impersonate-extra-scopes: view",
            "impersonate-group: dev",
            "impersonate-group: ops",
            "impersonate-uid: 7",
            "impersonate-user: jane",
        ]
    );
}

#[test]
fn passwords_in_addresses_are_not_told() {
    for (url, told) in [
        ("https://me:hunter2@host:1/x", "https://host:1/x"),
        ("me:hunt@er2@host", "host"),
        ("https://host/a@b", "https://host/a@b"),
        ("https://host?a@b", "https://host?a@b"),
    ] {
        assert_eq!(without_password(url), told);
    }
}
