//! Clusters and replicas: who leads runs them, or each has its share.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::Time;
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::Client;
use watchkeeper_controller::{Action, Clock};
use watchkeeper_manager::clusters::{Clusters, Static};
use watchkeeper_manager::{LeaderElection, Manager, Sharding};

use super::{create, greeter, greeting, phases, second, server};

/// Fences look at two clocks, and both go by the time of the test.
fn clock() -> Clock {
    Clock::starting_at(Time::from_unix(1_767_225_600))
}

/// Writes into a cluster are refused when the lease is lost, and it is begun again in the next term.
#[tokio::test(start_paused = true)]
async fn clusters_run_where_the_lease_is_held() {
    let (home, north) = (server(), server());
    let replica = |identity: &str| -> (Manager, Clusters) {
        let mut election = LeaderElection::new("l").namespace("default").identity(identity);
        election.step_down = true;
        let manager = Manager::new(&home).seed(1).clock(clock()).leader_election(election);
        let one = Static::new([("north", north.clone())]);
        let clusters = manager.clusters("fleet", one, |cluster| greeter(cluster));
        (manager, clusters)
    };
    let ((one, of_one), (other, of_other)) = (replica("one"), replica("other"));
    let script = async {
        of_one.working("north").await;
        create(&north, "a").await;
        second().await;
        assert_eq!(greeting(&north, "a").await, "hello from north");
        assert!(phases(&of_other).is_empty(), "who does not lead engages nothing");
        let kept = of_one.get("north").expect("it runs");
        // Somebody takes the lease away.
        let leases = home.api::<Lease>().namespace("default");
        let mut lease = leases.get("l").await.expect("there");
        lease.spec.holder_identity = Some("nobody".into());
        leases.update(&lease).await.expect("taken");
        sleep(Duration::from_secs(12)).await;
        assert!(of_one.get("north").is_none(), "it ended with the lease");
        let map = watchkeeper_api::object!(ConfigMap {
            metadata: { name: "b", namespace: "default" },
        });
        let late = kept.client().api_for(&map).create(&map, &Default::default()).await;
        let said = late.unwrap_err().to_string();
        assert!(said.contains("does not hold the lease"), "{said}");
        tokio::select! {
            biased;
            () = of_one.working("north") => {}
            () = of_other.working("north") => {}
        }
        create(&north, "c").await;
        second().await;
        assert_eq!(greeting(&north, "c").await, "hello from north", "in the next term");
    };
    tokio::select! {
        biased;
        ended = one.run(std::future::pending()) => ended.expect("it goes on"),
        ended = other.run(std::future::pending()) => ended.expect("it goes on"),
        () = script => {}
    }
}

/// Each object of each cluster is reconciled by one replica.
#[tokio::test(start_paused = true)]
async fn replicas_share_the_objects_of_every_cluster() {
    let (home, north, south) = (server(), server(), server());
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let replica = |identity: &'static str| {
        let sharding = Sharding::new("s", 8).namespace("default").identity(identity);
        let manager = Manager::new(&home).seed(1).clock(clock()).sharding(sharding);
        let both = Static::new([("north", north.clone()), ("south", south.clone())]);
        let seen = Arc::clone(&seen);
        let clusters = manager.clusters("fleet", both, move |cluster| {
            let maps = cluster.watch::<ConfigMap>();
            let state = (maps.clone(), identity, Arc::clone(&seen));
            cluster.controller("maps", &maps).with(state).reconcile(
                async |(maps, identity, seen), request, ctx| {
                    if maps.get(&request).await?.is_some() {
                        let line = format!("{} {} by {identity}", ctx.cluster(), request.name());
                        seen.lock().expect("no panic").push(line);
                    }
                    Ok(Action::done())
                },
            );
        });
        (manager, clusters)
    };
    let ((one, of_one), (other, of_other)) = (replica("one"), replica("other"));
    let script = async {
        of_one.working("north").await;
        of_other.working("south").await;
        // Until the shares are fair.
        sleep(Duration::from_secs(60)).await;
        let make = async |client: &Client| {
            for number in 0..10 {
                create(client, &format!("map-{number}")).await;
            }
        };
        make(&north).await;
        make(&south).await;
        second().await;
        let mut seen = std::mem::take(&mut *seen.lock().expect("no panic"));
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 20, "{seen:?}");
        let by_one = seen.iter().filter(|line| line.ends_with("by one")).count();
        assert!((1..20).contains(&by_one), "{seen:?}");
    };
    tokio::select! {
        biased;
        ended = one.run(std::future::pending()) => ended.expect("it goes on"),
        ended = other.run(std::future::pending()) => ended.expect("it goes on"),
        () = script => {}
    }
}
