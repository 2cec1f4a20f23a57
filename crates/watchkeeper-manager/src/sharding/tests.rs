use tokio::time::{advance, sleep};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::Client;
use watchkeeper_controller::{Clock, Stop};

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

/// L-13, of shards: a replica that was not polled for longer than its leases is not healthy.
#[tokio::test(start_paused = true)]
async fn a_replica_that_hangs_is_not_healthy() {
    let client = Client::new(ApiServer::new());
    let sharding = Sharding::new("op", 1).namespace("default").identity("a");
    let sharer = Sharer::new(&client, sharding, &Clock::system(), 1).expect("a sharing");
    let healthy = |tolerance| {
        let healthy = sharer.healthy(Duration::from_secs(tolerance));
        healthy.map_err(|error| error.to_string())
    };
    assert_eq!(healthy(0), Ok(()), "nothing is held yet");
    let (_stopper, stop) = Stop::channel();
    let hangs = async {
        while sharer.share().held().is_empty() {
            sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(healthy(0), Ok(()));
        advance(Duration::from_secs(17)).await;
        (healthy(5), healthy(1))
    };
    let (patient, strict) = tokio::select! {
        biased;
        seen = hangs => seen,
        () = sharer.run(&stop) => unreachable!("nobody stops it"),
    };
    assert_eq!(patient, Ok(()));
    let error = strict.expect_err("it hung");
    assert!(error.starts_with("op-") && error.contains(": the lease was renewed 1"), "{error}");
}
