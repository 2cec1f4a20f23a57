//! Scripts: a command a line, as it is typed.
//!
//! `kubectl …` must succeed and `! kubectl …` must fail, on both servers; of `? kubectl explain …`, which must
//! succeed, too, only names and types of fields are compared. `# …` is a comment, and `~ …` says why the command
//! behind it is answered otherwise by the embedded server.

use crate::Outcome;

/// What is read from a file.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::conformance) struct Script {
    pub(in crate::conformance) name: String,
    pub(in crate::conformance) lines: Vec<Line>,
}

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::conformance) struct Line {
    pub(in crate::conformance) number: usize,
    /// As it stands in the file.
    pub(in crate::conformance) text: String,
    /// What stands before `kubectl`, names and values.
    pub(in crate::conformance) environment: Vec<(String, String)>,
    /// What stands behind it.
    pub(in crate::conformance) words: Vec<String>,
    pub(in crate::conformance) fails: bool,
    /// Whether descriptions of fields do not count.
    pub(in crate::conformance) is_bare: bool,
    /// Why the servers answer differently.
    pub(in crate::conformance) deviation: Option<String>,
}

impl Script {
    /// # Errors
    /// A line that is none of the above.
    pub(in crate::conformance) fn read(name: &str, text: &str) -> Outcome<Self> {
        let (mut lines, mut deviation) = (Vec::new(), None);
        for (index, text) in text.lines().enumerate() {
            let number = index + 1;
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if let Some(reason) = text.strip_prefix("~ ") {
                deviation = Some(reason.to_owned());
                continue;
            }
            let line = Line::read(number, text, deviation.take());
            lines.push(line.ok_or_else(|| format!("{name}:{number} is no command: {text}"))?);
        }
        Ok(Self { name: name.to_owned(), lines })
    }
}

impl Line {
    fn read(number: usize, text: &str, deviation: Option<String>) -> Option<Self> {
        let (fails, is_bare) = (text.starts_with("! "), text.starts_with("? "));
        let command = if fails || is_bare { &text[2..] } else { text };
        let mut words = words(command)?.into_iter();
        let mut environment = Vec::new();
        for word in words.by_ref() {
            if word == "kubectl" {
                let (text, words) = (text.to_owned(), words.collect());
                return Some(Self { number, text, environment, words, fails, is_bare, deviation });
            }
            let (name, value) = word.split_once('=')?;
            environment.push((name.to_owned(), value.to_owned()));
        }
        None
    }

    /// Whether it may be typed again until the answer is right: it changes nothing.
    pub(super) fn reads(&self) -> bool {
        const READS: [&str; 13] = [
            "api-resources",
            "api-versions",
            "auth",
            "cluster-info",
            "config",
            "describe",
            "diff",
            "events",
            "explain",
            "get",
            "logs",
            "top",
            "version",
        ];
        match self.verb() {
            "rollout" => {
                self.words.iter().any(|word| ["status", "history"].contains(&word.as_str()))
            }
            verb => READS.contains(&verb),
        }
    }

    /// What kubectl is told to do: the first word.
    pub(in crate::conformance) fn verb(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

/// Splits a line as a shell would, as far as blanks and `'…'` go. None if a quote is open.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for character in line.chars() {
        match character {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::{Script, words};

    #[test]
    fn a_line_is_split_as_a_shell_would() {
        let split = words("patch x -p='{\"a\": 1}' '' b").expect("words");
        assert_eq!(split, ["patch", "x", "-p={\"a\": 1}", "", "b"]);
        assert_eq!(words("an 'open quote"), None);
    }

    #[test]
    fn a_script_says_what_is_typed_and_what_is_expected() {
        let text =
            "# A comment.\n\nkubectl get pods\n~ worded anew\n! EDITOR='a b' kubectl edit x\n";
        let script = Script::read("s", text).expect("a script");
        let told: Vec<_> =
            script.lines.iter().map(|line| (line.number, line.fails, line.reads())).collect();
        assert_eq!(told, [(3, false, true), (5, true, false)]);
        assert_eq!(script.lines[0].deviation, None);
        let last = &script.lines[1];
        assert_eq!(last.deviation.as_deref(), Some("worded anew"));
        assert_eq!(last.environment, [("EDITOR".to_owned(), "a b".to_owned())]);
        assert_eq!(last.words, ["edit", "x"]);
    }

    #[test]
    fn what_is_no_command_is_told() {
        assert_eq!(Script::read("s", "\nget pods"), Err("s:2 is no command: get pods".to_owned()));
    }

    #[test]
    fn only_what_changes_nothing_is_typed_again() {
        let reads = |text: &str| Script::read("s", text).expect("a script").lines[0].reads();
        assert!(reads("kubectl get pods") && reads("kubectl rollout status deployment/a"));
        assert!(!reads("kubectl rollout undo deployment/a") && !reads("kubectl delete pod get"));
    }
}
