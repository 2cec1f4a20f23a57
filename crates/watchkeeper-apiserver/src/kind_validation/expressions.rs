//! Expressions of admission and of devices: that they can be read, name what is declared, and give
//! what is asked for. Types show here only of values that are written out; all else shows when they
//! run (`apiserver/pkg/admission/plugin/cel`, `dynamic-resource-allocation/cel`).

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::expression::Expression;

use super::{Check, Place, names};

/// How many conditions there are, at most.
const MOST_CONDITIONS: u64 = 64;
/// How long the expression of a selector of devices is, at most, in bytes.
const LONGEST_SELECTOR: usize = 10 * 1024;

/// What expressions of admission may always name.
pub(super) const OF_ADMISSION: [&str; 4] = ["object", "oldObject", "namespaceObject", "request"];
/// What most of them may name besides.
pub(super) const AUTHORIZER: &str = "authorizer";

/// An expression, what it may name, and the types that it may give; none where it may give any.
pub(super) struct Asked<'a> {
    pub(super) text: &'a str,
    pub(super) declared: &'a [&'a str],
    pub(super) wanted: &'a [&'a str],
}

/// What is wrong with an expression, told with the text that is shown (`CompileCELExpression`).
pub(super) fn compiles(check: &mut Check<'_>, place: &Place<'_>, shown: &str, asked: &Asked<'_>) {
    let given = match type_of(asked.text, asked.declared) {
        Ok(given) => given.filter(|given| !asked.wanted.contains(given)),
        Err(why) => return check.push(FieldError::invalid(&*place.path, shown, why)),
    };
    let Some(given) = given else { return };
    let detail = match asked.wanted {
        [] => return,
        [wanted] => format!("must evaluate to {wanted} but got {given}"),
        several => format!("must evaluate to one of [{}] but got {given}", several.join(" ")),
    };
    check.push(FieldError::invalid(&*place.path, shown, detail));
}

/// What an expression gives, as far as that shows; why it cannot be compiled.
fn type_of(text: &str, declared: &[&str]) -> Result<Option<&'static str>, String> {
    let told = |why: &str| format!("compilation failed: {why}");
    // Of nothing the end stands before the first column.
    let placed = |why: &str| match text.is_empty() {
        true => why.replacen("<input>:1:1:", "<input>:1:0:", 1),
        false => why.to_owned(),
    };
    let expression = Expression::compile(text).map_err(|why| told(&placed(why.trim_end())))?;
    let undeclared = expression.undeclared(declared);
    match undeclared.is_empty() {
        true => Ok(expression.literal_type()),
        false => Err(told(&undeclared.join("\n"))),
    }
}

/// What has to be so before a policy is asked (`validateMatchConditions`).
pub(super) fn conditions(check: &mut Check<'_>, list: &Place<'_>, declared: &[&str]) {
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
            let asked = Asked { text, declared, wanted: &["bool"] };
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
    let detail = match type_of(text, &["device"]) {
        Ok(None | Some("bool")) => return,
        Ok(Some(given)) => format!("must evaluate to bool or the unknown type, not {given}"),
        Err(why) => why,
    };
    check.push(FieldError::invalid(&*place.path, text, detail));
}
