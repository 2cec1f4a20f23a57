//! Whether the types of an expression fit, before it runs (cel-go, `checker`).
//!
//! ```
//! use watchkeeper_schema::expression::{Environment, With};
//!
//! let mut environment = Environment::admission().variables(true);
//! let count = environment.check("size(object.spec.parts)", With::default())?;
//! assert_eq!(count.type_name(), "int");
//! environment.declare("count", Some(&count));
//! let told = environment.check("variables.count == 'a'", With::default()).expect_err("no text");
//! let expected = "ERROR: <input>:1:17: found no matching overload for '_==_' applied to '(int, string)'\
//!                 \n | variables.count == 'a'\n | ................^";
//! assert_eq!(told, expected);
//! # Ok::<(), String>(())
//! ```

mod checker;
mod environment;
mod formats;
mod functions;
mod libraries;
mod literals;
mod macros;
mod objects;
mod syntax;
mod told;
mod types;
mod unify;

#[cfg(test)]
mod tests;

use std::thread::{Builder, ScopedJoinHandle, scope};

use kube_cel::cel::IdedExpr;

pub use environment::{Checked, Environment, With};
pub(crate) use syntax::parts;

use crate::interpreter::parse;
use crate::rules::most_of_selector;
use checker::Checker;
use told::Told;

/// How many steps finding the types takes at most: so many, and so many for each byte of the text. Only what was
/// made up to take long takes more.
const STEPS: usize = 5_000;
const STEPS_PER_BYTE: usize = 300;
/// Room for what follows the expression, and on each of its marks for the parser, which may be asked for places,
/// in bytes. Only what is used of it is ever given by the system.
const STACK: usize = 16 << 20;
const STACK_PER_MARK: usize = 32 << 10;
/// Up to here any stack will do, in bytes of text.
const SHORT: usize = 48;

const TOO_LONG: &str = "ERROR: <input>:-1:0: the types of the expression take too long to find";
const NO_STACK: &str = "ERROR: <input>:-1:0: the expression cannot be checked";

impl Environment {
    /// Reads an expression and finds what it gives.
    ///
    /// # Errors
    ///
    /// What cannot be read, or does not fit, in the words of upstream and with the lines of the text.
    pub fn check(&self, text: &str, with: With) -> Result<Checked, String> {
        let expression = parse::parse(text)?;
        on_a_stack(text, || self.checked(text, &expression, with))
    }

    fn checked(&self, text: &str, expression: &IdedExpr, with: With) -> Result<Checked, String> {
        let mut told = Told::default();
        syntax::look(expression, self, &mut told);
        if !told.is_empty() {
            return Err(told.shown(text));
        }
        let steps = STEPS.saturating_add(text.len().saturating_mul(STEPS_PER_BYTE));
        let mut checker = Checker::new(self, with, steps);
        let found = checker.ty(expression);
        let found = checker.bindings.settled(&found);
        if checker.told.is_empty() {
            literals::look(&mut checker, expression);
        }
        if checker.bindings.is_spent() {
            return Err(TOO_LONG.to_owned());
        }
        if !checker.told.is_empty() {
            return Err(checker.told.shown(text));
        }
        let most = self.is_of_devices().then(|| most_of_selector(expression));
        Ok(Checked { gives: found, most })
    }
}

/// Does something with a text for which any stack may be too small.
fn on_a_stack(
    text: &str,
    work: impl FnOnce() -> Result<Checked, String> + Send,
) -> Result<Checked, String> {
    if text.len() <= SHORT {
        return work();
    }
    let marks = text.bytes().filter(u8::is_ascii_punctuation).count() + text.matches("in").count();
    scope(|threads| {
        let size = STACK + marks * STACK_PER_MARK;
        let thread = Builder::new().name("cel".to_owned()).stack_size(size);
        let thread = thread.spawn_scoped(threads, work);
        match thread.map(ScopedJoinHandle::join) {
            Ok(Ok(done)) => done,
            _ => Err(NO_STACK.to_owned()),
        }
    })
}
