//! Flags as the programs of Kubernetes take them (`github.com/spf13/pflag`, and Go's own `flag`).

use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::Outcome;

#[cfg(test)]
mod tests;

/// The flags of a program, a line each: the name, and what its value is unless that is yes or no.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known(pub(super) &'static str);

impl Known {
    /// Each flag and what its value is.
    fn each(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.lines().map(|line| line.split_once(' ').unwrap_or((line, "")))
    }

    /// The names.
    #[cfg(test)]
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        self.each().map(|(name, _)| name)
    }

    /// The flags as help shows them, each at the beginning of a line: envtest asks so which there are.
    pub(super) fn help(self) -> String {
        self.each().fold(String::new(), |mut text, (name, value)| {
            text.push_str("      --");
            text.push_str(name);
            if !value.is_empty() {
                text.push(' ');
                text.push_str(value);
            }
            text.push('\n');
            text
        })
    }
}

/// What a call asks for.
#[derive(Debug)]
pub(super) enum Asked {
    Help,
    Version,
    Run(Flags),
}

/// The flags that were given, in order.
#[derive(Debug, Default)]
pub(super) struct Flags(Vec<(&'static str, String)>);

impl Flags {
    /// The last value of a flag; an empty one is none.
    pub(super) fn last(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().rev().filter(|(own, _)| *own == name);
        values.next().map(|(_, value)| &**value).filter(|value| !value.is_empty())
    }

    /// The values of a flag that may be repeated, and may hold several with commas between them.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let values = self.0.iter().filter(move |(own, _)| *own == name);
        let parts = values.flat_map(|(_, value)| value.split(',')).map(str::trim);
        parts.filter(|part| !part.is_empty())
    }

    /// Yes or no, or what holds without the flag.
    ///
    /// # Errors
    /// When it is neither.
    pub(super) fn is(&self, name: &str, otherwise: bool) -> Outcome<bool> {
        match self.last(name) {
            None => Ok(otherwise),
            Some("1" | "t" | "T" | "true" | "TRUE" | "True") => Ok(true),
            Some("0" | "f" | "F" | "false" | "FALSE" | "False") => Ok(false),
            Some(other) => Err(format!("--{name} is yes or no, not {other:?}")),
        }
    }

    /// A number, or what holds without the flag.
    ///
    /// # Errors
    /// When it is none.
    pub(super) fn number<N: std::str::FromStr>(&self, name: &str, otherwise: N) -> Outcome<N> {
        let Some(value) = self.last(name) else { return Ok(otherwise) };
        value.parse().map_err(|_| format!("--{name} is a number, not {value:?}"))
    }

    /// The names that were given, each once.
    pub(super) fn names(&self) -> BTreeSet<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }
}

/// Reads arguments.
///
/// # Errors
/// A flag that the program does not have, one without its value, and what is no flag.
pub(super) fn parse(known: Known, arguments: impl Iterator<Item = OsString>) -> Outcome<Asked> {
    let text = |argument: OsString| {
        argument.into_string().map_err(|argument| format!("{argument:?} is no text"))
    };
    let mut arguments = arguments.map(text);
    let mut flags = Flags::default();
    while let Some(argument) = arguments.next().transpose()? {
        let Some(flag) = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-')) else {
            return Err(format!("{argument:?} is no flag; flags alone are taken"));
        };
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        // Kubernetes takes words with either between them.
        let name = name.replace('_', "-");
        match &*name {
            "h" | "help" => return Ok(Asked::Help),
            "version" => return Ok(Asked::Version),
            _ => {}
        }
        let found = known.each().find(|(own, _)| *own == name);
        let (name, kind) = found.ok_or_else(|| format!("unknown flag: --{name}"))?;
        let value = match value {
            Some(value) => value,
            None if kind.is_empty() => "true".to_owned(),
            None => {
                let next = arguments.next().transpose()?;
                next.ok_or_else(|| format!("flag needs an argument: --{name}"))?
            }
        };
        flags.0.push((name, value));
    }
    Ok(Asked::Run(flags))
}
