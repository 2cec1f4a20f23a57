use super::*;

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn refusal(lease: u64, renew: u64, retry: u64) -> String {
    let election = LeaderElection::new("l").times(secs(lease), secs(renew), secs(retry));
    election.check().map_or_else(|error| error.to_string(), |()| "fine".to_owned())
}

/// L-01.
#[test]
fn l_01_times_that_make_no_sense_are_refused() {
    assert_eq!(refusal(15, 10, 2), "fine");
    assert_eq!(
        refusal(10, 10, 2),
        "leader election: lease_duration (10s) must be longer than renew_deadline (10s)"
    );
    assert_eq!(
        refusal(15, 2, 2),
        "leader election: renew_deadline (2s) must be longer than 1.2 times retry_period (2s)"
    );
    assert_eq!(
        refusal(15, 10, 0),
        "leader election: renew_deadline and retry_period must not be zero"
    );
    assert!(refusal(0, 0, 0).contains("must be whole seconds"), "{}", refusal(0, 0, 0));
    assert!(refusal(u64::MAX, 10, 2).contains("at most a day"));
    let nameless = LeaderElection::new("").check().unwrap_err();
    assert_eq!(nameless.to_string(), "leader election: the lease needs a name");
    let nobody = LeaderElection::new("l").identity("").check().unwrap_err();
    assert!(nobody.to_string().contains("the identity is empty"), "{nobody}");
    let mut wide = LeaderElection::new("l");
    wide.fence_margin = secs(15);
    assert!(wide.check().unwrap_err().to_string().contains("fence_margin"));
}

/// L-02.
#[test]
fn l_02_the_times_are_the_conventional_ones() {
    let election = LeaderElection::new("l");
    let times = (election.lease_duration, election.renew_deadline, election.retry_period);
    assert_eq!(times, (secs(15), secs(10), secs(2)));
    assert!(election.check().is_ok());
}
