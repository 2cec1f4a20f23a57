//! A cluster for one test, and what makes a test fail.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use watchkeeper_api::core::v1::{ConfigMap, Service};
use watchkeeper_api::{Error, object};
use watchkeeper_client::ListOptions;
use watchkeeper_cluster::User;
use watchkeeper_cluster::testing::{self, Options, TestCluster};
use watchkeeper_controller::{Action, Failure};
use watchkeeper_manager::Manager;

/// Gives every service a mark.
fn marker(manager: &Manager) {
    mark_with(manager, "marker", "1");
}

fn mark_with(manager: &Manager, name: &str, mark: &'static str) {
    let services = manager.watch::<Service>();
    let controller = manager.controller(name, &services).with((services, mark));
    controller.reconcile(async |(services, mark), request, ctx| {
        let Some(service) = services.get(&request).await? else { return Ok(Action::done()) };
        ctx.edit(&service, |service| _ = service.metadata.labels.insert("mark", *mark)).await?;
        Ok::<_, Failure>(Action::done())
    });
}

async fn make(test: &TestCluster, name: &str) {
    let services = test.client().api::<Service>().namespace("default");
    let service = object!(Service { metadata: { name: name }, spec: { ports: [{ port: 80 }] } });
    services.create(&service, &Default::default()).await.expect("the service is made");
}

async fn mark(test: &TestCluster, name: &str) -> Option<String> {
    let services = test.client().api::<Service>().namespace("default");
    let service = services.get(name).await.expect("the service is there");
    service.metadata.labels.get("mark").map(ToString::to_string)
}

fn why(test: impl AsyncFnOnce(TestCluster)) -> String {
    let options = Options { most_writes: 500, ..Default::default() };
    let failed = catch_unwind(AssertUnwindSafe(|| testing::run(options, test)));
    let panic = failed.expect_err("the test fails");
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[test]
fn a_program_runs_until_it_is_stopped_and_can_be_started_again() {
    testing::run(Options::default(), async |test: TestCluster| {
        let program = test.start("marker", marker);
        make(&test, "a").await;
        test.settled().await;
        assert_eq!(mark(&test, "a").await.as_deref(), Some("1"));

        program.stop().await.expect("it ends well");
        make(&test, "b").await;
        test.settled().await;
        assert_eq!(mark(&test, "b").await, None);

        test.start("marker", marker);
        test.settled().await;
        assert_eq!(mark(&test, "b").await.as_deref(), Some("1"));

        let by = |name: &str| test.writes().iter().filter(|write| *write.actor == *name).count();
        assert_eq!(by("test"), 2);
        assert!(by("marker") >= 2);
    });
}

#[test]
fn the_same_test_is_the_same_run() {
    let run = |seed| {
        let mut hash = 0;
        testing::run(Options { seed, ..Default::default() }, async |test: TestCluster| {
            test.start("marker", marker);
            make(&test, "a").await;
            test.settled().await;
            hash = test.cluster().server().history_hash();
        });
        hash
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_test_is_not_over_for_ever() {
    let forever = async |_| std::future::pending().await;
    assert_eq!(why(forever), "the test is not over after 3600s of its own time");
}

#[test]
fn a_program_that_ends_fails_the_test() {
    let why = why(async |test: TestCluster| {
        test.start("broken", |manager| {
            manager.add("broken", async |_| Err::<(), _>(Error::other("no disk")));
        });
        std::future::pending::<()>().await;
    });
    assert!(why.starts_with("broken ended before the test: "), "{why}");
    assert!(why.contains("no disk"), "{why}");
}

#[test]
fn a_failed_assertion_is_the_failure() {
    let why = why(async |test: TestCluster| {
        make(&test, "a").await;
        assert!(mark(&test, "a").await.is_some(), "{} has no mark", "a");
    });
    assert_eq!(why, "a has no mark");
}

#[test]
fn an_error_is_a_failure_and_is_given_back() {
    let outcome = testing::run(Options::default(), async |test: TestCluster| {
        let maps = test.client().api::<ConfigMap>().namespace("default");
        maps.get("a").await.map(drop)
    });
    assert!(outcome.expect_err("there is none").is_not_found());
}

#[test]
fn roles_hold_where_they_are_asked_for() {
    testing::run(Options { rbac: true, ..Default::default() }, async |test: TestCluster| {
        let nobody = test.cluster().client_as(&User::service_account("default", "nobody"));
        let refused = nobody.api::<ConfigMap>().list_all(&ListOptions::default()).await;
        assert!(refused.expect_err("nothing is bound to it").is_forbidden());
        assert!(test.client().api::<ConfigMap>().list_all(&ListOptions::default()).await.is_ok());
    });
}

#[test]
fn an_hour_costs_little() {
    testing::run(Options::default(), async |_| tokio::time::sleep(Duration::from_secs(3599)).await);
}

/// No time passes meanwhile, so no deadline would end it.
#[test]
fn programs_that_undo_each_others_work_fail_the_test() {
    let why = why(async |test: TestCluster| {
        test.start("one", |manager| mark_with(manager, "one", "1"));
        test.start("two", |manager| mark_with(manager, "two", "2"));
        make(&test, "a").await;
        test.settled().await;
    });
    assert_eq!(why, "more than 500 writes within a second: somebody writes for ever");
}
