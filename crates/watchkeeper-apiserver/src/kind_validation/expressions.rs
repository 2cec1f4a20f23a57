//! Expressions of admission and of devices: that they can be read, that what they name is declared and their types
//! fit, and that they give what is asked for (`apiserver/pkg/admission/plugin/cel`,
//! `dynamic-resource-allocation/cel`).

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::expression::{Checked, Environment, With};

use super::{Check, Place, names};

/// How many conditions there are, at most.
const MOST_CONDITIONS: u64 = 64;
/// How long the expression of a selector of devices is, at most, in bytes.
const LONGEST_SELECTOR: usize = 10 * 1024;
/// What such an expression may cost, at most.
const COSTLIEST_SELECTOR: u64 = 1_000_000;

/// What most expressions of admission may do: ask who may do what.
pub(super) const ASKING: With = With { authorizer: true, patches: false };

/// An expression, and what may be done in it.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) text: &'a str,
    pub(super) environment: &'a Environment,
    pub(super) with: With,
    /// The types that it may give; none where it may give any.
    pub(super) wanted: &'a [&'a str],
}

/// What is wrong with an expression, told with the text that is shown (`CompileCELExpression`). What it gives if it
/// is right. Those of a spec that an update leaves as it is are not compiled again.
pub(super) fn compiles(
    check: &mut Check<'_>,
    place: &Place<'_>,
    shown: &str,
    asked: &Asked<'_>,
) -> Option<Checked> {
    if check.is_full() || check.keeps_spec() {
        return None;
    }
    let found = match compiled(asked.text, asked.environment, asked.with) {
        Ok(found) => found,
        Err(why) => {
            check.push(FieldError::invalid(&*place.path, shown, why));
            return None;
        }
    };
    let given = found.type_name();
    if asked.wanted.is_empty() || asked.wanted.contains(&given.as_str()) {
        return Some(found);
    }
    let detail = match asked.wanted {
        [wanted] => format!("must evaluate to {wanted} but got {given}"),
        several => format!("must evaluate to one of [{}] but got {given}", several.join(" ")),
    };
    check.push(FieldError::invalid(&*place.path, shown, detail));
    None
}

/// What an expression gives; why it cannot be compiled.
fn compiled(text: &str, environment: &Environment, with: With) -> Result<Checked, String> {
    // Of nothing the end stands before the first column.
    let placed = |why: &str| match text.is_empty() {
        true => why.replacen("<input>:1:1:", "<input>:1:0:", 1),
        false => why.to_owned(),
    };
    let checked = environment.check(text, with);
    checked.map_err(|why| format!("compilation failed: {}", placed(why.trim_end())))
}

/// What has to be so before a policy is asked (`validateMatchConditions`).
pub(super) fn conditions(check: &mut Check<'_>, list: &Place<'_>, environment: &Environment) {
    let all = list.items();
    let count = all.len() as u64;
    if count > MOST_CONDITIONS {
        check.push(FieldError::too_many(&*list.path, count, MOST_CONDITIONS));
    }
    let mut seen = BTreeSet::new();
    for condition in &all {
        let (expression, name) = (condition.member("expression"), condition.member("name"));
        let text = expression.text().trim();
        if text.is_empty() {
            check.push(FieldError::required(&*expression.path, ""));
        } else {
            let asked = Asked { text, environment, with: ASKING, wanted: &["bool"] };
            compiles(check, &expression, text, &asked);
        }
        check.name(&name, "", names::qualified);
        if !name.is_empty() && !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
}

/// Which devices are meant (`validateCELSelector` in `pkg/apis/resource/validation`).
pub(super) fn of_devices(check: &mut Check<'_>, place: &Place<'_>) {
    let text = place.text();
    if text.len() > LONGEST_SELECTOR {
        return check.push(FieldError::too_long(&*place.path, LONGEST_SELECTOR as u64));
    }
    if check.is_full() || check.keeps_spec() {
        return;
    }
    let error = match compiled(text, &Environment::devices(), With::default()) {
        Ok(found) => {
            let given = found.type_name();
            // The value of an attribute may be a truth value, and only shows what it is when it is looked at.
            if !matches!(given.as_str(), "bool" | "google.protobuf.Any") {
                let detail = format!("must evaluate to bool or the unknown type, not {given}");
                FieldError::invalid(&*place.path, text, detail)
            } else if found.most().is_some_and(|most| most > COSTLIEST_SELECTOR) {
                FieldError::forbidden(&*place.path, "too complex, exceeds cost limit")
            } else {
                return;
            }
        }
        Err(why) => FieldError::invalid(&*place.path, text, why),
    };
    check.push(error);
}
