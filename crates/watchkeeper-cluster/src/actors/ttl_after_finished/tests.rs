//! When a finished job is to go.

use watchkeeper_api::batch::v1::JobCondition;

use super::*;

fn job(type_: &str, ttl: Option<i32>) -> Job {
    let mut job = Job::default();
    job.spec.ttl_seconds_after_finished = ttl;
    job.status.conditions.push(JobCondition {
        type_: type_.into(),
        status: "True".into(),
        last_transition_time: Some(Time::from_unix(100)),
        ..JobCondition::default()
    });
    job
}

#[test]
fn a_job_that_is_over_goes_after_its_time() {
    assert_eq!(expiry(&job("Complete", Some(30))), Some(Time::from_unix(130)));
    assert_eq!(expiry(&job("Failed", Some(0))), Some(Time::from_unix(100)));
    assert!(waits(&job("Failed", Some(30)), Time::from_unix(129)).is_some());
    assert!(waits(&job("Failed", Some(30)), Time::from_unix(130)).is_none());
}

#[test]
fn other_jobs_stay() {
    assert_eq!(expiry(&job("Complete", None)), None);
    assert_eq!(expiry(&job("FailureTarget", Some(30))), None);
    let mut going = job("Complete", Some(30));
    going.metadata.deletion_timestamp = Some(Time::from_unix(110));
    assert_eq!(expiry(&going), None);
}
