//! One command on both servers.

use std::fmt::Write as _;
use std::time::Duration;

use super::script::Line;
use super::side::{Said, Side};
use crate::{Outcome, step};

/// What was found.
pub(super) enum Verdict {
    Equal,
    /// Different, as it is written.
    Listed,
    /// Different, and how; or not as it is written.
    Wrong(String),
}

/// Types a command on both servers, for so long again if it may be; with the verdict comes what the embedded one
/// said.
///
/// # Errors
/// When kubectl cannot be started.
pub(super) fn line(
    line: &Line,
    real: &Side,
    embedded: &Side,
    patience: Duration,
) -> Outcome<(Verdict, String)> {
    let mut last = both(line, real, embedded)?;
    if line.reads() && line.deviation.is_none() {
        // In the end the last answers count.
        let _differ = step::until(patience, || {
            if is_right(line, &last) {
                return Ok(true);
            }
            last = both(line, real, embedded)?;
            Ok(is_right(line, &last))
        });
    }
    let (theirs, ours) = &last;
    Ok((verdict(line, theirs, ours), shown(ours)))
}

fn both(line: &Line, real: &Side, embedded: &Side) -> Outcome<(Said, Said)> {
    std::thread::scope(|scope| {
        let theirs = scope.spawn(|| real.say(line));
        let ours = embedded.say(line)?;
        let theirs = theirs.join().map_err(|_| "the thread that asks panicked".to_owned())?;
        Ok((theirs?, ours))
    })
}

fn is_right(line: &Line, (theirs, ours): &(Said, Said)) -> bool {
    theirs == ours && ends_well(line, ours)
}

fn ends_well(line: &Line, said: &Said) -> bool {
    (said.code == Some(0)) != line.fails
}

fn verdict(line: &Line, theirs: &Said, ours: &Said) -> Verdict {
    let wanted = if line.fails { "fail" } else { "succeed" };
    match (theirs == ours, &line.deviation) {
        _ if !ends_well(line, theirs) => {
            Verdict::Wrong(format!("on the real server it should {wanted}:\n{}", shown(theirs)))
        }
        (true, None) => Verdict::Equal,
        (false, Some(_)) => Verdict::Listed,
        (true, Some(reason)) => Verdict::Wrong(format!("is no deviation any more: {reason}")),
        (false, None) => Verdict::Wrong(difference(&shown(theirs), &shown(ours))),
    }
}

fn shown(said: &Said) -> String {
    let code = said.code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
    let mut text = said.output.clone();
    for line in said.error.lines() {
        // Writing to a String does not fail.
        let _ok = writeln!(text, "stderr: {line}");
    }
    text + "exit code " + &code + "\n"
}

/// The lines that two texts do not share, between those with which they begin and end alike.
fn difference(theirs: &str, ours: &str) -> String {
    let (theirs, ours): (Vec<&str>, Vec<&str>) = (theirs.lines().collect(), ours.lines().collect());
    let same = |a: &[&str], b: &[&str]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let head = same(&theirs, &ours);
    let (mut theirs, mut ours) = (theirs[head..].to_vec(), ours[head..].to_vec());
    theirs.reverse();
    ours.reverse();
    let tail = same(&theirs, &ours);
    theirs.drain(..tail);
    ours.drain(..tail);
    let mut text = String::new();
    for (side, lines) in [("real", theirs), ("embedded", ours)] {
        for line in lines.iter().rev() {
            let _ok = writeln!(text, "  {side:<8} {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;
    use super::{Said, Verdict, difference, verdict};

    fn said(code: i32, output: &str) -> Said {
        Said { code: Some(code), output: output.to_owned(), error: String::new() }
    }

    fn judged(script: &str, theirs: &Said, ours: &Said) -> String {
        let script = Script::read("s", script).expect("a script");
        match verdict(&script.lines[0], theirs, ours) {
            Verdict::Equal => "equal".to_owned(),
            Verdict::Listed => "listed".to_owned(),
            Verdict::Wrong(why) => why,
        }
    }

    #[test]
    fn answers_are_equal_or_listed() {
        let (one, other) = (said(0, "a\n"), said(0, "b\n"));
        assert_eq!(judged("kubectl x", &one, &one), "equal");
        assert_eq!(judged("~ so\nkubectl x", &one, &other), "listed");
        assert_eq!(judged("kubectl x", &one, &other), "  real     a\n  embedded b\n");
        assert_eq!(judged("~ so\nkubectl x", &one, &one), "is no deviation any more: so");
        assert_eq!(judged("kubectl x", &one, &said(1, "a\n")).lines().count(), 2, "the exit codes");
    }

    #[test]
    fn a_command_must_end_as_it_is_written() {
        let (well, badly) = (said(0, "a\n"), said(1, "a\n"));
        assert!(
            judged("! kubectl x", &well, &well).starts_with("on the real server it should fail")
        );
        assert!(
            judged("kubectl x", &badly, &badly).starts_with("on the real server it should suc")
        );
        assert_eq!(judged("! kubectl x", &badly, &badly), "equal");
    }

    #[test]
    fn what_two_texts_share_is_left_out() {
        let told = difference("a\nb\nc\n", "a\nx\ny\nc\n");
        assert_eq!(told, "  real     b\n  embedded x\n  embedded y\n");
    }
}
