//! Get and list.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Kind, Object as _, ObjectKey, Scope};
use watchkeeper_client::{Api, GetOptions, ListOptions};

use crate::fake::{Fake, ok, reset, silence, status};
use crate::{config_map, failure};

const CONFIG_MAP: Kind = Kind::new("", "v1", "ConfigMap", "configmaps", Scope::Namespaced);

fn maps(fake: &Fake) -> Api<ConfigMap> {
    fake.client().api::<ConfigMap>().namespace("a")
}

fn list(items: &[serde_json::Value], continue_: &str) -> String {
    let metadata = json!({ "resourceVersion": "9", "continue": continue_ });
    json!({ "apiVersion": "v1", "kind": "ConfigMapList", "metadata": metadata, "items": items })
        .to_string()
}

#[tokio::test(start_paused = true)]
async fn an_object_is_read() {
    let fake = Fake::new([ok(&config_map("x", 7).to_string()).sliced(10)]);
    let map = maps(&fake).get("x").await.unwrap();
    assert_eq!((map.name(), map.resource_version()), ("x", "7"));
    assert_eq!(fake.asked(), ["GET /api/v1/namespaces/a/configmaps/x"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_none() {
    let missing = failure(404, "NotFound", "configmaps \"x\" not found");
    let fake = Fake::new([status(404, &missing), status(404, &missing)]);
    assert!(maps(&fake).get_opt("x").await.unwrap().is_none());
    let error = maps(&fake).get("x").await.unwrap_err();
    assert!(error.is_not_found());
    let text = error.to_string();
    assert!(text.contains("get") && text.contains("a/x") && text.contains("not found"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_no_status_keeps_its_class() {
    let fake = Fake::new([status(403, "<html>a proxy says secret things</html>")]);
    let error = maps(&fake).get("x").await.unwrap_err();
    assert!(error.is_forbidden(), "{error}");
    assert!(!error.to_string().contains("secret"));
}

#[tokio::test(start_paused = true)]
async fn silence_ends_at_the_deadline() {
    let fake = Fake::new([silence()]);
    let start = Instant::now();
    let error = maps(&fake).get("x").await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    assert_eq!(start.elapsed(), Duration::from_secs(30));
}

#[tokio::test(start_paused = true)]
async fn a_read_survives_a_busy_server_and_a_lost_connection() {
    let body = config_map("x", 7).to_string();
    let busy = status(429, &failure(429, "TooManyRequests", "slow down")).retry_after(2);
    let fake = Fake::new([busy, reset(), ok(&body[..20]).then_reset(), ok(&body)]);
    let start = Instant::now();
    maps(&fake).get("x").await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(4));
    assert_eq!(fake.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_is_asked_eleven_times_in_all() {
    let busy = || status(429, &failure(429, "TooManyRequests", "slow down")).retry_after(1);
    let fake = Fake::new(std::iter::repeat_with(busy).take(11));
    let error = maps(&fake).get("x").await.unwrap_err();
    assert!(error.is_too_many_requests());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
    assert_eq!(fake.asked().len(), 11);
}

#[tokio::test(start_paused = true)]
async fn one_bad_object_does_not_spoil_the_list() {
    let mut bad = config_map("bad", 8);
    bad["data"] = json!(["hunter2"]);
    let text = list(&[config_map("x", 7), bad, config_map("y", 8)], "");
    for size in [1, 7, 64, text.len()] {
        let fake = Fake::new([ok(&text).sliced(size)]);
        let page = maps(&fake).list(&ListOptions::default()).await.unwrap();
        let names: Vec<_> = page.items.iter().map(|map| map.name().to_owned()).collect();
        assert_eq!(names, ["x", "y"]);
        assert_eq!(page.resource_version, "9");
        let [bad] = page.malformed.as_slice() else { panic!("{:?}", page.malformed) };
        assert_eq!(bad.key, Some(ObjectKey::from(("a", "bad"))));
        assert_eq!(bad.resource_version, "8");
        let text = bad.error.to_string();
        assert!(
            text.contains("data") && text.contains("a/bad") && !text.contains("hunter2"),
            "{text}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn items_of_a_dynamic_list_know_their_kind() {
    let mut bare = config_map("x", 7);
    for member in ["apiVersion", "kind"] {
        bare.as_object_mut().unwrap().remove(member);
    }
    let fake = Fake::new([ok(&list(&[bare], ""))]);
    let page = fake.client().dynamic(CONFIG_MAP).list(&ListOptions::default()).await.unwrap();
    assert_eq!(page.items[0].kind(), &CONFIG_MAP);
    assert_eq!(page.items[0].name(), "x");
}

#[tokio::test(start_paused = true)]
async fn pages_follow_one_another() {
    let fake = Fake::new([
        ok(&list(&[config_map("x", 7)], "token")),
        ok(&list(&[config_map("y", 8)], "")),
    ]);
    let page = maps(&fake).list_all(&ListOptions::default().limit(1).any_version()).await.unwrap();
    assert_eq!(page.items.len(), 2);
    assert_eq!(page.continue_, "");
    let collection = "GET /api/v1/namespaces/a/configmaps";
    let asked = [
        format!("{collection}?resourceVersion=0&limit=1"),
        format!("{collection}?limit=1&continue=token"),
    ];
    assert_eq!(fake.asked(), asked);
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_page_starts_over_at_once() {
    let all = list(&[config_map("x", 7), config_map("y", 8)], "");
    let gone = status(410, &failure(410, "Expired", "the token is too old"));
    let fake = Fake::new([ok(&list(&[config_map("x", 7)], "token")), gone, ok(&all)]);
    let page = maps(&fake).list_all(&ListOptions::default()).await.unwrap();
    assert_eq!(page.items.len(), 2);
    assert_eq!(fake.asked()[2], "GET /api/v1/namespaces/a/configmaps");
}

#[tokio::test(start_paused = true)]
async fn a_list_that_breaks_off_is_an_error() {
    let text = list(&[config_map("x", 7)], "");
    let cut = &text[..text.len() - 4];
    for answer in [ok(cut), ok(cut).then_reset(), ok(cut).then_silence()] {
        let fake = Fake::new([answer]);
        maps(&fake).list(&ListOptions::default()).await.unwrap_err();
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_is_read_at_a_version() {
    let found = || ok(&config_map("x", 7).to_string());
    let fake = Fake::new([found(), found(), found()]);
    let maps = maps(&fake);
    maps.get("x").await.unwrap();
    maps.get_with("x", &GetOptions::any_version()).await.unwrap();
    maps.get_with("x", &GetOptions::not_older_than("5")).await.unwrap();
    let path = "GET /api/v1/namespaces/a/configmaps/x";
    let asked =
        ["", "?resourceVersion=0", "?resourceVersion=5"].map(|query| format!("{path}{query}"));
    assert_eq!(fake.asked(), asked);
}
