//! From text to an expression, within bounds.
//!
//! The parser calls itself for what is inside and for each link of a chain, so it is given a stack
//! for the longest text that is read at all; what it gives is nested so little that everything else
//! can walk it on any stack.

use std::panic::AssertUnwindSafe;
use std::thread::{Builder, ScopedJoinHandle, scope};

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{EntryExpr, Expr};
use kube_cel::cel::parser::Parser;

/// How many characters an expression has, at most (cel-go, `defaultExpressionSizeCodePointLimit`).
const LONGEST: usize = 100_000;
/// How many marks and `in` an expression has, at most: each of them may be a level of the parser.
const MOST_MARKS: usize = 10_000;
/// How many brackets stand in one another, and how many choices there are, at most: more than this the
/// parser does not follow.
const MOST_NESTED: usize = 64;
/// How deep an expression is nested, at most. Upstream follows 250 levels of the text; each of them is
/// one here, or none.
const DEEPEST: usize = 120;
/// Room for the parser on a text without marks, and on each mark, in bytes. Only what is used of it is
/// ever given by the system.
const STACK: usize = 8 << 20;
const STACK_PER_MARK: usize = 32 << 10;
/// Up to here any stack will do, in bytes of text.
const SHORT: usize = 48;

#[cfg(test)]
thread_local! {
    /// How many threads were started for their stacks from this one.
    pub(crate) static STACKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// What is said of an expression that is none, where the parser does not say it.
const UNREADABLE: &str = "ERROR: <input>:-1:0: the expression cannot be read";
/// What is said of one that is nested too deep.
const TOO_DEEP: &str = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";

/// Reads an expression.
///
/// # Errors
///
/// What cannot be read, and where; more than the bounds.
pub(crate) fn parse(text: &str) -> Result<IdedExpr, String> {
    let length = text.chars().count();
    if length > LONGEST {
        return Err(format!(
            "ERROR: <input>:-1:0: expression code point size exceeds limit: size: {length}, limit {LONGEST}"
        ));
    }
    if marks(text) > MOST_MARKS || nesting(text) > MOST_NESTED {
        return Err(TOO_DEEP.to_owned());
    }
    on_a_stack(text, STACK, || read(text)).unwrap_or_else(|| Err(UNREADABLE.to_owned()))
}

/// What may be a level of the parser, each.
fn marks(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_punctuation).count() + text.matches("in").count()
}

/// Does something with a text for which any stack may be too small, on one with so much room in bytes, and more for
/// each mark. None if that does not end as it should.
pub(crate) fn on_a_stack<T: Send>(
    text: &str,
    room: usize,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    if text.len() <= SHORT {
        return Some(work());
    }
    #[cfg(test)]
    STACKS.set(STACKS.get() + 1);
    let size = room + marks(text) * STACK_PER_MARK;
    scope(|threads| {
        let thread = Builder::new().name("cel".to_owned()).stack_size(size);
        let thread = thread.spawn_scoped(threads, work);
        thread.ok().map(ScopedJoinHandle::join)?.ok()
    })
}

/// How many brackets stand in one another, at most, or how many choices there are. What stands in
/// texts does not count; where it is not clear what does, the parser has the last word.
fn nesting(text: &str) -> usize {
    let (mut open, mut deepest, mut choices, mut quote) = (0_usize, 0, 0, None);
    for byte in text.bytes() {
        match (byte, quote) {
            (b'\'' | b'"', None) => quote = Some(byte),
            (byte, Some(by)) if byte == by => quote = None,
            (b'(' | b'[' | b'{', None) => {
                open += 1;
                deepest = deepest.max(open);
            }
            (b')' | b']' | b'}', None) => open = open.saturating_sub(1),
            (b'?', None) => choices += 1,
            _ => {}
        }
    }
    deepest.max(choices)
}

fn read(text: &str) -> Result<IdedExpr, String> {
    let read = || {
        let parser = Parser::new().enable_optional_syntax(true);
        // As cel-go indents what it quotes.
        parser.parse(text).map_err(|error| error.to_string().replace("\n| ", "\n | "))
    };
    // The parser is not ours, and the text is anybody's.
    let expression = std::panic::catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(UNREADABLE.to_owned()))?;
    if is_deeper(&expression, DEEPEST) {
        return Err(TOO_DEEP.to_owned());
    }
    Ok(expression)
}

/// Whether an expression is nested deeper than that. Walks without calling itself.
fn is_deeper(expression: &IdedExpr, limit: usize) -> bool {
    let mut rest = vec![(expression, 1)];
    while let Some((expression, level)) = rest.pop() {
        if level > limit {
            return true;
        }
        parts(expression, |part| rest.push((part, level + 1)));
    }
    false
}

/// What an expression consists of.
pub(crate) fn parts<'e>(expression: &'e IdedExpr, mut take: impl FnMut(&'e IdedExpr)) {
    let entries = match &expression.expr {
        Expr::Call(call) => {
            call.target.iter().for_each(|target| take(target));
            return call.args.iter().for_each(take);
        }
        Expr::Comprehension(of) => {
            let parts = [&of.iter_range, &of.accu_init, &of.loop_cond, &of.loop_step, &of.result];
            return parts.into_iter().for_each(take);
        }
        Expr::List(list) => return list.elements.iter().for_each(take),
        Expr::Select(select) => return take(&select.operand),
        Expr::Map(map) => &map.entries,
        Expr::Struct(of) => &of.entries,
        Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => return,
    };
    for entry in entries {
        match &entry.expr {
            EntryExpr::StructField(field) => take(&field.value),
            EntryExpr::MapEntry(entry) => {
                take(&entry.key);
                take(&entry.value);
            }
        }
    }
}
