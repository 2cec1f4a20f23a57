//! Requests for certificates (`pkg/apis/certificates/validation`).

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::quote;

use super::{Check, Place, metadata, names};
use crate::go::go_bytes;

mod pem;

/// What a certificate may be good for.
const USAGES: [&str; 23] = [
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];
/// A signer that only older versions of the API know.
const LEGACY: &str = "kubernetes.io/legacy-unknown";
const APPROVED: &str = "Approved";
const DENIED: &str = "Denied";
const FAILED: &str = "Failed";

/// Which part of a request is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The request itself: what became of it stays as it is.
    Itself,
    /// The certificate, and whether it could be made.
    Status,
    /// Whether it is approved.
    Approval,
}

/// What is wrong with a request of which a part is written. What was wrong before is borne: a server of an older
/// version may have taken what this one refuses, and whoever labels or approves it cannot make it right.
pub(super) fn request(check: &mut Check<'_>, part: Part) {
    spec(check);
    conditions(check);
    let now = check.at("status.certificate");
    let before = check.before().map(|before| before.at("status.certificate"));
    let is_kept = before.is_some_and(|before| {
        before.text() == now.text() || certificate_error(before.text()).is_some()
    });
    if let Some(why) = certificate_error(now.text()).filter(|_| !is_kept) {
        check.push(FieldError::invalid(&*now.path, "<certificate data>", why));
    }
    update(check, part);
}

fn spec(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let request = spec.member("request");
    let is_kept = check.keeps_spec();
    if let Some(why) = request_error(request.text()).filter(|_| !is_kept) {
        let value = request.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*request.path, value, why));
    }
    usages(check, &spec.member("usages"));
    let signer = spec.member("signerName");
    let was = check.before().map(|before| before.at("spec.signerName"));
    let was_legacy = was.is_some_and(|was| was.text() == LEGACY);
    if signer.text() == LEGACY && !was_legacy {
        let detail = "the legacy signerName is not allowed via this API version";
        check.push(FieldError::invalid(&*signer.path, signer.text(), detail));
    } else {
        signer_name(check, &signer);
    }
    let seconds = spec.member("expirationSeconds");
    if let Some(number) = seconds.number().filter(|number| *number < 600) {
        let detail = "may not specify a duration less than 600 seconds (10 minutes)";
        check.push(FieldError::invalid(&*seconds.path, number, detail));
    }
}

/// What the certificate is for: something that there is, each once.
fn usages(check: &mut Check<'_>, list: &Place<'_>) {
    let items = list.items();
    if items.is_empty() {
        check.push(FieldError::required(&*list.path, ""));
    }
    let before = check.before().map(|before| before.at("spec.usages").items()).unwrap_or_default();
    let is_known = |usage: &Place<'_>| USAGES.contains(&usage.text());
    if before.iter().all(is_known) {
        for usage in items.iter().filter(|usage| !is_known(usage)) {
            check.push(FieldError::not_supported(&*usage.path, usage.text(), USAGES));
        }
    }
    if has_repeats(&before) {
        return;
    }
    let mut seen = BTreeSet::new();
    for usage in &items {
        if !seen.insert(usage.text()) {
            check.push(FieldError::duplicate(&*usage.path, usage.text()));
        }
    }
}

fn has_repeats(items: &[Place<'_>]) -> bool {
    let all: BTreeSet<&str> = items.iter().map(Place::text).collect();
    all.len() < items.len()
}

/// `example.com/signer` (`ValidateSignerName` in `pkg/apis/core/validation`).
fn signer_name(check: &mut Check<'_>, place: &Place<'_>) {
    const LONGEST_DOMAIN: usize = 253;
    /// A domain, a namespace and a name, with what is between them.
    const LONGEST: usize = LONGEST_DOMAIN + 1 + 63 + 1 + 253;
    let text = place.text();
    if text.is_empty() {
        return check.push(FieldError::required(&*place.path, ""));
    }
    let segments: Vec<&str> = text.split('/').collect();
    let [domain, path] = segments[..] else {
        let detail = "must be a fully qualified domain and path of the form \
                      'example.com/signer-name'";
        return check.push(FieldError::invalid(&*place.path, text, detail));
    };
    if domain.len() > LONGEST_DOMAIN {
        check.push(FieldError::too_long(&*place.path, LONGEST_DOMAIN as u64));
    }
    labels(check, place, domain, names::label);
    if !domain.contains('.') {
        let detail = "should be a domain with at least two segments separated by dots";
        check.push(FieldError::invalid(&*place.path, domain, detail));
    }
    labels(check, place, path, names::subdomain);
    if text.len() > LONGEST {
        check.push(FieldError::too_long(&*place.path, LONGEST as u64));
    }
}

/// The first part between dots that is wrong is told.
fn labels(check: &mut Check<'_>, place: &Place<'_>, text: &str, form: fn(&str) -> Vec<String>) {
    let mut judged = text.split('.').map(|label| (label, form(label)));
    let Some((label, wrong)) = judged.find(|(_, wrong)| !wrong.is_empty()) else { return };
    for why in wrong {
        let detail = format!("validating label {}: {why}", quote(label));
        check.push(FieldError::invalid(&*place.path, text, detail));
    }
}

/// Conditions of a type each once; those that decide hold, and not both ways.
fn conditions(check: &mut Check<'_>) {
    let list = check.at("status.conditions");
    let before = types(check.before().as_ref());
    let bears_empty = before.contains(&"");
    let bears_both = [APPROVED, DENIED].iter().all(|of| before.contains(of));
    let unlike: BTreeSet<&str> = before.iter().copied().collect();
    let bears_repeats = unlike.len() < before.len();
    let states_before = states(check.before().as_ref());
    let mut seen = BTreeSet::new();
    for condition in list.items() {
        let of = condition.member("type");
        if of.is_empty() && !bears_empty {
            check.push(FieldError::required(&*of.path, ""));
        }
        let decides = [APPROVED, DENIED, FAILED].contains(&of.text());
        let states: &[&str] = if decides { &["True"] } else { &["False", "True", "Unknown"] };
        let state = condition.member("status");
        if !states_before.contains(&(of.text(), state.text())) {
            check.one_of(&state, states);
        }
        let other = match of.text() {
            APPROVED => Some(DENIED),
            DENIED => Some(APPROVED),
            _ => None,
        };
        if !bears_both && other.is_some_and(|other| seen.contains(other)) {
            let detail = "Approved and Denied conditions are mutually exclusive";
            check.push(FieldError::invalid(&*list.path, of.text(), detail));
        }
        if !seen.insert(of.text()) && !bears_repeats {
            check.push(FieldError::duplicate(&*of.path, of.text()));
        }
    }
}

/// The types of the conditions of a request, each with its state.
fn states<'a>(of: Option<&Check<'a>>) -> BTreeSet<(&'a str, &'a str)> {
    let conditions = of.map(|of| of.at("status.conditions").items()).unwrap_or_default();
    let state = |of: &Place<'a>| (of.member("type").text(), of.member("status").text());
    conditions.iter().map(state).collect()
}

/// The types of the conditions of a request.
fn types<'a>(of: Option<&Check<'a>>) -> Vec<&'a str> {
    let conditions = of.map(|of| of.at("status.conditions").items()).unwrap_or_default();
    conditions.iter().map(|condition| condition.member("type").text()).collect()
}

/// What decides comes by the path of the approval and stays; a certificate comes by that of the status, once. What must
/// stay of the metadata is looked at last.
fn update(check: &mut Check<'_>, part: Part) {
    let Some(before) = check.before() else { return };
    let (was, now) = (types(Some(&before)), types(Some(&*check)));
    let count = |types: &[&str], of: &str| types.iter().filter(|one| **one == of).count();
    for of in [APPROVED, DENIED, FAILED] {
        if count(&now, of) < count(&was, of) {
            refuse(check, format!("updates may not remove a condition of type {}", quote(of)));
        }
    }
    for of in [APPROVED, DENIED].into_iter().filter(|_| part != Part::Approval) {
        if count(&now, of) > count(&was, of) {
            refuse(check, format!("updates may not add a condition of type {}", quote(of)));
        }
    }
    let (certificate, had) = (check.at("status.certificate"), before.at("status.certificate"));
    if certificate.text() != had.text() {
        let detail = match part {
            Part::Status if had.is_empty() => "",
            Part::Status => "updates may not modify existing certificate content",
            Part::Itself | Part::Approval => "updates may not set certificate content",
        };
        if !detail.is_empty() {
            check.push(FieldError::forbidden(certificate.path, detail));
        }
    }
    metadata::update_again(check);
}

fn refuse(check: &mut Check<'_>, detail: String) {
    check.push(FieldError::forbidden("status.conditions", detail));
}

/// The bytes of a member that is told in base64; it was read as such.
fn bytes(text: &str) -> Vec<u8> {
    go_bytes(text).unwrap_or_default()
}

/// Why a text is no request. What is in it, and who signed it, is for the signer to judge.
fn request_error(text: &str) -> Option<String> {
    let read = bytes(text);
    match pem::blocks(&read).next() {
        Some(block) if block.kind == "CERTIFICATE REQUEST" => {
            (!pem::is_sequence(&block.bytes)).then(|| "asn1: structure error".to_owned())
        }
        _ => Some("PEM block type must be CERTIFICATE REQUEST".to_owned()),
    }
}

/// Why a text is no certificate, or none after the other.
fn certificate_error(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let read = bytes(text);
    let mut is_any = false;
    for block in pem::blocks(&read) {
        is_any = true;
        if block.kind != "CERTIFICATE" {
            let kind = quote(&block.kind);
            return Some(format!("only CERTIFICATE PEM blocks are allowed, found {kind}"));
        }
        if block.has_headers {
            return Some("no PEM block headers are permitted".to_owned());
        }
        if block.bytes.is_empty() {
            return Some("found CERTIFICATE PEM block containing 0 certificates".to_owned());
        }
        if !pem::are_sequences(&block.bytes) {
            return Some("x509: malformed certificate".to_owned());
        }
    }
    (!is_any).then(|| "must contain at least one CERTIFICATE PEM block".to_owned())
}
