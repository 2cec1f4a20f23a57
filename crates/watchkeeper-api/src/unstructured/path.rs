//! JSON pointers (RFC 6901) into texts: found by walking, edited by cutting and pasting.
//!
//! Texts are compact here: no space between tokens.

use std::borrow::Cow;

use crate::json::{ReadError, Reader, Writer};

/// The text of the value at `pointer` in a valid JSON text.
pub(super) fn find<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
    let mut found = text;
    for step in steps(pointer)? {
        let (start, end) = child(found, &step)?;
        found = &found[start..end];
    }
    Some(found)
}

/// The steps of a pointer; `None` when it does not start with a slash. The empty one has none.
pub(super) fn steps(pointer: &str) -> Option<impl DoubleEndedIterator<Item = Cow<'_, str>>> {
    let rest = match pointer {
        "" => None,
        pointer => Some(pointer.strip_prefix('/')?),
    };
    Some(rest.into_iter().flat_map(|rest| rest.split('/')).map(unescape))
}

fn unescape(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        Cow::Owned(step.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(step)
    }
}

/// Where the value behind one step starts and ends. Of members that come twice, the last.
fn child(text: &str, step: &str) -> Option<(usize, usize)> {
    let mut found = None;
    let mut reader = Reader::new(text).ok()?;
    if text.starts_with('{') {
        let members = reader.members(&mut |r, name| {
            let start = r.offset();
            r.skip()?;
            if name == step {
                found = Some((start, r.offset()));
            }
            Ok(())
        });
        members.ok()?;
    } else if text.starts_with('[') {
        let wanted = index_of(step)?;
        let mut index = 0;
        let elements = reader.list(&mut |r| {
            let start = r.offset();
            r.skip()?;
            if index == wanted {
                found = Some((start, r.offset()));
            }
            index += 1;
            Ok(())
        });
        elements.ok()?;
    }
    found
}

/// A list index as RFC 6901 spells it: decimal digits without leading zeros.
pub(super) fn index_of(step: &str) -> Option<usize> {
    let leads_with_zero = step.len() > 1 && step.starts_with('0');
    let digits = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    if digits && !leads_with_zero { step.parse().ok() } else { None }
}

/// The text with another value at `pointer`.
///
/// # Errors
/// When there can be none.
pub(super) fn set(text: &str, pointer: &str, value: &str) -> Result<String, ReadError> {
    let wrong = |why: &str| ReadError::new(format!("cannot set {pointer:?}: {why}"), 0);
    let steps: Vec<_> =
        steps(pointer).ok_or_else(|| wrong("it does not start with `/`"))?.collect();
    if let None | Some("apiVersion" | "kind" | "metadata") = steps.first().map(|step| &**step) {
        return Err(wrong("apiVersion, kind and metadata are set apart"));
    }
    let mut out = String::with_capacity(text.len() + value.len() + pointer.len());
    put(&mut out, text, &steps, value).map_err(wrong)?;
    // What nests too deep could be written, and never read again.
    let mut reader = Reader::new(&out)?;
    reader.skip().map_err(|error| wrong(error.message()))?;
    Ok(out)
}

/// Writes `text` with another value behind `steps`.
fn put(
    out: &mut String,
    text: &str,
    steps: &[Cow<'_, str>],
    value: &str,
) -> Result<(), &'static str> {
    let Some((step, rest)) = steps.split_first() else {
        out.push_str(value);
        return Ok(());
    };
    if let Some((start, end)) = child(text, step) {
        out.push_str(&text[..start]);
        put(out, &text[start..end], rest, value)?;
        out.push_str(&text[end..]);
        return Ok(());
    }
    let before = match text.as_bytes().first() {
        Some(b'{') => &text[..text.len() - 1],
        Some(b'n') => "{",
        Some(b'[') => return Err("a list on the way has no such index"),
        _ => return Err("a value on the way is neither object nor list"),
    };
    out.push_str(before);
    if before.len() > 1 {
        out.push(',');
    }
    let mut name = Writer::new();
    name.text(step);
    out.push_str(&name.finish());
    out.push(':');
    put(out, "null", rest, value)?;
    out.push('}');
    Ok(())
}

/// The text without the value at `pointer`; `None` when there is no such value.
pub(super) fn remove(text: &str, pointer: &str) -> Option<String> {
    find(text, pointer)?;
    let (parent, last) = pointer.rsplit_once('/')?;
    let around = find(text, parent)?;
    // A part of the text, so the difference of the addresses is the place.
    let start = around.as_ptr() as usize - text.as_ptr() as usize;
    let kept = without(around, &unescape(last))?;
    Some(format!("{}{kept}{}", &text[..start], &text[start + around.len()..]))
}

/// An object without a member, or a list without an element.
fn without(text: &str, step: &str) -> Option<String> {
    let mut reader = Reader::new(text).ok()?;
    let mut out = Writer::new();
    if text.starts_with('{') {
        out.open();
        let members = reader.members(&mut |r, name| {
            let value = r.raw()?;
            if name != step {
                out.raw_field(name, value);
            }
            Ok(())
        });
        members.ok()?;
        out.close();
        return Some(out.finish());
    }
    let gone = index_of(step)?;
    let (mut index, mut kept) = (0, Vec::new());
    let elements = reader.list(&mut |r| {
        let value = r.raw()?;
        if index != gone {
            kept.push(value);
        }
        index += 1;
        Ok(())
    });
    elements.ok()?;
    Some(format!("[{}]", kept.join(",")))
}
