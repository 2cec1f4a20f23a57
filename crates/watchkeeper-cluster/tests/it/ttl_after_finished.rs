//! Jobs that have ended go after their time.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use watchkeeper_api::batch::v1::Job;

use crate::world::{World, run};

async fn job(world: &World, ttl: Option<u32>, exit_code: &str) {
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "pi", "namespace": "default"},
        "spec": {"backoffLimit": 0, "ttlSecondsAfterFinished": ttl, "template": {
            "metadata": {"annotations": {"fake-kubelet/exit-code": exit_code}},
            "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "pi:1"}]},
        }},
    });
    world.make::<Job>(job).await;
}

async fn is_there(world: &World, seconds: u64) -> bool {
    sleep(Duration::from_secs(seconds)).await;
    world.get::<Job>("pi").await.is_some()
}

#[tokio::test(start_paused = true)]
async fn a_job_goes_with_its_pods_some_time_after_its_end() {
    for exit_code in ["0", "1"] {
        run(1, async |world| {
            job(world, Some(30), exit_code).await;
            assert!(is_there(world, 25).await);
            assert!(!is_there(world, 15).await);
            assert!(world.pods().await.is_empty());
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_without_such_a_time_stays_and_may_be_given_one() {
    run(1, async |world| {
        job(world, None, "0").await;
        assert!(is_there(world, 3600).await);
        world.patch::<Job>("pi", json!({"spec": {"ttlSecondsAfterFinished": 60}})).await;
        assert!(!is_there(world, 5).await, "its time was over long ago");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_time_may_be_made_longer() {
    run(1, async |world| {
        job(world, Some(60), "0").await;
        assert!(is_there(world, 30).await);
        world.patch::<Job>("pi", json!({"spec": {"ttlSecondsAfterFinished": 600}})).await;
        assert!(is_there(world, 500).await);
        assert!(!is_there(world, 100).await);
    })
    .await;
}
