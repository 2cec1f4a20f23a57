//! The uid of a share (`validateUID` in `pkg/apis/resource/validation`).

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::quote;

use crate::kind_validation::{Check, Place};

/// How long a uid is with its hyphens, and how long without.
const LENGTH: usize = 36;
const BARE: usize = 32;
const PREFIX: &str = "urn:uuid:";

pub(super) fn check(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    let text = place.text();
    if let Err(why) = read(text) {
        let detail = format!("error validating uid: {why}");
        check.push(FieldError::invalid(&*place.path, text, detail));
    } else if text.len() != LENGTH || text.bytes().any(|sign| sign.is_ascii_uppercase()) {
        let detail = "uid must be in RFC 4122 normalized form, \
                      `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
        check.push(FieldError::invalid(&*place.path, text, detail));
    }
}

/// Whether a text is a uid in any of its forms (`Validate` of `github.com/google/uuid`).
fn read(text: &str) -> Result<(), String> {
    const WRONG: &str = "invalid UUID format";
    let plain = match text.len() {
        LENGTH => text,
        length if length == LENGTH + PREFIX.len() => match text.split_at_checked(PREFIX.len()) {
            Some((prefix, rest)) if prefix.eq_ignore_ascii_case(PREFIX) => rest,
            Some((prefix, _)) => return Err(format!("invalid urn prefix: {}", quote(prefix))),
            None => return Err(WRONG.to_owned()),
        },
        length if length == LENGTH + 2 => text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .ok_or_else(|| "invalid bracketed UUID format".to_owned())?,
        BARE => text,
        length => return Err(format!("invalid UUID length: {length}")),
    };
    let is_hyphen = |at: usize| plain.len() == LENGTH && [8, 13, 18, 23].contains(&at);
    let mut signs = plain.bytes().enumerate();
    let fits = signs.all(|(at, sign)| match is_hyphen(at) {
        true => sign == b'-',
        false => sign.is_ascii_hexdigit(),
    });
    if fits { Ok(()) } else { Err(WRONG.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_uid_has_several_forms() {
        let plain = "f47ac10b-58cc-0372-8567-0e02b2c3d479";
        let bare = plain.replace('-', "");
        for fine in [plain, &bare, &format!("{{{plain}}}"), &format!("URN:uuid:{plain}")] {
            assert_eq!(read(fine), Ok(()), "{fine}");
        }
        for (wrong, why) in [
            ("x", "invalid UUID length: 1"),
            ("f47ac10b-58cc-0372-8567-0e02b2c3d47g", "invalid UUID format"),
            ("f47ac10b058cc-0372-8567-0e02b2c3d479", "invalid UUID format"),
            ("f47ac10b58cc037285670e02b2c3d47z", "invalid UUID format"),
            ("(f47ac10b-58cc-0372-8567-0e02b2c3d479)", "invalid bracketed UUID format"),
            ("urn:uuix:f47ac10b-58cc-0372-8567-0e02b2c3d479", "invalid urn prefix: \"urn:uuix:\""),
        ] {
            assert_eq!(read(wrong), Err(why.to_owned()), "{wrong}");
        }
    }
}
