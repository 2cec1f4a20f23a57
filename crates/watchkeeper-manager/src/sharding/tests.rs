use super::*;

#[test]
fn what_makes_no_sense_is_refused() {
    let refusal = |sharding: Sharding| match sharding.check() {
        Ok(()) => "fine".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(refusal(Sharding::new("op", 1000)), "fine");
    for shards in [0, 1001] {
        assert_eq!(
            refusal(Sharding::new("op", shards)),
            format!("sharding: there are {shards} shards, and must be at least 1 and at most 1000")
        );
    }
    assert_eq!(
        refusal(Sharding::new("o".repeat(64), 1)),
        "sharding: the name is longer than 63 characters: it is a label of the leases"
    );
    assert_eq!(refusal(Sharding::new("", 1)), "leader election: the lease needs a name");
    let times = [5, 9, 1].map(Duration::from_secs);
    let hasty = Sharding::new("op", 1).times(times[0], times[1], times[2]);
    assert!(refusal(hasty).contains("lease_duration (5s) must be longer"));
}

#[test]
fn it_is_told_what_is_needed() {
    let needs = Sharding::new("op", 4).needs("shop");
    assert_eq!(needs.len(), 5);
    assert!(needs.iter().all(|need| need.reason == "replicas share shop/op"));
}
