//! What was run of a long plan, in a file: who runs it again goes on from there.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use crate::long::Plan;
use crate::sums::Sums;
use crate::told::hash_of;

/// A line for the plan, then for each part of it one with its sums, and one for each history of it in which a
/// rule was broken. A part counts when its sums are there.
#[derive(Debug)]
pub struct Journal {
    file: File,
    sums: Sums,
    broken: Vec<(u64, String)>,
}

impl Journal {
    /// The journal of a plan, as far as `program` (its bytes) has run it; a new one if there is none.
    ///
    /// # Errors
    /// The file cannot be read or written, or is not the journal of this plan and program.
    pub fn open(path: &Path, plan: &Plan, program: &[u8]) -> Result<Self, String> {
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        let head = format!("{plan:?} by {:016x}", hash_of(program));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let text = format!("{head}\n");
                fs::write(path, &text).map_err(failed)?;
                text
            }
            Err(error) => return Err(failed(error)),
        };
        let (sums, broken) = read(&text, &head).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        Ok(Self { file, sums, broken })
    }

    /// What it has so far.
    #[must_use]
    pub const fn sums(&self) -> &Sums {
        &self.sums
    }

    /// In which histories a rule was broken, and which.
    #[must_use]
    pub fn broken(&self) -> &[(u64, String)] {
        &self.broken
    }

    /// A part more.
    pub(crate) fn note(&mut self, sums: &Sums, broken: &[(u64, String)]) -> Result<(), String> {
        let mut text = String::new();
        for (seed, rule) in broken {
            text.push_str(&format!("{BROKEN}{seed} {}\n", rule.replace('\n', " ")));
        }
        text.push_str(&sums.line());
        text.push('\n');
        // In one piece, so that what is there is whole.
        self.file.write_all(text.as_bytes()).map_err(|e| format!("the journal: {e}"))?;
        self.sums.add(sums);
        self.broken.extend_from_slice(broken);
        Ok(())
    }
}

const BROKEN: &str = "broken ";

fn read(text: &str, head: &str) -> Result<(Sums, Vec<(u64, String)>), String> {
    let mut lines = text.lines();
    if lines.next() != Some(head) {
        return Err(format!("the journal of something else than {head}; remove it to begin anew"));
    }
    let (mut sums, mut broken) = (Sums::default(), Vec::new());
    for line in lines {
        let rule = line.strip_prefix(BROKEN).and_then(|rule| rule.split_once(' '));
        match (rule, Sums::of_line(line)) {
            (Some((seed, rule)), _) => {
                let seed = seed.parse().map_err(|_| format!("no line of a journal: {line}"))?;
                broken.push((seed, rule.to_owned()));
            }
            (None, Some(part)) => sums.add(&part),
            (None, None) => return Err(format!("no line of a journal: {line}")),
        }
    }
    Ok((sums, broken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Names, Server};

    const PLAN: Plan =
        Plan { seed: 1, changes: 3_000_000, names: Names::Few, server: Server::Shelf };

    #[test]
    fn who_opens_it_again_finds_what_was_noted() {
        let folder =
            std::env::temp_dir().join(format!("watchkeeper-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("journal");
        let part = Sums { worlds: 100, changes: 1_000_050, ..Sums::default() };
        let mut journal = Journal::open(&path, &PLAN, b"a").expect("a new one");
        journal.note(&part, &[(7, "a rule\nof two lines".to_owned())]).expect("noted");
        journal.note(&part, &[]).expect("noted");
        let again = Journal::open(&path, &PLAN, b"a").expect("the same");
        assert_eq!((again.sums().worlds, again.sums().changes), (200, 2_000_100));
        assert_eq!(again.broken(), [(7, "a rule of two lines".to_owned())]);
        let other = Plan { seed: 2, ..PLAN };
        assert!(Journal::open(&path, &other, b"a").is_err(), "another plan");
        assert!(Journal::open(&path, &PLAN, b"b").is_err(), "another program");
        fs::write(&path, "nonsense\n").expect("written");
        assert!(Journal::open(&path, &PLAN, b"a").is_err(), "no journal");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
