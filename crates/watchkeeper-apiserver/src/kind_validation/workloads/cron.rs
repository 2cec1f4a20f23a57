//! Jobs that are made again and again (`validateCronJobSpec`).

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::super::{Check, Place};
use super::{SELECTOR, jobs, schedule, wrong, zones};

/// What is left of the name of a job when the time is written behind that of its cron job.
const MOST_LETTERS: usize = 52;
/// The longest part of the name of a time zone.
const LONGEST_PART: usize = 14;

pub(in super::super) fn cron_job(check: &mut Check<'_>) {
    let schedule = check.at("spec.schedule");
    if schedule.is_empty() {
        check.push(FieldError::required(&*schedule.path, ""));
    } else {
        times(check, &schedule);
    }
    check.not_negative(&check.at("spec.startingDeadlineSeconds"));
    let (zone, before) = (check.at("spec.timeZone"), check.before());
    if before.is_none_or(|before| before.at("spec.timeZone").value != zone.value) {
        time_zone(check, &zone);
    }
    check.one_of(&check.at("spec.concurrencyPolicy"), &["Allow", "Forbid", "Replace"]);
    job_template(check);
    check.not_negative(&check.at("spec.successfulJobsHistoryLimit"));
    check.not_negative(&check.at("spec.failedJobsHistoryLimit"));
    let name = check.at("metadata.name");
    if check.old.is_none() && name.text().len() > MOST_LETTERS {
        let detail = format!("must be no more than {MOST_LETTERS} characters");
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}

/// When it is time (`validateScheduleFormat`). Only what had a zone in it before may have one.
fn times(check: &mut Check<'_>, place: &Place<'_>) {
    let text = place.text();
    if let Err(why) = schedule::read(text) {
        check.push(FieldError::invalid(&*place.path, text, why));
    }
    let had_zone = check.before().is_some_and(|old| old.at("spec.schedule").text().contains("TZ"));
    let detail = match (text.contains("TZ"), had_zone) {
        (true, false) => "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
        (true, true) if !check.at("spec.timeZone").is_missing() => {
            "cannot use both timeZone field and TZ or CRON_TZ in schedule"
        }
        _ => return,
    };
    check.push(FieldError::invalid(&*place.path, text, detail));
}

/// Where it is time (`validateTimeZone`).
fn time_zone(check: &mut Check<'_>, place: &Place<'_>) {
    let name = place.text();
    if place.is_missing() {
        return;
    }
    let mut say = |detail: &str| check.push(FieldError::invalid(&*place.path, name, detail));
    if name.is_empty() {
        return say("timeZone must be nil or non-empty string");
    }
    if !name.split('/').all(is_part_of_zone) {
        return say(&format!("unknown time zone {name}"));
    }
    if name.eq_ignore_ascii_case("Local") {
        say("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    }
    if let Err(why) = zones::find(name) {
        say(&why);
    }
}

fn is_part_of_zone(part: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+');
    let is_name = !part.starts_with('-') && !matches!(part, "" | "." | "..");
    is_name && part.len() <= LONGEST_PART && part.bytes().all(fits)
}

/// Selectors of jobs that are made from a template are never made by hand
/// (`ValidateJobTemplateSpec`).
fn job_template(check: &mut Check<'_>) {
    let spec = check.at("spec.jobTemplate.spec");
    jobs::job_spec(check, &spec);
    let (selector, manual) = (spec.member("selector"), spec.member("manualSelector"));
    if !selector.is_missing() {
        check.push(wrong(&selector, SELECTOR, "`selector` will be auto-generated"));
    }
    if manual.value == Some(&Value::Bool(true)) {
        check.push(FieldError::not_supported(&*manual.path, true, ["nil", "false"]));
    }
}
