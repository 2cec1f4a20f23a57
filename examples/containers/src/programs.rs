//! The programs, each as its namesake elsewhere, as far as a test needs it.

use crate::archive;
use crate::files::{Files, Problem};

/// What a program said, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// On standard output.
    pub out: Vec<u8>,
    /// On standard error.
    pub err: String,
    /// Its exit code.
    pub code: i32,
}

impl Said {
    fn printed(out: impl Into<Vec<u8>>) -> Self {
        Self { out: out.into(), ..Self::default() }
    }

    pub(crate) fn failed(code: i32, err: impl Into<String>) -> Self {
        Self { out: Vec::new(), err: err.into(), code }
    }
}

/// Whether a program reads its input.
pub(crate) fn reads(words: &[&str]) -> bool {
    matches!(words, ["tar", arguments @ ..] if archive::reads(arguments))
}

/// Runs a program, unless there is none of this name.
///
/// ```
/// use containers::{Files, answer};
///
/// let mut files = Files::of_container("web-0");
/// let said = answer(&["cat", "/etc/hostname"], b"", &mut files).expect("a program");
/// assert_eq!(said.out, b"web-0\n");
/// ```
#[must_use]
pub fn answer(words: &[&str], input: &[u8], files: &mut Files) -> Option<Said> {
    let (program, arguments) = words.split_first()?;
    Some(match *program {
        "cat" => gathered(arguments, 1, "cat", |path| files.read(path).map(<[u8]>::to_vec)),
        "echo" => Said::printed(arguments.join(" ") + "\n"),
        "env" => Said::printed(environment(files)),
        "false" => Said::failed(1, ""),
        "ls" => listed(arguments, files),
        "mkdir" => gathered(&paths(arguments), 1, "mkdir", |path| {
            files.make_folder(path).map(|()| Vec::new())
        }),
        "rm" => {
            gathered(&paths(arguments), 1, "rm", |path| files.remove(path).map(|()| Vec::new()))
        }
        "tar" => archive::run(arguments, input, files),
        "test" => tested(arguments, files),
        "true" => Said::default(),
        _ => return None,
    })
}

/// What is no flag: folders are made with those above them, and removed with all that is in them anyway.
fn paths<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().copied().filter(|word| !word.starts_with('-')).collect()
}

/// Does the same with each path: what fails is told, and the others are done all the same.
fn gathered(
    paths: &[&str],
    code: i32,
    program: &str,
    mut act: impl FnMut(&str) -> Result<Vec<u8>, Problem>,
) -> Said {
    let mut said = Said::default();
    for path in paths {
        match act(path) {
            Ok(out) => said.out.extend(out),
            Err(problem) => {
                said.code = code;
                said.err += &format!("{program}: {path}: {}\n", problem.words());
            }
        }
    }
    said
}

fn environment(files: &Files) -> String {
    let hostname = String::from_utf8_lossy(files.read("/etc/hostname").unwrap_or_default());
    format!("HOME=/root\nHOSTNAME={}\nPATH=/bin\n", hostname.trim_end())
}

fn listed(arguments: &[&str], files: &Files) -> Said {
    let asked = if arguments.is_empty() { &["/"][..] } else { arguments };
    gathered(asked, 2, "ls", |path| {
        files
            .list(path)
            .map(|names| names.iter().flat_map(|name| (name.clone() + "\n").into_bytes()).collect())
    })
}

fn tested(arguments: &[&str], files: &Files) -> Said {
    let holds = match *arguments {
        ["-d", path] => files.is_folder(path),
        ["-f", path] => files.read(path).is_ok(),
        ["-e", path] => files.is_folder(path) || files.read(path).is_ok(),
        _ => return Said::failed(2, "test: it takes -d, -e or -f, and a path\n"),
    };
    Said { code: i32::from(!holds), ..Said::default() }
}

#[cfg(test)]
mod tests;
