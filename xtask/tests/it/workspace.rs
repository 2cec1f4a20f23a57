//! The workspace as cargo sees it.

use std::path::PathBuf;

use cargo_metadata::{Metadata, MetadataCommand, Package};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).canonicalize().expect("the root")
}

/// The workspace's metadata, with every feature's dependencies resolved.
pub(crate) fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(vec!["--locked".to_owned()])
        .exec()
        .expect("cargo metadata")
}

/// The members of the workspace beside it; what they use is not resolved.
pub(crate) fn interop() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("interop/Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata")
}

/// The member called `name`.
pub(crate) fn member<'a>(metadata: &'a Metadata, name: &str) -> &'a Package {
    metadata
        .workspace_packages()
        .into_iter()
        .find(|package| package.name.as_str() == name)
        .unwrap_or_else(|| panic!("no package {name} in the workspace"))
}
