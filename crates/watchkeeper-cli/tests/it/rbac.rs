//! `watchkeeper rbac`.

use crate::*;

const ACCESS: &str = r#"{
    "program": "my-operator",
    "declared": [
        { "verb": "list", "group": "apps", "resource": "deployments", "reasons": ["it follows them"] },
        { "verb": "watch", "group": "apps", "resource": "deployments", "reasons": ["it follows them"] }
    ],
    "recorded": [{ "verb": "list", "group": "apps", "resource": "deployments", "by": ["a test"] }]
}"#;

#[test]
fn roles_are_written_checked_and_judged() {
    let folder = folder("rbac");
    write(&folder.join("access.json"), ACCESS);
    let arguments = ["rbac", "access.json", "--name", "operator", "--out", "role.yaml"];
    let told = done(&folder, &arguments).told;
    let unexercised = "declared and never called: watch deployments.apps: it follows them\n";
    assert_eq!(told, format!("wrote role.yaml\n{unexercised}"));
    let role = folder.join("role.yaml");
    assert!(read(&role).contains("kind: ClusterRole\nmetadata:\n  name: operator\n"));
    assert_eq!(done(&folder, &["rbac", "access.json", "--name", "operator"]).out, read(&role));

    let suffices = ["rbac", "access.json", "--suffices", "role.yaml"];
    done(&folder, &suffices);
    let told = refused(&folder, &["rbac", "access.json", "--exercised"]);
    assert!(
        told.ends_with("watchkeeper: 1 permissions were declared and never called\n"),
        "{told}"
    );
    write(&role, &read(&role).replace("  - watch\n", ""));
    let told = refused(&folder, &suffices);
    let missing =
        "watchkeeper: role.yaml does not grant:\n  watch deployments.apps: it follows them\n";
    assert_eq!(told, missing);
    let told = refused(&folder, &[&arguments[..], &["--check"]].concat());
    assert!(told.contains("1 file is stale:\n") && told.contains("+  - watch\n"), "{told}");
}
