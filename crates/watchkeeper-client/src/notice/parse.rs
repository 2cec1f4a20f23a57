//! `Warning` headers: `299 - "text" "date"`, several of them with commas (RFC 7234 5.5; upstream:
//! `net.ParseWarningHeaders`).

use super::Warning;

/// The warnings of one line, up to the first that is none.
pub(super) fn warnings_in(line: &[u8]) -> Vec<Warning> {
    let text = String::from_utf8_lossy(line);
    let mut rest = text.trim();
    let mut warnings = Vec::new();
    while let Some((warning, after)) = warning(rest) {
        warnings.push(warning);
        match after.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    warnings
}

/// The first warning, and what comes after it.
fn warning(text: &str) -> Option<(Warning, &str)> {
    let (code, text) = text.split_once(' ')?;
    let (agent, text) = text.trim_start().split_once(' ')?;
    let code = Some(code).filter(|code| code.len() == 3)?.parse().ok()?;
    let (text, rest) = quoted(text.trim_start())?;
    let rest = rest.trim_start();
    // The date, which nobody looks at.
    let rest = if rest.starts_with('"') { quoted(rest)?.1.trim_start() } else { rest };
    Some((Warning { code, agent: agent.to_owned(), text }, rest))
}

/// A quoted string without its quotes and backslashes, and what comes after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.char_indices();
    let mut out = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            // One byte for the quote that was stripped, one for this.
            '"' => return Some((out, text.get(at + 2..)?)),
            '\\' => out.push(chars.next()?.1),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    None
}
