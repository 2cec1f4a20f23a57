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
    let margin = |margin| {
        let mut election = LeaderElection::new("l");
        election.fence_margin = margin;
        election.check().map_or_else(|error| error.to_string(), |()| "fine".to_owned())
    };
    assert_eq!(margin(secs(5)), "fine");
    assert_eq!(
        margin(secs(6)),
        "leader election: fence_margin (6s) must not be longer than lease_duration less renew_deadline (5s)",
        "a leader that renews in time would not be let write"
    );
    assert_eq!(
        margin(secs(0)),
        "leader election: fence_margin must not be zero: no request is stored at once"
    );
}

#[test]
fn the_margin_goes_with_the_times() {
    let margin = |lease, renew, retry| {
        let election = LeaderElection::new("l").times(secs(lease), secs(renew), secs(retry));
        assert!(election.check().is_ok(), "{election:?}");
        election.fence_margin
    };
    assert_eq!(margin(15, 10, 2), LeaderElection::new("l").fence_margin);
    assert_eq!(margin(15, 14, 2), secs(1), "what the deadline leaves");
    assert_eq!(margin(5, 3, 1), secs(1), "a fifth");
    assert_eq!(margin(3600, 1800, 60), secs(242), "clocks differ more in an hour");
}

/// L-02.
#[test]
fn l_02_the_times_are_the_conventional_ones() {
    let election = LeaderElection::new("l");
    let times = (election.lease_duration, election.renew_deadline, election.retry_period);
    assert_eq!(times, (secs(15), secs(10), secs(2)));
    assert!(election.check().is_ok());
}
