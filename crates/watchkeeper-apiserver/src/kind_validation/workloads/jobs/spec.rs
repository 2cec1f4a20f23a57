//! What a job is to be, without the selector of its pods (`validateJobSpec`): jobs and the
//! templates of jobs.

use watchkeeper_schema::FieldError;

use super::super::super::{Check, Place, names, pod};
use super::{is_indexed, policies};

/// How many pods of an indexed job run at once, at most, and how many of its indexes may fail.
const MOST_INDEXES: i64 = 100_000;
/// The same of a job with more completions than that, whose failures are counted by index.
const MOST_OF_MANY: i64 = 10_000;
/// How long the name of who manages a job is, at most.
const LONGEST_MANAGER: u64 = 63;

pub(in super::super) fn job_spec(check: &mut Check<'_>, spec: &Place<'_>) {
    for name in [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    ] {
        check.not_negative(&spec.member(name));
    }
    let per_index = spec.member("backoffLimitPerIndex");
    if per_index.is_missing() && spec.has("maxFailedIndexes") {
        check.push(FieldError::required(&*per_index.path, "when maxFailedIndexes is specified"));
    }
    manager(check, &spec.member("managedBy"));
    completion_mode(check, spec);
    policies::of_failures(check, spec);
    policies::of_success(check, spec);
    replacement(check, spec);
    pod::template(check, &spec.member("template"), &pod::Whose::default());
    restarts(check, spec);
}

fn manager(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    path_of_domain(check, place);
    if place.text().len() as u64 > LONGEST_MANAGER {
        check.push(FieldError::too_long(&*place.path, LONGEST_MANAGER));
    }
}

/// `IsDomainPrefixedPath`.
fn path_of_domain(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_empty() {
        return check.push(FieldError::required(&*place.path, ""));
    }
    let parts = place.text().split_once('/');
    let Some((host, path)) = parts.filter(|(host, path)| !host.is_empty() && !path.is_empty())
    else {
        let detail = "must be a domain-prefixed path (such as \"acme.io/foo\")";
        return check.push(FieldError::invalid(&*place.path, place.text(), detail));
    };
    check.all(place, host, names::subdomain(host));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
    if !path.bytes().all(fits) {
        let detail =
            r"Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')";
        check.push(FieldError::invalid(&*place.path, path, detail));
    }
}

fn completion_mode(check: &mut Check<'_>, spec: &Place<'_>) {
    let mode = spec.member("completionMode");
    check.optional(&mode, &["NonIndexed", "Indexed"]);
    if is_indexed(spec) {
        indexed(check, spec);
    } else if mode.is_missing() || mode.text() == "NonIndexed" {
        for limit in ["backoffLimitPerIndex", "maxFailedIndexes"].map(|name| spec.member(name)) {
            if let Some(number) = limit.number() {
                let detail = "requires indexed completion mode";
                check.push(FieldError::invalid(&*limit.path, number, detail));
            }
        }
    }
}

/// What is kept of the indexes of a job is bounded by these numbers.
fn indexed(check: &mut Check<'_>, spec: &Place<'_>) {
    let (completions, parallelism) = (spec.member("completions"), spec.member("parallelism"));
    let failed = spec.member("maxFailedIndexes");
    if completions.is_missing() {
        let detail = "when completion mode is Indexed";
        check.push(FieldError::required(&*completions.path, detail));
    }
    let most = format!("must be less than or equal to {MOST_INDEXES}");
    let detail = format!("{most} when completion mode is Indexed");
    at_most(check, &parallelism, MOST_INDEXES, &detail);
    let all = completions.number();
    at_most(check, &failed, all.unwrap_or(i64::MAX), "must be less than or equal to completions");
    at_most(check, &failed, MOST_INDEXES, &most);
    let has_many = all.is_some_and(|all| all > MOST_INDEXES);
    if !has_many || spec.member("backoffLimitPerIndex").is_missing() {
        return;
    }
    if failed.is_missing() {
        let detail = format!("must be specified when completions is above {MOST_INDEXES}");
        check.push(FieldError::required(&*failed.path, detail));
    }
    let detail = format!(
        "must be less than or equal to {MOST_OF_MANY} when completions are above {MOST_INDEXES} \
         and used with backoff limit per index"
    );
    at_most(check, &parallelism, MOST_OF_MANY, &detail);
    at_most(check, &failed, MOST_OF_MANY, &detail);
}

fn at_most(check: &mut Check<'_>, place: &Place<'_>, most: i64, detail: &str) {
    if let Some(number) = place.number().filter(|number| *number > most) {
        check.push(FieldError::invalid(&*place.path, number, detail));
    }
}

/// When a pod that ends has another in its place: where failures are looked at, once it has
/// (`validatePodReplacementPolicy`).
fn replacement(check: &mut Check<'_>, spec: &Place<'_>) {
    let known: &[&str] = match spec.has("podFailurePolicy") {
        true => &["Failed"],
        false => &["Failed", "TerminatingOrFailed"],
    };
    check.optional(&spec.member("podReplacementPolicy"), known);
}

/// The pods of a job end.
fn restarts(check: &mut Check<'_>, spec: &Place<'_>) {
    let restart = spec.member("template").member("spec").member("restartPolicy");
    match restart.text() {
        "" | "Always" => {
            let detail = "valid values: \"OnFailure\", \"Never\"";
            check.push(FieldError::required(&*restart.path, detail));
        }
        "OnFailure" if spec.has("podFailurePolicy") => {
            let detail = "only \"Never\" is supported when podFailurePolicy is specified";
            check.push(FieldError::invalid(&*restart.path, restart.text(), detail));
        }
        "OnFailure" | "Never" => {}
        other => {
            let known = ["OnFailure", "Never"];
            check.push(FieldError::not_supported(&*restart.path, other, known));
        }
    }
}
