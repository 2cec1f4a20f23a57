//! `tar`, as `kubectl cp` calls it at the other end: it packs to standard output and unpacks from standard input.

use std::io::{self, Read as _};

use tar::{Archive, Builder, EntryType, Header};

use crate::files::{Files, whole};
use crate::programs::Said;

/// What is asked of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked<'a> {
    packs: bool,
    unpacks: bool,
    archive: Option<&'a str>,
    folder: &'a str,
    paths: Vec<&'a str>,
}

/// Whether it reads its input.
pub(crate) fn reads(arguments: &[&str]) -> bool {
    asked(arguments).is_ok_and(|asked| asked.unpacks)
}

/// Packs or unpacks.
pub(crate) fn run(arguments: &[&str], input: &[u8], files: &mut Files) -> Said {
    let told = asked(arguments).and_then(|asked| match asked {
        Asked { packs: true, unpacks: false, archive: Some("-"), .. } => packed(&asked, files),
        Asked { packs: false, unpacks: true, archive: Some("-"), .. } => {
            unpacked(&asked, input, files)
        }
        _ => Err("it takes either c or x, and f with -".to_owned()),
    });
    told.unwrap_or_else(|problem| Said::failed(2, format!("tar: {problem}\n")))
}

/// Reads the flags, of which the first word needs no hyphen.
fn asked<'a>(arguments: &[&'a str]) -> Result<Asked<'a>, String> {
    let mut asked = Asked { folder: "/", ..Asked::default() };
    let mut rest = arguments.iter().enumerate();
    while let Some((at, word)) = rest.next() {
        // Who owns what is not kept here.
        if word.starts_with("--no-same-") {
            continue;
        }
        let Some(flags) = word.strip_prefix('-').or((at == 0).then_some(*word)) else {
            asked.paths.push(word);
            continue;
        };
        for flag in flags.chars() {
            let mut next =
                || rest.next().map(|(_, word)| *word).ok_or(format!("{flag} wants a word"));
            match flag {
                'c' => asked.packs = true,
                'x' => asked.unpacks = true,
                'f' => asked.archive = Some(next()?),
                'C' => asked.folder = next()?,
                // Times and modes are not kept here either.
                'm' | 'p' => {}
                other => return Err(format!("invalid option -- '{other}'")),
            }
        }
    }
    Ok(asked)
}

fn packed(asked: &Asked<'_>, files: &Files) -> Result<Said, String> {
    let (mut archive, mut said) = (Builder::new(Vec::new()), Said::default());
    for path in &asked.paths {
        let path = if path.starts_with('/') {
            "tar: Removing leading `/' from member names\n".clone_into(&mut said.err);
            (*path).to_owned()
        } else {
            format!("{}/{path}", asked.folder)
        };
        let below = files
            .all_below(&path)
            .map_err(|problem| format!("{path}: Cannot stat: {}", problem.words()))?;
        for at in below {
            append(&mut archive, &at, files).map_err(|error| format!("{at}: {error}"))?;
        }
    }
    said.out = archive.into_inner().map_err(|error| error.to_string())?;
    Ok(said)
}

fn append(archive: &mut Builder<Vec<u8>>, path: &str, files: &Files) -> io::Result<()> {
    let mut header = Header::new_gnu();
    let (kind, mode, bytes) = match files.read(path) {
        Ok(bytes) => (EntryType::Regular, 0o644, bytes),
        Err(_) => (EntryType::Directory, 0o755, &[][..]),
    };
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(bytes.len() as u64);
    archive.append_data(&mut header, path.trim_start_matches('/'), bytes)
}

fn unpacked(asked: &Asked<'_>, input: &[u8], files: &mut Files) -> Result<Said, String> {
    if !files.is_folder(asked.folder) {
        return Err(format!("{}: Cannot open: No such file or directory", asked.folder));
    }
    let (mut archive, mut said) = (Archive::new(input), Said::default());
    for entry in archive.entries().map_err(|error| error.to_string())? {
        let mut entry = entry.map_err(|error| error.to_string())?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        // Below the folder, wherever the name leads.
        let path = format!("{}{}", asked.folder, whole(&name));
        let written = match entry.header().entry_type() {
            EntryType::Directory => files.make_folder(&path),
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes).map_err(|error| format!("{name}: {error}"))?;
                files.write(&path, bytes)
            }
            _ => {
                said.err += &format!("tar: {name}: neither a file nor a folder, left out\n");
                continue;
            }
        };
        written.map_err(|problem| format!("{name}: Cannot open: {}", problem.words()))?;
    }
    Ok(said)
}

#[cfg(test)]
mod tests;
