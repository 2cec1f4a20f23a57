//! Who manages which fields of an object (`apimachinery/pkg/apis/meta/v1/validation`).

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::is_printable;

use super::{Check, Place};

/// The longest name of a field manager.
const LONGEST_MANAGER: u64 = 128;
/// The longest name of a subresource.
const LONGEST_SUBRESOURCE: u64 = 256;
/// Of how many characters of a manager is told, at most: it is shown with each of them.
const MOST_CHARACTERS: usize = 64;

/// What is wrong with `metadata.managedFields`. What the fields are is no matter here.
pub(super) fn check(check: &mut Check<'_>) {
    for entry in check.at("metadata.managedFields").items() {
        let operation = entry.member("operation");
        if !matches!(operation.text(), "Apply" | "Update") {
            let detail = "must be `Apply` or `Update`";
            check.push(FieldError::invalid(&*operation.path, operation.text(), detail));
        }
        let form = entry.member("fieldsType");
        if !matches!(form.text(), "" | "FieldsV1") {
            check.push(FieldError::invalid(&*form.path, form.text(), "must be `FieldsV1`"));
        }
        names(check, &entry);
    }
}

fn names(check: &mut Check<'_>, entry: &Place<'_>) {
    let manager = entry.member("manager");
    for error in field_manager(manager.text(), &manager.path) {
        check.push(error);
    }
    let subresource = entry.member("subresource");
    if subresource.text().len() as u64 > LONGEST_SUBRESOURCE {
        check.push(FieldError::too_long(&*subresource.path, LONGEST_SUBRESOURCE));
    }
}

/// What is wrong with the name of a field manager: its length, and each character that cannot be printed.
pub(crate) fn field_manager(manager: &str, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if manager.len() as u64 > LONGEST_MANAGER {
        errors.push(FieldError::too_long(path, LONGEST_MANAGER));
    }
    for (at, wrong) in manager.char_indices().filter(|(_, c)| !is_printable(*c)) {
        let code = u32::from(wrong);
        let detail = format!("invalid character U+{code:04X} (at position {at})");
        errors.push(FieldError::invalid(path, manager, detail));
        if errors.len() > MOST_CHARACTERS {
            break;
        }
    }
    errors
}
