//! `cargo xtask conformance page`: what docs/api-server.md says of what is answered and what deviates, out of the
//! cases of the suite, what the embedded server answers to them, the scripts of kubectl, what is recorded and listed
//! of requests that are made up, and the page of parity.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use serde_json::Value;

use watchkeeper_generator::{Digests, MASKS};

use super::generated;
use super::kubectl::{self, Script};
use crate::{Outcome, workspace};

mod parity;

/// The arguments of `cargo xtask conformance page`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Say whether the page is as it would be written, instead of writing it
    #[arg(long)]
    check: bool,
}

const PAGE: &str = "docs/api-server.md";
const BEGIN: &str = "<!-- cargo xtask conformance page -->\n";
const END: &str = "<!-- end of cargo xtask conformance page -->\n";

/// The chores that send cases, each with a folder of its name in the tests of `watchkeeper-apiserver`.
const SUITES: [(&str, &str); 10] = [
    ("access", "who may do what"),
    ("admission", "webhooks, policies and plugins"),
    ("eviction", "evictions and disruption budgets"),
    ("past", "pages, lists and watches of what is forgotten"),
    ("repeats", "lists that have one merge key twice"),
    ("requests", "each bullet that takes no more than requests"),
    ("rules", "rules in CEL"),
    ("shards", "lists and watches of a part of the objects"),
    ("tables", "rows and columns of every kind"),
    ("versions", "several versions of a kind"),
];

/// What a real kube-apiserver answers to the cases that are made up.
const DIGESTS: &str = "crates/watchkeeper-apiserver/tests/it/generated/digests.txt";

/// Writes the section, or wants it to be what it would be.
///
/// # Errors
/// When a file cannot be read or written, or the page is stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let page = read(PAGE)?;
    let new = replaced(&page, &section()?)?;
    if page == new {
        return Ok(ExitCode::SUCCESS);
    }
    if args.check {
        return Err(format!("stale: {PAGE}; cargo xtask conformance page writes it again"));
    }
    let path = workspace::root().join(PAGE);
    fs::write(&path, new).map_err(|e| format!("cannot write {PAGE}: {e}"))?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &str) -> Outcome<String> {
    fs::read_to_string(workspace::root().join(file)).map_err(|e| format!("{file}: {e}"))
}

fn replaced(page: &str, section: &str) -> Outcome<String> {
    let found = page.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = found.ok_or_else(|| format!("{PAGE} has no place for it"))?;
    Ok(format!("{before}{BEGIN}{section}{END}{after}"))
}

fn section() -> Outcome<String> {
    let (suites, bullets) = suites()?;
    let recorded = Digests::read(&read(DIGESTS)?).of.len();
    let scripts = kubectl::scripts(&[])?;
    let parity = read("docs/parity/api-server.md")?;
    let statements = parity::statements(&parity);
    Ok([
        "\nWritten by `cargo xtask conformance page`; a test holds it to be fresh. Each command below asks a real \
         kube-apiserver the same and fails unless the answers are equal, field by field, but for the masks of \
         `crates/watchkeeper-apiserver/tests/it/access/mask.rs`, `xtask/src/conformance/kubectl/mask.rs` and \
         `conformance/generator/src/mask.rs`, or otherwise for a reason that is listed here.\n\n",
        &suites,
        &made_up(recorded),
        &commands(&scripts),
        &deviating(&scripts),
        &deviating_made_up(&generated::deviations()?),
        &by_bullet(&statements, &bullets),
        "\n",
    ]
    .concat())
}

/// How many answers of each code there are, by bullet.
type Bullets = BTreeMap<String, BTreeMap<u64, usize>>;

fn suites() -> Outcome<(String, Bullets)> {
    let mut bullets = Bullets::new();
    let mut text =
        "| `cargo xtask conformance …` | about | requests |\n|---|---|---:|\n".to_owned();
    for (name, about) in SUITES {
        let list = |file: &str| -> Outcome<Vec<Value>> {
            let file = format!("crates/watchkeeper-apiserver/tests/it/{name}/{file}.json");
            serde_json::from_str(&read(&file)?).map_err(|e| format!("{file}: {e}"))
        };
        let (cases, answers) = (list("cases")?, list("answers")?);
        if cases.len() != answers.len() {
            return Err(format!("{name} has {} cases, {} answers", cases.len(), answers.len()));
        }
        for (case, answer) in cases.iter().zip(&answers) {
            let id = case["id"].as_str().unwrap_or_default().to_owned();
            let code = answer["code"].as_u64().unwrap_or_default();
            *bullets.entry(id).or_default().entry(code).or_default() += 1;
        }
        let count = cases.len();
        // Writing to a String does not fail.
        let _ok = writeln!(text, "| `{name}` | {about} | {count} |");
    }
    Ok((text, bullets))
}

fn made_up(recorded: usize) -> String {
    format!(
        "| `generated` | objects, patches, schemas, selectors and values at the edges, made up by a seed: cases of some requests each, as far \
         as their answers are recorded | {recorded} |\n"
    )
}

fn deviating_made_up(deviations: &[String]) -> String {
    let list = |items: &mut dyn Iterator<Item = &str>| -> String {
        items.map(|item| format!("- {item}\n")).collect()
    };
    let hidden = list(&mut MASKS.into_iter());
    let otherwise = list(&mut deviations.iter().map(String::as_str));
    format!(
        "\nOf requests that are made up, where nobody foresees what is asked, `--least` says how many of a hundred cases \
         must be answered alike ([how many were](long-runs.md)). Hidden is of their answers:\n\n{hidden}\n\
         Answered otherwise, with the requests in question:\n\n{otherwise}"
    )
}

/// The commands of kubectl by their verb.
fn commands(scripts: &[Script]) -> String {
    let mut verbs: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for line in scripts.iter().flat_map(|script| &script.lines) {
        let counts = verbs.entry(line.verb()).or_default();
        counts[0] += 1;
        counts[1] += usize::from(line.fails);
        counts[2] += usize::from(line.deviation.is_some());
    }
    let all: usize = verbs.values().map(|[all, ..]| all).sum();
    let mut text = format!(
        "| `kubectl` | what a person types: exit code, standard output and standard error | {all} |\n\n\
         | kubectl | commands | of which are refused | answered otherwise |\n|---|---:|---:|---:|\n"
    );
    for (verb, [all, refused, otherwise]) in verbs {
        let _ok = writeln!(text, "| `{verb}` | {all} | {refused} | {otherwise} |");
    }
    text
}

fn deviating(scripts: &[Script]) -> String {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in scripts.iter().flat_map(|script| &script.lines) {
        if let Some(reason) = &line.deviation {
            reasons.entry(reason).or_default().push(&line.text);
        }
    }
    let mut text = "\nAnswered otherwise:\n\n".to_owned();
    for (reason, lines) in reasons {
        let lines: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
        let _ok = writeln!(text, "- {reason}: {}", lines.join(", "));
    }
    text
}

fn by_bullet(statements: &[parity::Statement<'_>], bullets: &Bullets) -> String {
    let mut text = "\nBullet by bullet ([who holds it](parity/api-server.md)), with what the requests above are \
                    answered:\n\n| bullet | about | state | answers | deviations |\n|---|---|---|---|---|\n"
        .to_owned();
    for statement in statements {
        let answers = bullets.get(statement.id).into_iter().flatten();
        let answers: Vec<String> =
            answers.map(|(code, count)| format!("{count} × {code}")).collect();
        let parity::Statement { id, about, state, deviations } = statement;
        let answers = answers.join(", ");
        let _ok = writeln!(text, "| {id} | {about} | {state} | {answers} | {deviations} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, commands, deviating, deviating_made_up, replaced};
    use crate::conformance::kubectl::Script;

    #[test]
    fn the_section_is_put_in_its_place() {
        let page = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(replaced(&page, "new\n"), Ok(format!("a\n{BEGIN}new\n{END}b\n")));
        assert!(replaced("a\n", "new\n").is_err());
    }

    #[test]
    fn commands_are_counted_and_deviations_told() {
        let text = "kubectl get a\n! kubectl get b\n~ so it is\nkubectl top pods -n c\n";
        let scripts = [Script::read("s", text).expect("a script")];
        let counted = commands(&scripts);
        assert!(counted.contains("| `get` | 2 | 1 | 0 |\n| `top` | 1 | 0 | 1 |\n"), "{counted}");
        assert!(deviating(&scripts).ends_with("- so it is: `kubectl top pods -n c`\n"));
    }

    #[test]
    fn what_is_hidden_and_listed_of_what_is_made_up_is_told() {
        let told = deviating_made_up(&["so it is: `POST *`".to_owned()]);
        assert!(told.contains("\n- uids, versions and times"), "{told}");
        assert!(told.ends_with(":\n\n- so it is: `POST *`\n"), "{told}");
    }
}
