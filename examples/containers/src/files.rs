//! A file system in memory, as small as the programs need it.

use std::collections::BTreeMap;

/// Files and folders by their paths from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, Entry>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Folder,
    File(Vec<u8>),
}

/// Why something cannot be had, as programs tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Nothing has this name.
    Missing,
    /// It is a folder, where a file is wanted.
    Folder,
    /// It is a file, where a folder is wanted.
    File,
}

impl Problem {
    /// The words of the C library.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Missing => "No such file or directory",
            Self::Folder => "Is a directory",
            Self::File => "Not a directory",
        }
    }
}

impl Files {
    /// What a container of a pod begins with.
    #[must_use]
    pub fn of_container(pod: &str) -> Self {
        let mut files = Self::default();
        files.put("/etc/hostname", Entry::File(format!("{pod}\n").into_bytes()));
        files.put("/tmp", Entry::Folder);
        files
    }

    /// What is in a file.
    ///
    /// # Errors
    ///
    /// There is none of this name.
    pub fn read(&self, path: &str) -> Result<&[u8], Problem> {
        match self.entry(&whole(path)) {
            Some(Entry::File(bytes)) => Ok(bytes),
            Some(Entry::Folder) => Err(Problem::Folder),
            None => Err(Problem::Missing),
        }
    }

    /// Whether it is a folder.
    #[must_use]
    pub fn is_folder(&self, path: &str) -> bool {
        matches!(self.entry(&whole(path)), Some(Entry::Folder))
    }

    /// Writes a file, with the folders that it is in.
    ///
    /// # Errors
    ///
    /// It is a folder, or it would be within a file.
    pub fn write(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), Problem> {
        if self.is_folder(path) {
            return Err(Problem::Folder);
        }
        self.free(path)?;
        self.put(path, Entry::File(bytes.into()));
        Ok(())
    }

    /// Makes a folder, with those that it is in; what is there already stays.
    ///
    /// # Errors
    ///
    /// It is a file, or it would be within one.
    pub fn make_folder(&mut self, path: &str) -> Result<(), Problem> {
        if self.read(path).is_ok() {
            return Err(Problem::File);
        }
        self.free(path)?;
        self.put(path, Entry::Folder);
        Ok(())
    }

    /// Removes a file, or a folder with all that is in it.
    ///
    /// # Errors
    ///
    /// There is nothing of this name.
    pub fn remove(&mut self, path: &str) -> Result<(), Problem> {
        let path = whole(path);
        self.entry(&path).ok_or(Problem::Missing)?;
        self.0.retain(|at, _| *at != path && !is_below(at, &path));
        Ok(())
    }

    /// The paths of what is in a folder, with the folders within; of a file its own.
    ///
    /// # Errors
    ///
    /// There is nothing of this name.
    pub fn all_below(&self, path: &str) -> Result<Vec<String>, Problem> {
        let path = whole(path);
        self.entry(&path).ok_or(Problem::Missing)?;
        let below = self.0.keys().filter(|at| **at == path || is_below(at, &path));
        Ok(below.cloned().collect())
    }

    /// The names of what is in a folder, or of a file that is asked for itself.
    ///
    /// # Errors
    ///
    /// There is nothing of this name.
    pub fn list(&self, path: &str) -> Result<Vec<String>, Problem> {
        if !self.is_folder(path) {
            return self.all_below(path).map(|_| vec![path.to_owned()]);
        }
        let folder = whole(path);
        let name = |at: &String| {
            let name = at.strip_prefix(&*folder)?.trim_start_matches('/').to_owned();
            (!name.is_empty() && !name.contains('/')).then_some(name)
        };
        Ok(self.all_below(path)?.iter().filter_map(name).collect())
    }

    fn entry(&self, path: &str) -> Option<&Entry> {
        if path == "/" { Some(&Entry::Folder) } else { self.0.get(path) }
    }

    /// Nothing that it would be in is a file.
    fn free(&self, path: &str) -> Result<(), Problem> {
        let is_file = |folder: String| matches!(self.entry(&folder), Some(Entry::File(_)));
        if folders_of(&whole(path)).any(is_file) { Err(Problem::File) } else { Ok(()) }
    }

    fn put(&mut self, path: &str, entry: Entry) {
        let path = whole(path);
        for folder in folders_of(&path) {
            self.0.entry(folder).or_insert(Entry::Folder);
        }
        if path != "/" {
            self.0.insert(path, entry);
        }
    }
}

/// A path from the root, in which nothing leads up: what would lead above the root stays below it.
#[must_use]
pub(crate) fn whole(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn is_below(path: &str, folder: &str) -> bool {
    folder == "/" || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// `/a` and `/a/b` of `/a/b/c`.
fn folders_of(path: &str) -> impl Iterator<Item = String> {
    path.match_indices('/').skip(1).map(|(end, _)| path[..end].to_owned())
}

#[cfg(test)]
mod tests;
