//! Every published crate packages.

use std::process::Command;

use crate::workspace::{member, metadata, root};

#[test]
fn every_crate_packages() {
    let target = std::env::temp_dir().join(format!("watchkeeper-package-{}", std::process::id()));
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"])
        .arg("--target-dir")
        .arg(&target)
        .output()
        .expect("cargo package");
    let _ = std::fs::remove_dir_all(&target);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_crate_states_its_edition_licence_and_oldest_compiler() {
    let metadata = metadata();
    for package in metadata.workspace_packages() {
        let name = &package.name;
        assert_eq!(package.edition.to_string(), "2024", "{name}");
        assert!(package.rust_version.is_some(), "{name} states no rust-version");
        if package.publish.as_ref().is_none_or(|registries| !registries.is_empty()) {
            assert_eq!(package.license.as_deref(), Some("Apache-2.0"), "{name}");
            assert!(package.description.is_some(), "{name} has no description");
            let pages = &package.metadata["docs"]["rs"]["all-features"];
            assert_eq!(*pages, true, "docs.rs would leave out features of {name}");
        }
    }
    assert!(member(&metadata, "watchkeeper").features.contains_key("cluster"));
}
