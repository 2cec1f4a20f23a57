//! Of jobs, and of what makes jobs.

use serde_json::Value;

/// More indexes, and more pods at once, than a status can tell of when many fail.
const MANY_INDEXES: i64 = 100_000;
const MANY_PODS: i64 = 10_000;

/// Of an indexed job that is very large (`WarningsForJobSpec`).
pub(super) fn indexes(kind: &str, new: &Value) -> Option<String> {
    let path = match kind {
        "Job" => "spec",
        "CronJob" => "spec.jobTemplate.spec",
        _ => return None,
    };
    let spec = new.pointer(&format!("/{}", path.replace('.', "/")))?;
    let number = |name: &str| spec[name].as_i64().unwrap_or_default();
    let is_large = spec["completionMode"] == "Indexed"
        && number("completions") > MANY_INDEXES
        && number("parallelism") > MANY_PODS;
    is_large.then(|| {
        format!(
            "{path}: In Indexed Jobs with a number of completions higher than 10^5 and a \
             parallelism higher than 10^4, Kubernetes might not be able to track \
             completedIndexes when a big number of indexes fail"
        )
    })
}

/// Of a schedule with a zone in it, which only one that had one before may have. Upstream spells
/// the place so.
pub(super) fn zone_of_schedule(old: Option<&Value>, new: &Value) -> Option<String> {
    let has_zone = new["spec"]["schedule"].as_str().is_some_and(|text| text.contains("TZ"));
    (old.is_some() && has_zone).then(|| {
        "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see \
         https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
            .to_owned()
    })
}
