//! `cargo xtask docs`: the pages of each crate that is published, built as docs.rs builds them: each crate by itself,
//! with the features that its `package.metadata.docs.rs` names. Features that only another member of the workspace asks
//! for are not there, so that what leans on them fails here, and not after the release. The compiler is
//! the one at hand: docs.rs has nightly, and no source asks whether it is.

use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::{Outcome, apart, process, step};

/// What docs.rs tells rustdoc; that warnings fail is ours.
const FLAGS: &str = "-D warnings --cfg docsrs";

/// The arguments of `cargo xtask docs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Builds the pages of all members of the workspace.
///
/// # Errors
/// One sentence: which could not be built.
pub(crate) fn run(_: &Args) -> Outcome {
    pages(".")?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the pages of all members of the workspace in a folder: those of the published as docs.rs does, the others
/// together.
///
/// # Errors
/// One sentence: which could not be built.
pub(crate) fn pages(folder: &str) -> Outcome<()> {
    let (published, others) = members(folder)?;
    for member in &published {
        step::timed(&member.name, || process::succeed(doc(folder).args(member.arguments())))?;
    }
    if others.is_empty() {
        return Ok(());
    }
    let others = others.iter().flat_map(|name| ["-p", name]);
    step::timed("the others", || process::succeed(doc(folder).args(others)))
}

fn doc(folder: &str) -> Command {
    let mut doc = apart::cargo(folder, "doc");
    doc.args(["--quiet", "--locked", "--no-deps"]).env("RUSTDOCFLAGS", FLAGS);
    doc
}

/// A crate that docs.rs builds.
#[derive(Debug, PartialEq, Eq)]
struct Member {
    name: String,
    features: Vec<String>,
    all_features: bool,
    no_default_features: bool,
}

impl Member {
    /// What docs.rs gives cargo.
    fn arguments(&self) -> Vec<&str> {
        let mut arguments = vec!["-p", &self.name];
        if self.all_features {
            arguments.push("--all-features");
        }
        if self.no_default_features {
            arguments.push("--no-default-features");
        }
        for feature in &self.features {
            arguments.extend(["--features", feature]);
        }
        arguments
    }
}

/// The members that are published, and the names of the others.
fn members(folder: &str) -> Outcome<(Vec<Member>, Vec<String>)> {
    let mut metadata = apart::cargo(folder, "metadata");
    metadata.args(["--no-deps", "--locked", "--format-version", "1"]);
    let metadata = process::output(&mut metadata)?;
    let metadata = serde_json::from_slice(&metadata);
    told(&metadata.map_err(|error| format!("cargo metadata in {folder}: {error}"))?)
}

/// What the metadata of cargo tell.
fn told(metadata: &Value) -> Outcome<(Vec<Member>, Vec<String>)> {
    let packages = metadata["packages"].as_array().ok_or("no packages in cargo's metadata")?;
    let (mut published, mut others) = (Vec::new(), Vec::new());
    for package in packages {
        let name = package["name"].as_str().ok_or("a package without a name")?.to_owned();
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            others.push(name);
            continue;
        }
        let settings = &package["metadata"]["docs"]["rs"];
        let features = settings["features"].as_array().map(Vec::as_slice).unwrap_or_default();
        published.push(Member {
            name,
            features: features.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            all_features: settings["all-features"] == true,
            no_default_features: settings["no-default-features"] == true,
        });
    }
    Ok((published, others))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::told;

    #[test]
    fn each_published_crate_is_built_with_the_features_that_it_names() {
        let metadata = json!({ "packages": [
            { "name": "a", "publish": null, "metadata": { "docs": { "rs": { "all-features": true } } } },
            { "name": "b", "publish": [], "metadata": null },
            { "name": "c", "publish": ["here"], "metadata": null },
            { "name": "d", "publish": null, "metadata": { "docs": { "rs": {
                "no-default-features": true, "features": ["x", "y/z"],
            } } } },
        ] });
        let (published, others) = told(&metadata).expect("metadata");
        let arguments: Vec<_> = published.iter().map(|member| member.arguments()).collect();
        let d = vec!["-p", "d", "--no-default-features", "--features", "x", "--features", "y/z"];
        assert_eq!(arguments, [vec!["-p", "a", "--all-features"], vec!["-p", "c"], d]);
        assert_eq!(others, ["b"]);
        assert!(told(&json!({})).is_err());
    }
}
