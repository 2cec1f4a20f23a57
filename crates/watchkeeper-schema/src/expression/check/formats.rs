//! Texts that values are put into, where both are written out (cel-go, `ext/formatting.go`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{EntryExpr, Expr};

use super::checker::Checker;
use super::types::{Form, Type};

/// What is wrong with a format, and with which part if that is known.
struct Wrong {
    part: Option<u64>,
    what: String,
}

impl Wrong {
    fn whole(what: impl Into<String>) -> Self {
        Self { part: None, what: what.into() }
    }
}

/// Looks at a format and at what is put into it.
pub(super) fn look(checker: &mut Checker<'_>, call: u64, format: &str, values: &[IdedExpr]) {
    let told = match filled(checker, format, values) {
        Err(wrong) => Some((wrong.part.unwrap_or(call), wrong.what)),
        Ok(count) if values.len() > count => {
            let given = values.len();
            let what = format!(
                "too many arguments supplied to string.format (expected {count}, got {given})"
            );
            Some((call, what))
        }
        Ok(_) => None,
    };
    if let Some((part, what)) = told {
        checker.told.tell(part, what);
    }
}

/// How many values a format takes.
fn filled(checker: &mut Checker<'_>, format: &str, values: &[IdedExpr]) -> Result<usize, Wrong> {
    let (mut rest, mut count) = (format.as_bytes(), 0);
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(b"%") {
            rest = after;
            continue;
        }
        if rest.is_empty() {
            return Err(Wrong::whole("unexpected end of string"));
        }
        let Some(value) = values.get(count) else {
            return Err(Wrong::whole(format!("index {count} out of range")));
        };
        count += 1;
        let (clause, after) = clause(rest)
            .map_err(|why| Wrong::whole(format!("could not parse formatting clause: {why}")))?;
        rest = after;
        takes(checker, clause, value)?;
    }
    Ok(count)
}

/// The letter of a clause, and what comes behind it.
fn clause(rest: &[u8]) -> Result<(u8, &[u8]), String> {
    let rest = match rest.strip_prefix(b".") {
        Some(precise) => precision(precise)?,
        None => rest,
    };
    let Some((letter, after)) = rest.split_first() else {
        return Err("unexpected end of string".to_owned());
    };
    match letter {
        b's' | b'd' | b'f' | b'e' | b'b' | b'x' | b'X' | b'o' => Ok((*letter, after)),
        other => Err(format!("unrecognized formatting clause \"{}\"", char::from(*other))),
    }
}

/// What comes behind a precision.
fn precision(rest: &[u8]) -> Result<&[u8], String> {
    let told = |why: &str| Err(format!("error while parsing precision: {why}"));
    let Some(end) = rest.iter().position(|byte| !byte.is_ascii_digit()) else {
        return told("could not find end of precision specifier");
    };
    let (digits, after) = rest.split_at(end);
    let digits = String::from_utf8_lossy(digits);
    let why = match digits.parse::<i64>() {
        Ok(_) => return Ok(after),
        Err(_) if digits.is_empty() => "invalid syntax",
        Err(_) => "value out of range",
    };
    let head = "error while converting precision to integer: strconv.Atoi: parsing";
    told(&format!("{head} \"{digits}\": {why}"))
}

/// Whether a clause takes values of a type.
fn takes(checker: &mut Checker<'_>, clause: u8, value: &IdedExpr) -> Result<(), Wrong> {
    let of = checker.found(value.id);
    let number = matches!(of, Type::Int | Type::Uint | Type::Dyn);
    let (fits, what) = match clause {
        b's' => return written(checker, value),
        b'd' => (number, "decimal clause can only be used on integers"),
        b'o' => (number, "octal clause can only be used on integers"),
        b'b' => (number || of == Type::Bool, "only integers and bools can be formatted as binary"),
        b'x' | b'X' => (
            number || matches!(of, Type::String | Type::Bytes),
            "only integers, byte buffers, and strings can be formatted as hex",
        ),
        b'f' => (is_double(&of), "fixed-point clause can only be used on doubles"),
        _ => (is_double(&of), "scientific clause can only be used on doubles"),
    };
    if fits { Ok(()) } else { Err(unfit(value.id, what, &of)) }
}

/// Infinity and what is no number are written as texts.
fn is_double(of: &Type) -> bool {
    matches!(of, Type::Double | Type::String | Type::Dyn)
}

fn unfit(part: u64, what: &str, of: &Type) -> Wrong {
    let what = format!("error during formatting: {what}, was given {}", of.plain());
    Wrong { part: Some(part), what }
}

/// Whether a value can be written out, and all that is in it.
fn written(checker: &mut Checker<'_>, value: &IdedExpr) -> Result<(), Wrong> {
    const WHAT: &str = "string clause can only be used on strings, bools, bytes, ints, doubles, \
                        maps, lists, types, durations, and timestamps";
    let of = checker.found(value.id);
    let is_plain = match &of {
        Type::Of(of) => of.form != Form::Optional,
        Type::Any | Type::Object(_) | Type::Opaque(_) | Type::Error | Type::Unspecified => false,
        _ => true,
    };
    if !is_plain {
        return Err(unfit(value.id, WHAT, &of));
    }
    match &value.expr {
        Expr::List(list) => list.elements.iter().try_for_each(|item| written(checker, item)),
        Expr::Map(map) => map.entries.iter().try_for_each(|entry| match &entry.expr {
            EntryExpr::MapEntry(entry) => {
                written(checker, &entry.key)?;
                written(checker, &entry.value)
            }
            EntryExpr::StructField(field) => written(checker, &field.value),
        }),
        _ => Ok(()),
    }
}
