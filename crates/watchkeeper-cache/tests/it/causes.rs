//! Why a copy is not synced, or has stopped: each cause is told with what to do about it, and nobody has to
//! be started again once it is gone (G7).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Kind, Scope, Unstructured, json};
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{self, Verdict};
use watchkeeper_apiserver::{ApiServer, Clock, User};
use watchkeeper_cache::{Cache, Phase, Status};
use watchkeeper_client::{Client, CreateOptions};

use crate::server::map;
use crate::{CODEC, Synced, WATCH_LIST, foos, run, server, settle, synced};

/// Long enough for every backoff.
const LONG: Duration = Duration::from_secs(300);

/// The server refuses to be read by `verdict` until the switch is off.
fn refusing(verdict: impl Fn() -> Verdict + Send + Sync + 'static) -> (Client, Arc<AtomicBool>) {
    let (server, client) = foos::server();
    let refuses = Arc::new(AtomicBool::new(true));
    let on = Arc::clone(&refuses);
    server.add_hook(hooks::on_read(move |read| {
        let refused = on.load(Ordering::Relaxed) && read.table == "configmaps";
        if refused { verdict() } else { Verdict::Proceed }
    }));
    (client, refuses)
}

/// What the status of a copy that is refused says, before and after the cause is gone.
async fn told(verdict: impl Fn() -> Verdict + Send + Sync + 'static) -> String {
    let (client, refuses) = refusing(verdict);
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    sleep(LONG).await;
    let status = maps.status();
    assert_eq!((status.phase, status.synced), (Phase::BackingOff, false), "{status}");
    refuses.store(false, Ordering::Relaxed);
    sleep(LONG).await;
    settle().await;
    let after = maps.status();
    assert_eq!((after.phase, after.synced, after.last_error), (Phase::Watching, true, None));
    status.to_string()
}

/// C-22, too: nothing that a server says ends the reflector.
#[tokio::test(start_paused = true)]
async fn c_22_what_is_forbidden_is_told_with_the_rule_that_would_allow_it() {
    let text = told(|| {
        let error = ApiError::new(403, "Forbidden", "configmaps is forbidden: not for you");
        Verdict::Refuse(Box::new(error))
    })
    .await;
    assert!(text.starts_with("configmaps: not synced, waiting to try again; "), "{text}");
    assert!(text.contains("configmaps is forbidden: not for you"), "{text}");
    let rule = r#"apiGroups [""], resources ["configmaps"], verbs ["list", "watch"]"#;
    assert!(text.contains(rule), "{text}");
}

/// Rights that are taken away are told by the watch that is open.
#[tokio::test(start_paused = true)]
async fn what_a_watch_is_refused_in_its_midst_is_told_with_what_to_do() {
    let rule = r#"apiGroups [""], resources ["configmaps"], verbs ["list", "watch"]"#;
    let mend = "the credentials are missing or not accepted any more";
    for (code, reason, advice) in [(403, "Forbidden", rule), (401, "Unauthorized", mend)] {
        let Synced { maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
        watch.error(code, reason);
        settle().await;
        let status = maps.status();
        assert_eq!((status.phase, status.refused), (Phase::BackingOff, code == 403));
        assert!(status.to_string().contains(advice), "{status}");
    }
}

/// A role of one rule, whose parts are as a status tells them, for `reader`.
async fn grant(admin: &Client, name: &str, rule: &str) {
    let rbac = |kind, plural| Kind::new(RBAC, "v1", kind, plural, Scope::Cluster);
    let (role, binding) = (
        format!(
            r#"{{"apiVersion":"{RBAC}/v1","kind":"ClusterRole","metadata":{{"name":"{name}"}},"rules":[{{{rule}}}]}}"#
        ),
        format!(
            r#"{{"apiVersion":"{RBAC}/v1","kind":"ClusterRoleBinding","metadata":{{"name":"{name}"}},
            "roleRef":{{"apiGroup":"{RBAC}","kind":"ClusterRole","name":"{name}"}},
            "subjects":[{{"apiGroup":"{RBAC}","kind":"User","name":"reader"}}]}}"#
        ),
    );
    let object = |text: &str| json::from_str::<Unstructured>(text).unwrap();
    let (roles, bindings) = (
        admin.dynamic(rbac("ClusterRole", "clusterroles")),
        admin.dynamic(rbac("ClusterRoleBinding", "clusterrolebindings")),
    );
    roles.create(&object(&role), &CreateOptions::default()).await.unwrap();
    bindings.create(&object(&binding), &CreateOptions::default()).await.unwrap();
}

const RBAC: &str = "rbac.authorization.k8s.io";

/// The rule that a status tells, as JSON: `apiGroups [""], verbs ["get"]` as `"apiGroups": [""], "verbs": ["get"]`.
fn rule_of(status: &Status) -> String {
    let text = status.to_string();
    let (_, rule) =
        text.split_once("this rule would allow it: ").unwrap_or_else(|| panic!("{text}"));
    let parts = rule.split_inclusive(']').map(|part| part.trim_start_matches(", "));
    let parts = parts.filter_map(|part| part.strip_suffix(']')?.split_once(" ["));
    let parts: Vec<_> = parts.map(|(name, values)| format!(r#""{name}":[{values}]"#)).collect();
    parts.join(",")
}

/// With a server where roles hold: what the status says is what it takes, and not less.
#[tokio::test(start_paused = true)]
async fn the_rule_that_a_status_tells_is_what_it_takes() {
    let server = ApiServer::builder().seed(1).clock(Clock::default()).rbac().build();
    let admin = Client::new(server.acting_as(User::new("admin").in_group("system:masters")));
    let client = Client::new(server.acting_as(User::new("reader"))).codec(CODEC);
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    sleep(LONG).await;
    let status = maps.status();
    assert!(status.refused && !status.synced, "{status}");
    let rule = rule_of(&status);
    assert_eq!(rule, r#""apiGroups":[""],"resources":["configmaps"],"verbs":["list", "watch"]"#);
    grant(&admin, "reads", &rule).await;
    sleep(LONG).await;
    let status = maps.status();
    assert_eq!((status.phase, status.synced, status.last_error), (Phase::Watching, true, None));
}

#[tokio::test(start_paused = true)]
async fn who_is_not_known_is_told_so() {
    let text =
        told(|| Verdict::Refuse(Box::new(ApiError::new(401, "Unauthorized", "who are you?"))))
            .await;
    assert!(text.contains("the credentials are missing or not accepted any more"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_up_is_told() {
    let text = told(|| Verdict::Hangup).await;
    assert!(text.contains("is the server up, and is it there?"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_kind_without_a_definition_is_told_until_it_comes() {
    #[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Object)]
    #[object(group = "example.com", version = "v1", crate = "watchkeeper_api")]
    struct Foo {
        metadata: ObjectMeta,
        size: i64,
    }

    let (_server, client) = foos::server();
    let cache = Cache::new(&client).seed(1);
    let typed = cache.watch::<Foo>();
    let _running = run(&cache);
    sleep(LONG).await;
    let text = typed.status().to_string();
    assert!(text.starts_with("foos.example.com: not synced, waiting to try again; "), "{text}");
    let mend = "is the kind example.com/v1/Foo served, its CustomResourceDefinition installed?";
    assert!(text.contains(mend), "{text}");
    foos::install(&client).await;
    foos::create(&client, "a", "1").await;
    // One that is no `Foo`: it is named, and costs no other.
    foos::create(&client, "b", r#""large""#).await;
    sleep(LONG).await;
    let status = typed.status();
    assert!(status.synced, "{status}");
    assert_eq!(typed.peek_all().iter().map(|foo| foo.size).collect::<Vec<_>>(), [1]);
    assert_eq!(status.malformed.keys().collect::<Vec<_>>(), ["default/b"]);
    assert!(status.malformed["default/b"].contains("size"), "{status:?}");
    assert!(status.to_string().ends_with("1 malformed object: default/b"), "{status}");
}

/// G7, 1.11: how much of a list has come is told while it comes.
#[tokio::test(start_paused = true)]
async fn how_far_a_list_has_come_is_told() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    assert_eq!(maps.status().listed, None);
    let _running = run(&cache);
    settle().await;
    assert_eq!((maps.status().phase, maps.status().listed), (Phase::Listing, Some(0)));
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    settle().await;
    let status = maps.status();
    assert_eq!(status.listed, Some(2));
    assert_eq!(status.to_string(), "configmaps: not synced, listing, 2 listed so far");
    watch.end_of_state("5");
    settle().await;
    assert_eq!(maps.status().listed, None);
    watch.event("ADDED", &map("c@6"));
    watch.error(410, "Expired");
    server.call().await.refuse(400, "BadRequest");
    let first = server.call().await;
    assert_eq!(maps.status().listed, Some(0), "of the new list");
    first.list("7", "next", &[map("a@1"), map("b@2"), map("c@6")]);
    settle().await;
    let second = server.call().await;
    assert_eq!(maps.status().listed, Some(3), "pages add up");
    second.list("7", "", &[map("d@7")]);
    settle().await;
    assert_eq!((maps.status().listed, maps.status().objects), (None, 4));
}

#[tokio::test(start_paused = true)]
async fn the_age_of_the_last_word_is_told() {
    let Synced { maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    assert_eq!(maps.status().last_event_age, Some(Duration::ZERO));
    sleep(Duration::from_secs(40)).await;
    assert_eq!(maps.status().last_event_age, Some(Duration::from_secs(40)));
    watch.bookmark("9");
    settle().await;
    assert_eq!(maps.status().last_event_age, Some(Duration::ZERO));
}

/// A client whose requests for secrets panic.
fn panicking() -> Client {
    let (_server, client) = foos::server();
    client.codec(CODEC).intercept(|request, next| async move {
        assert!(!request.uri().path().ends_with("/secrets"), "no secrets please");
        next.send(request).await
    })
}

/// C-05 and upstream's `HandleCrash`: a panic of what follows the server is in the status, in the errors of
/// who waits, and in the end of the run.
#[tokio::test(start_paused = true)]
async fn c_05_a_panic_of_a_list_is_raised_by_the_run() {
    let client = panicking();
    let cache = Cache::new(&client).seed(1);
    let (maps, secrets) = (cache.watch::<ConfigMap>(), cache.watch::<Secret>());
    let mut running = run(&cache);
    let error = cache.synced().await.unwrap_err();
    assert!(error.is_stopped(), "{error}");
    let told = error.copies().iter().map(ToString::to_string).find(|told| told.contains("secrets"));
    assert!(told.is_some_and(|told| told.contains("no secrets please")), "{error}");
    let ended = running.join_next().await.unwrap().unwrap_err();
    let panic = ended.into_panic();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"no secrets please"));
    let status = secrets.status();
    assert_eq!(status.phase, Phase::Stopped);
    assert!(status.last_error.unwrap().contains("panicked: no secrets please"));
    assert_eq!(maps.status().phase, Phase::Stopped, "all is stopped, and nobody reads on unaware");
    let error = secrets.get(("default", "a")).await.unwrap_err();
    assert!(error.to_string().contains("no secrets please"), "{error}");
}

/// C-05: upstream leaks a list that hangs.
#[tokio::test(start_paused = true)]
async fn c_05_a_list_that_hangs_ends_with_the_run() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let _maps = cache.watch::<ConfigMap>();
    let running = run(&cache);
    server.call().await.refuse(400, "BadRequest");
    let list = server.call().await;
    assert!(!list.is_abandoned());
    drop(running);
    settle().await;
    assert!(list.is_abandoned());
}
