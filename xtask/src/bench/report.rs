//! What was seen, as a page and a plot.

use std::fmt::Write;
use std::process::Command;

use super::{KEPT, ROWS, SETS, Seen};
use crate::{Outcome, workspace};

/// Writes `docs/benchmarks.md` and its plot, and prints the page.
pub(super) fn write(seen: &[Seen], count: usize, rounds: usize) -> Outcome<()> {
    let mut page = String::from("# Benchmarks\n\n");
    let (date, commit) =
        (said("date", &["-u", "+%F"])?, said("git", &["rev-parse", "--short", "HEAD"])?);
    let _ = write!(
        page,
        "Written by `cargo xtask bench decode` on {date}, on top of commit {commit}; not by hand.\n\n\
         Pods of 10 to 11 KB of JSON, some 4 KB of it managedFields: *alike* are eight replicas of a\n\
         workload one after another, as a server lists them; *unlike* have a workload each. {count}\n\
         pods of a set are decoded in turn; each program has a process, and they take turns for\n\
         {rounds} rounds. CPU time, medians. What counts is the ratio to the floor of the same round:\n\
         `serde_json` passing over the same text. A goal that is missed says so.\n\n\
         ![Ratios to the floor](benchmarks.svg)\n\n\
         | what | µs alike | × floor | µs unlike | × floor | goal (alike) |\n|---|---|---|---|---|---|\n"
    );
    for (row, (.., label, goal)) in ROWS.iter().enumerate() {
        let figures: Vec<(f64, f64)> = (0..SETS.len()).map(|set| figure(seen, row, set)).collect();
        let (goal, ratio) = (goal.map(|goal| (goal, figures[0].1)), &figures);
        let goal = goal.map_or(String::new(), |(goal, ratio)| verdict(goal, ratio, "≤ "));
        let _ = writeln!(
            page,
            "| {label} | {:.1} | {:.2} | {:.1} | {:.2} | {goal} |",
            ratio[0].0, ratio[0].1, ratio[1].0, ratio[1].1
        );
    }
    page.push_str(
        "\nWhat a kept pod holds, each in a process of its own; the pages of the decoder's tables are\n\
         in it. Bytes of the heap are those asked for (of Go: in use after two collections).\n\n\
         | what | heap alike | resident alike | heap unlike | resident unlike | goal (heap) |\n\
         |---|---|---|---|---|---|\n",
    );
    for (row, (.., label, goals)) in KEPT.iter().enumerate() {
        let [alike, unlike] = [0, 1].map(|set| memory(seen, row, set));
        let goal: Vec<String> = [(goals[0], alike[0]), (goals[1], unlike[0])]
            .into_iter()
            .filter_map(|(goal, heap)| Some(verdict(goal? as f64, heap as f64, "≤ ")))
            .collect();
        let [a, b, c, d] = [alike[0], alike[1], unlike[0], unlike[1]]
            .map(|bytes| if bytes == 0 { "–".to_owned() } else { bytes.to_string() });
        let _ = writeln!(page, "| {label} | {a} | {b} | {c} | {d} | {} |", goal.join(", "));
    }
    eprintln!("{page}");
    let docs = workspace::root().join("docs");
    for (name, text) in [("benchmarks.md", page), ("benchmarks.svg", plot(seen))] {
        let path = docs.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn said(program: &str, args: &[&str]) -> Outcome<String> {
    let output = Command::new(program).args(args).current_dir(workspace::root()).output();
    let output = output.map_err(|e| format!("{program}: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn verdict(goal: f64, found: f64, sign: &str) -> String {
    format!("{sign}{goal}{}", if found <= goal { "" } else { ", missed" })
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn rounds(seen: &[Seen], wanted: usize, of: usize) -> &[u64] {
    let found = seen.iter().find_map(|seen| match seen {
        Seen::Time { row, set, rounds } if (*row, *set) == (wanted, of) => Some(&rounds[..]),
        _ => None,
    });
    found.unwrap_or_default()
}

/// Microseconds, and the ratio to the floor.
fn figure(seen: &[Seen], row: usize, set: usize) -> (f64, f64) {
    let (found, floor) = (rounds(seen, row, set), rounds(seen, 0, set));
    let micros = found.iter().map(|nanoseconds| *nanoseconds as f64 / 1e3).collect();
    let ratios = found.iter().zip(floor).map(|(found, floor)| *found as f64 / *floor as f64);
    (median(micros), median(ratios.collect()))
}

fn memory(seen: &[Seen], wanted: usize, of: usize) -> [u64; 2] {
    let found = seen.iter().find_map(|seen| match seen {
        Seen::Memory { row, set, heap, resident } if (*row, *set) == (wanted, of) => {
            Some([*heap, *resident])
        }
        _ => None,
    });
    found.unwrap_or_default()
}

/// Bars on a logarithmic scale: from a tenth of the floor to three hundred times.
fn plot(seen: &[Seen]) -> String {
    let height = 34 * ROWS.len() + 30;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"820\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"10\" y=\"18\">Time a pod, as a ratio to the floor (logarithmic): \
         dark alike, light unlike</text>\n"
    );
    for (row, (_, _, label, _)) in ROWS.iter().enumerate() {
        let top = 30 + 34 * row;
        let _ = writeln!(
            svg,
            "<text x=\"270\" y=\"{}\" text-anchor=\"end\">{}</text>",
            top + 19,
            label.replace('`', "")
        );
        for (set, colour) in ["#2f6f4f", "#9cc7ae"].into_iter().enumerate() {
            let ratio = figure(seen, row, set).1;
            let width = (ratio.log10() + 1.0).max(0.01) * 130.0;
            let y = top + 3 + 13 * set;
            let _ = writeln!(
                svg,
                "<rect x=\"280\" y=\"{y}\" width=\"{width:.0}\" height=\"12\" fill=\"{colour}\"/>\
                 <text x=\"{:.0}\" y=\"{}\" font-size=\"11\">{ratio:.2}</text>",
                width + 285.0,
                y + 10
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}
