//! What a server must have, by what its clients were told.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::writer::MAPS;
use crate::Outcome;
use crate::conformance::http;

#[cfg(test)]
mod tests;

/// An object: its value, and the revision that the server told of it, if it did.
type State = Option<(String, u64)>;

/// What is known of the objects.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// The last state of each object that was acknowledged, and what was asked for after that.
    objects: BTreeMap<String, (State, Option<State>)>,
    /// The newest revision that anybody was told.
    revision: u64,
    acknowledged: u64,
    under_way: u64,
    had_happened: u64,
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { acknowledged, under_way, had_happened, revision, .. } = self;
        write!(
            f,
            "{acknowledged} writes were acknowledged and all are there; of {under_way} under way \
             {had_happened} had happened; revision {revision}"
        )
    }
}

impl Book {
    /// Takes over what the writers of a round noted.
    ///
    /// # Errors
    /// A line that says nothing, or a revision that was given before.
    pub(super) fn read(&mut self, log: &Path) -> Outcome<()> {
        let text = std::fs::read_to_string(log).map_err(|e| format!("{}: {e}", log.display()))?;
        let before = self.revision;
        for line in text.lines() {
            self.take(line, before)?;
        }
        self.under_way += self.objects.values().filter(|(_, asked)| asked.is_some()).count() as u64;
        Ok(())
    }

    fn take(&mut self, line: &str, before: u64) -> Outcome<()> {
        let words: Vec<&str> = line.split(' ').collect();
        let state = |value: &str, told| (value != "-").then(|| (value.to_owned(), told));
        match *words.as_slice() {
            ["begun", name, value] => {
                let (_, asked) = self.objects.entry(name.to_owned()).or_default();
                *asked = Some(state(value, 0));
            }
            ["done", name, value, told] => {
                let told: u64 = told.parse().map_err(|_| format!("the log says {line:?}"))?;
                if told != 0 && told <= before {
                    return Err(format!("{line:?}, although {before} was told before the kill"));
                }
                self.objects.insert(name.to_owned(), (state(value, told), None));
                self.revision = self.revision.max(told);
                self.acknowledged += 1;
            }
            _ => return Err(format!("the log says {line:?}")),
        }
        Ok(())
    }

    /// Whether enough happened for the kills to show something.
    ///
    /// # Errors
    /// That it did not.
    pub(super) fn is_telling(&self, kills: u64) -> Outcome<()> {
        if self.acknowledged < kills {
            return Err(format!("only {} writes were acknowledged", self.acknowledged));
        }
        Ok(())
    }

    /// Holds what a server has against the book, which goes on from there.
    ///
    /// # Errors
    /// What is not as it was acknowledged.
    pub(super) fn compare(&mut self, address: &str) -> Outcome<()> {
        let list = http::send(address, "GET", MAPS, &[], "")?.body;
        let version = |object: &serde_json::Value| {
            let version = object["metadata"]["resourceVersion"].as_str();
            version.and_then(|version| version.parse::<u64>().ok()).unwrap_or_default()
        };
        let items = list["items"].as_array().ok_or_else(|| format!("no list: {list}"))?;
        let found = items.iter().filter_map(|item| {
            let name = item["metadata"]["name"].as_str()?.to_owned();
            Some((name, (item["data"]["value"].as_str()?.to_owned(), version(item))))
        });
        self.judge(&found.collect(), version(&list))
    }

    fn judge(&mut self, found: &BTreeMap<String, (String, u64)>, revision: u64) -> Outcome<()> {
        if revision < self.revision {
            return Err(format!("{} was told, and the server is at {revision}", self.revision));
        }
        for (name, (acknowledged, asked)) in &mut self.objects {
            let state = found.get(name).cloned();
            let happened = asked.take().is_some_and(|asked| {
                asked.map(|(value, _)| value) == state.as_ref().map(|(value, _)| value.clone())
            });
            if !happened && state != *acknowledged {
                let has = format!("the server has {state:?}");
                return Err(format!("{name}: {acknowledged:?} was acknowledged, {has}"));
            }
            self.had_happened += u64::from(happened && state != *acknowledged);
            *acknowledged = state;
        }
        if let Some(stranger) = found.keys().find(|name| !self.objects.contains_key(*name)) {
            return Err(format!("{stranger}: nobody asked for it"));
        }
        self.revision = revision;
        Ok(())
    }
}
