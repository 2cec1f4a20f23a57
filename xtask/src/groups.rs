//! `cargo xtask groups`: what each group of the API costs to build and in a program that uses all of
//! it, in both codecs. Prints the table; of all features it writes it into docs/design/groups.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::{Outcome, process, workspace};

/// The arguments of `cargo xtask groups`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Features of watchkeeper-api to measure; `none`, `default` and `all-groups` are others
    /// [default: none, default, all-groups and every group]
    features: Vec<String>,
    /// Build as what is shipped is built: one unit of code, optimized as a whole
    #[arg(long)]
    shipped: bool,
}

/// A program that links both codecs, both ways, of every kind of the enabled groups.
const MAIN: &str = r#"//! Reads objects of every kind and writes them, in JSON and protobuf.
use watchkeeper_api::json::{Read, Write};
use watchkeeper_api::pb::Message;
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, StaticKind, json, pb};

struct Both(Vec<u8>, usize);

impl Both {
    fn of<T: Read + Write + Message + Default>(&mut self) {
        let value: T = json::from_slice(&self.0).unwrap_or_default();
        let value: T = pb::from_slice(&pb::to_vec(&value)).unwrap_or_default();
        self.1 += json::to_vec(&value).len();
    }
}

impl Visitor for Both {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        self.of::<K>();
    }
    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        _: &'static str,
        _: &'static str,
    ) {
        self.of::<T>();
    }
}

fn main() {
    let mut both = Both(std::env::args().nth(1).unwrap_or_default().into_bytes(), 0);
    registry::visit(&mut both);
    println!("{}", both.1);
}
"#;

/// Measures and prints the table.
///
/// # Errors
/// When a program does not build.
pub(crate) fn run(args: &Args) -> Outcome {
    let features = if args.features.is_empty() { every()? } else { args.features.clone() };
    let folder = workspace::cache().join(format!("groups-{}", std::process::id()));
    let rows = features.iter().map(|feature| measure(&folder, feature, args.shipped));
    let rows: Outcome<Vec<Row>> = rows.collect();
    fs::remove_dir_all(&folder).map_err(|e| format!("cannot remove {}: {e}", folder.display()))?;
    let table = table(&rows?);
    eprint!("{table}");
    if args.features.is_empty() && !args.shipped {
        let document = workspace::root().join("docs/design/groups.md");
        let text = fs::read_to_string(&document).map_err(|e| format!("groups.md: {e}"))?;
        let text = replaced(&text, &table).ok_or("groups.md has no table of features")?;
        fs::write(&document, text).map_err(|e| format!("groups.md: {e}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a program with one feature costs.
struct Row {
    feature: String,
    /// CPU seconds to build the API with that feature, and the program.
    cpu: f64,
    bytes: u64,
}

fn table(rows: &[Row]) -> String {
    let none = rows.iter().find(|row| row.feature == "none").map_or(0, |row| row.bytes);
    let mut table =
        "| feature | CPU s to build | program, stripped, kB | more than with none, kB |\n\
                     |---|---|---|---|\n"
            .to_owned();
    for Row { feature, cpu, bytes } in rows {
        let (size, more) = (bytes / 1_000, bytes.saturating_sub(none) / 1_000);
        table.push_str(&format!("| `{feature}` | {cpu:.0} | {size} | {more} |\n"));
    }
    table
}

/// The document with another table of features.
fn replaced(document: &str, table: &str) -> Option<String> {
    let start = document.find(table.lines().next()?)?;
    let length = document[start..].find("\n\n").map_or(document.len() - start, |end| end + 1);
    Some(format!("{}{table}{}", &document[..start], &document[start + length..]))
}

fn every() -> Outcome<Vec<String>> {
    let wholes = ["none", "default", "all-groups"].map(str::to_owned);
    Ok(wholes.into_iter().chain(names()?).collect())
}

/// The groups of the API, as `all-groups` names them.
///
/// # Errors
/// When the manifest cannot be read, or names none.
pub(crate) fn names() -> Outcome<Vec<String>> {
    let manifest = workspace::root().join("crates/watchkeeper-api/Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
    let (_, rest) = text.split_once("all-groups = [").ok_or("no groups in the manifest")?;
    let (groups, _) = rest.split_once(']').ok_or("no end of the groups in the manifest")?;
    let groups = groups.split(',').map(|name| name.trim().trim_matches('"').to_owned());
    let groups: Vec<String> = groups.filter(|name| !name.is_empty()).collect();
    if groups.is_empty() { Err("all-groups names no group".to_owned()) } else { Ok(groups) }
}

/// Builds the program with one feature from nothing but the dependencies of the API.
fn measure(folder: &Path, feature: &str, shipped: bool) -> Outcome<Row> {
    write(folder, feature, shipped)?;
    let build = |packages: &[&str]| {
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--quiet", "--release"]).args(packages).current_dir(folder);
        process::succeed(cargo.env("CARGO_TARGET_DIR", folder.join("target")))
    };
    // What does not depend on the groups first, and not counted.
    build(&["-p", "serde_json", "-p", "watchkeeper-schema"])?;
    let before = process::children_cpu()?;
    build(&[])?;
    let cpu = process::children_cpu()? - before;
    let program: PathBuf = folder.join("target/release/every-kind");
    let bytes = fs::metadata(&program).map_err(|e| format!("{}: {e}", program.display()))?.len();
    eprintln!("{feature}: {cpu:.0} s, {bytes} bytes");
    Ok(Row { feature: feature.to_owned(), cpu, bytes })
}

fn write(folder: &Path, feature: &str, shipped: bool) -> Outcome<()> {
    let api = workspace::root().join("crates/watchkeeper-api");
    let features = match feature {
        "none" => String::new(),
        _ => format!("{feature:?}"),
    };
    let profile = if shipped { "codegen-units = 1\nlto = \"fat\"" } else { "codegen-units = 16" };
    let manifest = format!(
        "[package]\nname = \"every-kind\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [profile.release]\n{profile}\nstrip = \"symbols\"\n\n[dependencies]\n\
         watchkeeper-api = {{ path = {api:?}, default-features = false, features = [{features}] }}\n\
         serde_json = \"1\"\n",
    );
    let made = fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(folder.join("src/main.rs"), MAIN))
        .and_then(|()| fs::copy(workspace::root().join("Cargo.lock"), folder.join("Cargo.lock")));
    made.map(drop).map_err(|e| format!("cannot write {}: {e}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_tells_what_a_feature_adds() {
        let row = |feature: &str, cpu, bytes| Row { feature: feature.to_owned(), cpu, bytes };
        let table = table(&[row("none", 17.6, 600_999), row("core", 50.2, 1_700_000)]);
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(lines, ["| `none` | 18 | 600 | 0 |", "| `core` | 50 | 1700 | 1099 |"]);
    }

    #[test]
    fn the_table_of_a_document_is_replaced_and_nothing_else() {
        let row = Row { feature: "none".to_owned(), cpu: 1.0, bytes: 2_000 };
        let new = table(std::slice::from_ref(&row));
        let document = format!("# Groups\n\n{}| `core` | 9 | 9 | 9 |\n\nThe end.\n", table(&[]));
        let expected = format!("# Groups\n\n{new}\nThe end.\n");
        assert_eq!(replaced(&document, &new), Some(expected));
        assert_eq!(replaced("# Groups\n", &new), None);
    }
}
