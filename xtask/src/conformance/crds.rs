//! `cargo xtask conformance crds`: definitions of other projects, and definitions made up, to types,
//! all in one crate, and generated objects of every kind through them and back.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;
use watchkeeper_codegen::custom::Counts;
use watchkeeper_codegen::{Generated, Generator};

use crate::{Outcome, step, workspace};

mod random;
pub(super) mod sample;

/// The arguments of `cargo xtask conformance crds`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A folder of definitions, in files that end in .yaml
    #[arg(long, required_unless_present = "random")]
    dir: Option<PathBuf>,
    /// How many schemas are made up: each is a definition and an OpenAPI document
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: usize,
    /// How many objects of each kind are tried beside the full one and the smallest one
    #[arg(long, default_value_t = 30)]
    cases: usize,
    /// Where the objects and the schemas that are made up start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most fields that may be raw JSON although their schemas say more, in percent
    #[arg(long, default_value_t = 1.0)]
    untyped: f64,
    /// How many objects are to be tried at the least
    #[arg(long, default_value_t = 1)]
    least: usize,
}

impl Args {
    /// The definitions of a folder, as they are tried when nothing else is said.
    pub(crate) const fn of(dir: PathBuf) -> Self {
        Self { dir: Some(dir), random: 0, cases: 30, seed: 1, untyped: 1.0, least: 1 }
    }

    /// So many schemas made up beside them, from that seed on.
    pub(crate) const fn with_random(mut self, schemas: usize, seed: u64) -> Self {
        self.random = schemas;
        self.seed = seed;
        self
    }
}

/// A file of definitions and what was made of it.
struct File {
    name: String,
    generated: Generated,
    objects: Objects,
}

/// Which objects come back as they were.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Objects {
    /// Whatever is of the schema's shape: somebody uses it.
    All,
    /// Those that the schema takes: it is made up, and may contradict itself.
    Valid,
    /// None is tried: what the schema names is elsewhere, and made up. The types compile.
    None,
}

/// Runs the comparison.
///
/// # Errors
/// As [`tried`].
pub(crate) fn run(args: &Args) -> Outcome {
    tried(args)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the comparison, and says in one line what was tried.
///
/// # Errors
/// What does not generate, compile, or come back as it was, and too many fields without a type.
pub(crate) fn tried(args: &Args) -> Outcome<String> {
    let (mut files, made_up) = step::timed("generate", || {
        let files = args.dir.as_deref().map_or(Ok(Vec::new()), generate)?;
        Ok((files, random::files(args.random, args.seed)?))
    })?;
    let counts = tell(&files);
    files.extend(made_up);
    let folder = workspace::target().join("conformance-crds");
    write_crate(&folder, &files)?;
    let program = step::timed("compile", || build(&folder))?;
    let tried = step::timed("round trips", || round_trips(args, &files, &program))?;
    eprintln!("{tried}");
    within(counts, args.untyped)?;
    Ok(format!("the projects': {counts}; {tried}"))
}

/// What the schemas leave open is raw JSON whoever generates.
fn within(counts: Counts, most: f64) -> Outcome<()> {
    let untyped = counts.percent(counts.untyped_fields);
    if untyped <= most {
        return Ok(());
    }
    Err(format!("{untyped:.2} % of the fields have no type here, more than {most} %"))
}

fn generate(dir: &Path) -> Outcome<Vec<File>> {
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{} has no definitions: no file ends in .yaml", dir.display()));
    }
    let mut files = Vec::new();
    for path in paths {
        let generator = Generator::new().library("crate::library").file(&path);
        let generated = generator.map_err(|error| error.to_string())?.generate();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.unwrap_or_default().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        files.push(File { name, generated, objects: Objects::All });
    }
    Ok(files)
}

/// A crate with a module for each file, and a program that reads and writes what it is told.
fn write_crate(folder: &Path, files: &[File]) -> Outcome<()> {
    let crates = workspace::root().join("crates");
    let depends = |name: &str, features: &str| {
        let path = crates.join(name);
        format!("{name} = {{ path = {path:?}, default-features = false{features} }}\n")
    };
    let mut manifest = "[package]\nname = \"conformance-crds\"\nversion = \"0.0.0\"\n\
                        edition = \"2024\"\n\n[workspace]\n\n[dependencies]\n"
        .to_owned();
    manifest += &depends("watchkeeper-api", "");
    manifest += &depends("watchkeeper-cache", "");
    manifest += &depends("watchkeeper-client", "");
    let src = folder.join("src");
    let write = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(&src).map_err(|error| format!("{}: {error}", src.display()))?;
    write(&folder.join("Cargo.toml"), &manifest)?;
    let lock = workspace::root().join("Cargo.lock");
    fs::copy(&lock, folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
    for file in files {
        write(&src.join(format!("{}.rs", file.name)), &file.generated.text())?;
    }
    write(&src.join("main.rs"), &main_text(files))
}

fn main_text(files: &[File]) -> String {
    let mut text = String::from(include_str!("crds/main.txt"));
    let mut arms = String::new();
    for file in files {
        let name = &file.name;
        // Writing to a text cannot fail.
        let _ = writeln!(text, "mod {name};");
        for kind in file.generated.kinds() {
            let path = format!("{name}::{}", kind.path);
            let _ = writeln!(arms, "        {path:?} => again::<{path}>(text),");
        }
    }
    let _ = write!(
        text,
        "\nfn round_trip(kind: &str, text: &str) -> Result<String, String> {{\n    match kind {{\n\
         {arms}        _ => Err(format!(\"no kind {{kind}}\")),\n    }}\n}}\n"
    );
    text
}

fn build(folder: &Path) -> Outcome<PathBuf> {
    let target = workspace::target();
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--target-dir"])
        .arg(&target)
        .current_dir(folder)
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !status.success() {
        return Err(format!("the generated crate in {} does not compile", folder.display()));
    }
    Ok(target.join("debug/conformance-crds"))
}

/// What was tried, and how much of it the schemas take.
#[derive(Default)]
struct Tried {
    kinds: usize,
    objects: usize,
    valid: usize,
    without_valid: Vec<String>,
}

impl std::fmt::Display for Tried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} objects of {} kinds come back as they were, {} of them valid by their schema",
            self.objects, self.kinds, self.valid
        )?;
        if !self.without_valid.is_empty() {
            write!(f, "; no valid one of {}", self.without_valid.join(", "))?;
        }
        Ok(())
    }
}

fn round_trips(args: &Args, files: &[File], program: &Path) -> Outcome<Tried> {
    let mut cases: Vec<(String, Value)> = Vec::new();
    let mut tried = Tried::default();
    let mut texts = sample::Texts::new();
    for file in files {
        for kind in file.generated.kinds() {
            if file.objects == Objects::None {
                continue;
            }
            let mut objects = sample::objects(kind, &mut texts, args.seed, args.cases);
            if file.objects == Objects::Valid {
                objects.keep_valid();
            }
            tried.kinds += 1;
            tried.valid += objects.valid;
            if objects.valid == 0 && file.objects == Objects::All {
                tried.without_valid.push(format!("{} {}", kind.api_version, kind.kind));
            }
            let path = format!("{}::{}", file.name, kind.path);
            cases.extend(objects.objects.into_iter().map(|object| (path.clone(), object)));
        }
    }
    tried.objects = cases.len();
    let answers = ask(program, &cases)?;
    let mut wrong: BTreeMap<&str, String> = BTreeMap::new();
    for ((path, object), answer) in cases.iter().zip(&answers) {
        if let Some(how) = differs(object, answer) {
            wrong.entry(path).or_insert(how);
        }
    }
    if wrong.is_empty() && answers.len() == cases.len() {
        if cases.len() < args.least {
            return Err(format!("only {} objects were tried, of {}", cases.len(), args.least));
        }
        return Ok(tried);
    }
    let list: Vec<String> = wrong.iter().map(|(path, how)| format!("{path}: {how}")).collect();
    Err(format!("{} kinds do not come back as they were:\n{}", wrong.len(), list.join("\n")))
}

fn ask(program: &Path, cases: &[(String, Value)]) -> Outcome<Vec<String>> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the generated program does not start: {error}"))?;
    let mut input = String::new();
    for (path, object) in cases {
        let _ = writeln!(input, "{path}\t{object}");
    }
    let stdin = child.stdin.take();
    // It answers only when it has heard everything.
    if let Some(mut stdin) = stdin {
        stdin.write_all(input.as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err("the generated program failed".to_owned());
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// How an answer differs from what was sent.
fn differs(object: &Value, answer: &str) -> Option<String> {
    let Some(answer) = answer.strip_prefix("ok ") else { return Some(answer.to_owned()) };
    let back: Value = match serde_json::from_str(answer) {
        Ok(back) => back,
        Err(error) => return Some(format!("the answer is no JSON: {error}")),
    };
    first_difference(object, &back, "")
}

fn first_difference(sent: &Value, back: &Value, path: &str) -> Option<String> {
    match (sent, back) {
        (Value::Object(a), Value::Object(b)) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            names.into_iter().find_map(|name| {
                let null = Value::Null;
                let (a, b) = (a.get(name).unwrap_or(&null), b.get(name).unwrap_or(&null));
                // A spec or status by value that says nothing is left out.
                let part = path.is_empty() && matches!(name.as_str(), "spec" | "status");
                if part && b.is_null() && says_nothing(a) {
                    None
                } else {
                    first_difference(a, b, &format!("{path}.{name}"))
                }
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(index, (a, b))| first_difference(a, b, &format!("{path}[{index}]")))
        }
        _ if sent == back => None,
        _ => Some(format!("{path} was {sent} and is {back}")),
    }
}

/// It is what a type of the same shape is by default.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().all(says_nothing),
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Bool(flag) => !flag,
        Value::Null => true,
    }
}

/// What became raw JSON, kind by kind and in all; the counts of all.
fn tell(files: &[File]) -> Counts {
    let mut all = Counts::default();
    let mut kinds = 0;
    for file in files {
        let generated = &file.generated;
        kinds += generated.kinds().len();
        all = all.and(generated.counts());
        for kind in generated.kinds() {
            let name = format!("{} {}", kind.api_version, kind.kind);
            eprintln!("{name}: {}", kind.counts);
            for (open, what) in [(true, "left open"), (false, "untyped")] {
                let parts = generated.raw_parts().iter();
                let parts = parts.filter(|part| part.kind == name && part.open == open);
                let parts: Vec<_> =
                    parts.map(|part| format!("{} ({})", part.path, part.why)).collect();
                if !parts.is_empty() {
                    eprintln!("    {what}: {}", parts.join(", "));
                }
            }
        }
    }
    let (files, structs, maps) = (files.len(), all.structs, all.open_maps);
    eprintln!("{files} files, {kinds} kinds and versions, {structs} structs, {all}");
    eprintln!("of what is left open, {maps} are maps of raw JSON");
    all
}
