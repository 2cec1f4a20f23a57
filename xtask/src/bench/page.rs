//! `docs/benchmarks.md` and the pages beside it: a chapter for each command, which writes only its own.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use super::plot::Plot;
use crate::{Outcome, workspace};

/// What the page begins with when there is none.
const HEAD: &str = "\
# Benchmarks

Our figures beside others', of programs that take turns in one run: what else the machine does falls
on all of them, so a ratio means something where a time does not. Each chapter is written by the
command that it names; `bench/README.md` tells what is built and how.
";

/// The page of codecs, informers, stores and queues, in `docs`.
pub(super) const MAIN: &str = "benchmarks.md";

/// What a command has seen.
pub(super) struct Chapter<'a> {
    /// The command: `cargo xtask bench NAME`.
    pub(super) name: &'a str,
    /// Which page of `docs` it is in; all chapters of one are of one commit.
    pub(super) page: &'a str,
    pub(super) title: &'a str,
    /// The arguments, if they are not the usual ones.
    pub(super) args: String,
    /// Markdown, behind the line that tells where the figures are from.
    pub(super) text: String,
    pub(super) plot: Plot,
}

/// Writes the chapter and its plot, and prints it.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn write(chapter: &Chapter<'_>) -> Outcome<()> {
    let docs = workspace::root().join("docs");
    let (path, svg) = (docs.join(chapter.page), format!("benchmarks-{}.svg", chapter.name));
    let (date, commit) =
        (said("date", &["-u", "+%F"])?, said("git", &["rev-parse", "--short", "HEAD"])?);
    let Chapter { name, title, args, text, plot, .. } = chapter;
    let text = format!(
        "## {title}\n\nWritten by `cargo xtask bench {name}{args}` on {date}, on top of commit \
         {commit}.\n\n![{}]({svg})\n\n{}\n",
        plot.title,
        text.trim()
    );
    eprintln!("{text}");
    let page = fs::read_to_string(&path).unwrap_or_else(|_| HEAD.to_owned());
    for (path, text) in [(&path, replaced(&page, name, &text)), (&docs.join(svg), plot.svg())] {
        fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn said(program: &str, args: &[&str]) -> Outcome<String> {
    let output = Command::new(program).args(args).current_dir(workspace::root()).output();
    let output = output.map_err(|e| format!("{program}: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The page with another text in the chapter; at its end if it had none.
pub(super) fn replaced(page: &str, name: &str, text: &str) -> String {
    let [begin, end] = [format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n")];
    let found = page.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before.to_owned(), after))
    });
    let (before, after) = found.unwrap_or_else(|| (format!("{}\n\n", page.trim_end()), ""));
    format!("{before}{begin}{text}{end}{after}")
}

/// A table whose first column is text and the others are figures.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|---|", head.join(" | "));
    text.push_str(&"---:|".repeat(head.len().saturating_sub(1)));
    text.push('\n');
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// The middle one; of an even number, the greater of the two.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of the ratios of what was seen in the same rounds.
pub(super) fn ratio(of: impl IntoIterator<Item = u64>, to: impl IntoIterator<Item = u64>) -> f64 {
    median(of.into_iter().zip(to).map(|(of, to)| of as f64 / to as f64))
}

/// A ratio with as many digits as mean something.
pub(super) fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 10.0 => format!("{ratio:.2}"),
        ratio if ratio < 100.0 => format!("{ratio:.1}"),
        ratio => format!("{ratio:.0}"),
    }
}

/// What a figure must not exceed, and whether it does.
pub(super) fn at_most(goal: f64, found: f64) -> String {
    format!("≤ {goal}{}", if found <= goal { "" } else { ", missed" })
}

/// What a figure must reach, and whether it does.
pub(super) fn at_least(goal: f64, found: f64) -> String {
    format!("≥ {goal}{}", if found >= goal { "" } else { ", missed" })
}
