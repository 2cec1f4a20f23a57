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

use kube_cel::cel::IdedExpr;

pub use environment::{Checked, Environment, With};

use crate::interpreter::parse;
use crate::rules::most_of_selector;
use checker::Checker;
use told::Told;

/// How many steps finding the types takes at most: so many, and so many for each byte of the text. Only what was
/// made up to take long takes more.
const STEPS: usize = 5_000;
const STEPS_PER_BYTE: usize = 300;
/// Room for what follows the calls that a selector of devices stands for, and for the parser where it is asked for
/// places, in bytes. Only what is used of it is ever given by the system.
const STACK: usize = 16 << 20;

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
        self.checked(text, &expression, with)
    }

    /// What is read is nested so little that its types are found on any stack.
    fn checked(&self, text: &str, expression: &IdedExpr, with: With) -> Result<Checked, String> {
        let mut told = Told::default();
        syntax::look(expression, self, &mut told);
        if !told.is_empty() {
            return Err(shown(told, text));
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
            return Err(shown(checker.told, text));
        }
        let most = if self.is_of_devices() { Some(most(text, expression)?) } else { None };
        Ok(Checked { gives: found, most })
    }
}

/// What is wrong, with the lines of the text. To find the places the text is read once more.
fn shown(told: Told, text: &str) -> String {
    let shown = parse::on_a_stack(text, STACK, move || told.shown(text));
    shown.unwrap_or_else(|| NO_STACK.to_owned())
}

/// What a selector of devices costs at most. Some calls stand for several of each other, so that what is followed is
/// nested deeper than what was read.
fn most(text: &str, expression: &IdedExpr) -> Result<u64, String> {
    let most = parse::on_a_stack(text, STACK, || most_of_selector(expression));
    most.ok_or_else(|| NO_STACK.to_owned())
}
