//! Every published crate packages.

use std::process::Command;

use cargo_metadata::Package;

use crate::workspace::{interop, member, metadata, root};

#[test]
fn every_crate_packages() {
    // Nobody gets the chores, and what they are made of is not published either.
    package("Cargo.toml", &["--exclude", "xtask"]);
}

/// Its lock file would name our crates as they are published, which they need not be for this.
#[test]
fn what_is_built_beside_kube_packages() {
    package("interop/Cargo.toml", &["--exclude-lockfile"]);
}

fn package(manifest: &str, options: &[&str]) {
    let folder = manifest.replace('/', "-");
    let target = std::env::temp_dir().join(format!("{folder}-{}", std::process::id()));
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"])
        .args(["--manifest-path", manifest])
        .args(options)
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
    metadata.workspace_packages().into_iter().for_each(states);
    interop().workspace_packages().into_iter().for_each(states);
    assert!(member(&metadata, "watchkeeper").features.contains_key("cluster"));
}

fn states(package: &Package) {
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
