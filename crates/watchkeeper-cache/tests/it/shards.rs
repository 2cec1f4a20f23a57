//! One shard of a kind (KEP-5866), on a server that knows of shards and on one that does not.

use std::time::Duration;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_cache::Cache;
use watchkeeper_client::{Client, ListOptions, Select, Shard};

use crate::server::{self, map};
use crate::{CODEC, foos, names, run, settle};

fn half(number: u32) -> Select<ConfigMap> {
    Select::all().shard(Shard::of(number, 2).unwrap())
}

/// The server is asked for the shard; what it sends beside it, since it knows nothing of shards, is left out,
/// and moves the version on.
#[tokio::test(start_paused = true)]
async fn a_shard_is_asked_for_and_the_rest_is_left_out() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let first = cache.watch_only(half(0));
    let _running = run(&cache);
    let call = server.call().await;
    let asked = "shardSelector=shardRange%28object.metadata.uid%2C";
    assert!(call.request.contains(asked), "{}", call.request);
    let watch = call.open();
    // By their uids `bee` is in the first half, the others are in the second.
    let uids = ["ant", "bee", "cat"];
    uids.iter().for_each(|uid| watch.event("ADDED", &map(&format!("{uid}@1"))));
    watch.end_of_state("5");
    first.synced().await.unwrap();
    assert_eq!(names(&first), ["bee@1"]);
    for (uid, version) in uids.into_iter().zip([6, 8, 10]) {
        watch.event("MODIFIED", &map(&format!("{uid}@{version}")));
        watch.event("DELETED", &map(&format!("{uid}@{}", version + 1)));
    }
    settle().await;
    assert_eq!(names(&first), [""; 0]);
    assert_eq!(first.status().version, "11");
    assert_eq!(first.status().events, 2, "the others were no events");
}

/// Additions tell nothing of how far the server is where no version was known, also those to another shard.
#[tokio::test(start_paused = true)]
async fn c_20_what_another_shard_has_hides_nothing_of_a_list_without_a_version() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let first = cache.watch_only(half(0));
    let _running = run(&cache);
    server.call().await.refuse(400, "BadRequest");
    server.call().await.list("", "", &[]);
    let watch = server.call().await.open();
    watch.event("ADDED", &map("ant@10"));
    watch.event("ADDED", &map("bee@7"));
    settle().await;
    assert_eq!(names(&first), ["bee@7"]);
    assert_eq!(first.status().version, "7");
}

/// The usual server knows nothing of shards, and the client leaves out what is not its own.
#[tokio::test(start_paused = true)]
async fn shards_share_the_objects_of_a_server_that_knows_none() {
    share(&foos::server().1).await;
}

/// One with upstream's feature gate `ShardedListAndWatch` sends each what it has asked for.
#[tokio::test(start_paused = true)]
async fn shards_share_the_objects_of_a_server_that_knows_them() {
    let server = ApiServer::builder().seed(1).clock(Clock::default()).shard_selectors().build();
    let client = Client::new(server.clone()).codec(CODEC);
    share(&client).await;
    let maps = client.api::<ConfigMap>();
    let shard = Shard::of(0, 2).unwrap().to_string();
    let half = maps.list(&ListOptions { shard, ..ListOptions::default() }).await.unwrap();
    let whole = maps.list(&ListOptions::default()).await.unwrap();
    assert!(half.items.len() < whole.items.len(), "it is the server that keeps them apart");
}

/// Two copies share what there is, and nobody misses an object.
async fn share(client: &Client) {
    let cache = Cache::new(client).seed(1).read_deadline(Duration::from_secs(5));
    let client = client.clone().observed_by(cache.observer());
    let halves = [cache.watch_only(half(0)), cache.watch_only(half(1))];
    let whole = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    cache.synced().await.unwrap();
    let create = async |name: String| {
        let map = watchkeeper_api::object!(ConfigMap {
            metadata: { name: name.as_str(), namespace: "default" },
        });
        client.api_for(&map).create(&map, &Default::default()).await.unwrap();
    };
    for number in 0..40 {
        create(format!("map-{number}")).await;
    }
    whole.caught_up().await.unwrap();
    settle().await;
    let held: Vec<_> = halves.iter().map(|half| half.peek_all().len()).collect();
    assert_eq!(held.iter().sum::<usize>(), whole.peek_all().len());
    assert!(held.iter().all(|half| *half > 5), "{held:?}");
    assert!(halves[0].peek_all().iter().all(|map| Shard::of(0, 2).unwrap().has(&**map)));
    assert_eq!(
        halves[0].status().what,
        "configmaps, shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"
    );
}
