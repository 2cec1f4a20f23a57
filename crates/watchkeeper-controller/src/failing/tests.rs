//! What is noted of failures, and when it is forgotten.

use super::*;

fn request(name: &str) -> Request {
    Request::from(watchkeeper_api::ObjectKey::from(("shop", name)))
}

fn told(failures: &Failures) -> Vec<String> {
    failures.list().iter().map(ToString::to_string).collect()
}

#[tokio::test(start_paused = true)]
async fn what_fails_is_known_until_it_goes_well() {
    let failures = Failures::default();
    failures.note(&request("b"), "no price".to_owned());
    failures.note(&request("a"), "no price".to_owned());
    tokio::time::sleep(Duration::from_secs(3)).await;
    failures.note(&request("b"), "no stock".to_owned());
    assert_eq!(
        told(&failures),
        ["shop/a failed once: no price", "shop/b failed 2 times: no stock"]
    );
    let ages: Vec<u64> = failures.list().iter().map(|failing| failing.age.as_secs()).collect();
    assert_eq!(ages, [3, 0]);
    failures.forget(&request("c"));
    failures.forget(&request("b"));
    assert_eq!(told(&failures), ["shop/a failed once: no price"]);
    failures.note(&request("b"), "no stock".to_owned());
    assert_eq!(failures.list()[1].failures, 1, "what went well between them counts");
    failures.forget(&request("a"));
    failures.clear();
    assert_eq!(failures.list(), []);
}

#[test]
fn of_many_those_that_failed_longest_ago_are_forgotten() {
    let failures = Failures::default();
    for at in 0..=OBJECTS {
        failures.note(&request(&format!("{at:04}")), String::new());
    }
    let failing = failures.list();
    assert_eq!(failing.len(), OBJECTS);
    assert_eq!(failing[0].request, request("0001"));
}
