//! Classes of signs, and signs that are written as something else.

use super::{Outcome, mistake, until};

const RANGE: &str = "invalid character class range";

/// `[…]`: what follows.
pub(super) fn class(text: &str) -> Outcome<&str> {
    let mut rest = &text[1..];
    rest = rest.strip_prefix('^').unwrap_or(rest);
    let mut first = true;
    // The first sign stands for itself, also if it is the bracket.
    while first || !rest.starts_with(']') {
        first = false;
        if let Some(behind) = posix(rest)? {
            rest = behind;
        } else if let Some(behind) = set(rest)? {
            rest = behind;
        } else {
            rest = range(rest, text)?;
        }
    }
    Ok(&rest[1..])
}

/// A sign of a class, or two with a dash between: what follows.
fn range<'a>(text: &'a str, class: &str) -> Outcome<&'a str> {
    let (least, rest) = sign(text, class)?;
    let most = rest.strip_prefix('-').filter(|rest| !rest.is_empty() && !rest.starts_with(']'));
    let Some(most) = most else { return Ok(rest) };
    let (most, rest) = sign(most, class)?;
    if most < least {
        return Err(mistake(RANGE, until(text, rest)));
    }
    Ok(rest)
}

fn sign<'a>(text: &'a str, class: &str) -> Outcome<(u32, &'a str)> {
    match text.chars().next() {
        None => Err(mistake("missing closing ]", class)),
        Some('\\') => escaped(text),
        Some(sign) => Ok((sign.into(), &text[sign.len_utf8()..])),
    }
}

/// `[:alpha:]`, `[:^alpha:]`: what follows; `None` if it is none.
fn posix(text: &str) -> Outcome<Option<&str>> {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "word", "xdigit",
    ];
    let name = text.strip_prefix("[:").and_then(|rest| rest.split_once(":]"));
    let Some((name, behind)) = name else { return Ok(None) };
    if NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Ok(Some(behind));
    }
    Err(mistake(RANGE, until(text, behind)))
}

/// `\d`, `\pL`, `\p{Greek}`: what follows; `None` if it is none.
pub(super) fn set(text: &str) -> Outcome<Option<&str>> {
    let mut signs = text.chars();
    if signs.next() != Some('\\') {
        return Ok(None);
    }
    match signs.next() {
        Some('d' | 'D' | 's' | 'S' | 'w' | 'W') => Ok(Some(&text[2..])),
        Some('p' | 'P') => unicode(text).map(Some),
        _ => Ok(None),
    }
}

/// Of the names of sets only those of one letter are looked at: which others there are depends on the server's
/// version of Unicode.
fn unicode(text: &str) -> Outcome<&str> {
    let rest = &text[2..];
    let Some(letter) = rest.chars().next() else { return Err(mistake(RANGE, text)) };
    let (name, behind) = match rest.strip_prefix('{') {
        None => rest.split_at(letter.len_utf8()),
        Some(inner) => inner.split_once('}').ok_or_else(|| mistake(RANGE, text))?,
    };
    let name = name.strip_prefix('^').unwrap_or(name);
    let is_known = match name.len() {
        0 => false,
        1 => "CLMNPSZ".contains(&name.to_ascii_uppercase()),
        _ => name.is_ascii(),
    };
    if is_known { Ok(behind) } else { Err(mistake(RANGE, until(text, behind))) }
}

/// A backslash and what it is about: the sign that is meant, and what follows.
pub(super) fn escaped(text: &str) -> Outcome<(u32, &str)> {
    let mut rest = &text[1..];
    let Some(sign) = next(&mut rest) else {
        return Err("trailing backslash at end of expression".to_owned());
    };
    let meant = match sign {
        '0'..='7' => octal(sign, &mut rest),
        'x' => hexadecimal(&mut rest),
        'a' => Some(7),
        't' => Some(9),
        'n' => Some(10),
        'v' => Some(11),
        'f' => Some(12),
        'r' => Some(13),
        _ => Some(sign.into()).filter(|_| sign.is_ascii() && !sign.is_ascii_alphanumeric()),
    };
    let wrong = || mistake("invalid escape sequence", until(text, rest));
    meant.map(|meant| (meant, rest)).ok_or_else(wrong)
}

fn next(rest: &mut &str) -> Option<char> {
    let sign = rest.chars().next()?;
    *rest = &rest[sign.len_utf8()..];
    Some(sign)
}

/// Three digits at most. A single one that is not zero would be a group again, which there is not.
fn octal(first: char, rest: &mut &str) -> Option<u32> {
    let digit = |sign: char| sign.to_digit(8);
    if first != '0' && !rest.starts_with(|sign| digit(sign).is_some()) {
        return None;
    }
    let mut meant = digit(first)?;
    for _ in 0..2 {
        let Some(more) = rest.chars().next().and_then(digit) else { break };
        meant = meant * 8 + more;
        next(rest);
    }
    Some(meant)
}

/// Two digits, or any number of them in braces.
fn hexadecimal(rest: &mut &str) -> Option<u32> {
    let first = next(rest)?;
    if first != '{' {
        let second = next(rest);
        return Some(first.to_digit(16)? * 16 + second?.to_digit(16)?);
    }
    let mut meant = None;
    loop {
        match next(rest)? {
            '}' => return meant,
            sign => {
                let more = meant.unwrap_or(0) * 16 + sign.to_digit(16)?;
                meant = Some(more).filter(|meant| *meant <= char::MAX.into());
                meant?;
            }
        }
    }
}
