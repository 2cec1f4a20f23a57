use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Value, json};

use super::{HEADER, ISSUER, Signer, Wanted, claims, judge};
use crate::clock::Now;
use crate::rng::Rng;
use crate::storage::{Store, Stored, TableName, key};

fn put(store: &mut Store, table: &str, name: &str, uid: &str) {
    let object = json!({"metadata": {"namespace": "a", "name": name, "uid": uid}});
    store.put(&TableName::from(table), &key("a", name), object);
}

fn at(second: u64) -> Now {
    Now(Duration::from_secs(second))
}

/// A token made at second 1000 for an hour.
fn token_claims(store: &Store, bound: Vec<(&'static str, String, String)>) -> Value {
    let account = store.get("serviceaccounts", "a/cook").expect("the account");
    let account: &Stored = account;
    let audiences = &[ISSUER.to_owned()];
    let (issuer, id) = (ISSUER, "id".to_owned());
    claims(&Wanted { issuer, account, audiences, bound, seconds: 3600, id }, at(1000))
}

fn with_cook() -> Store {
    let mut store = Store::new(10);
    put(&mut store, "serviceaccounts", "cook", "u1");
    store
}

fn why(store: &Store, claims: &Value, audience: &str, second: u64) -> String {
    match judge(store, claims, &[audience.to_owned()], at(second)) {
        Ok(judged) => format!("{} {:?}", judged.user.name, judged.audiences),
        Err(why) => why,
    }
}

#[test]
fn a_token_is_read_by_who_signed_it() {
    let signer = Signer::of_dice(&Rng::new(7));
    let token = signer.sign(&json!({"sub": "x"}));
    assert_eq!(signer.read(&token), Some(json!({"sub": "x"})));
    assert_eq!(
        Signer::of_dice(&Rng::new(7)).sign(&json!({"sub": "x"})),
        token,
        "one seed, one token"
    );
    assert_eq!(Signer::of_dice(&Rng::new(8)).read(&token), None, "another server");
    let (head, _) = token.rsplit_once('.').expect("three parts");
    let other = signer.sign(&json!({"sub": "y"}));
    let (_, signature) = other.rsplit_once('.').expect("three parts");
    for wrong in
        [format!("{head}.{signature}"), format!("{head}."), head.to_owned(), "x".to_owned()]
    {
        assert_eq!(signer.read(&wrong), None, "{wrong}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_is_taken_for_a_token(text in "\\PC{0,40}", claims in "[a-zA-Z0-9_-]{0,40}") {
        let signer = Signer::of_dice(&Rng::new(7));
        proptest::prop_assert_eq!(signer.read(&text), None);
        let forged = format!("eyJhbGciOiJub25lIn0.{claims}.");
        proptest::prop_assert_eq!(signer.read(&forged), None);
    }
}

#[test]
fn the_dice_of_the_server_are_not_rolled() {
    let mut rng = Rng::new(7);
    let _ = Signer::of_dice(&rng);
    assert_eq!(rng.next_u64(), Rng::new(7).next_u64());
}

#[test]
fn the_claims_are_those_that_clients_read() {
    let pod = vec![("pod", "p".to_owned(), "u2".to_owned())];
    let expected = json!({
        "aud": [ISSUER], "exp": 4600, "iat": 1000, "nbf": 1000, "iss": ISSUER, "jti": "id",
        "sub": "system:serviceaccount:a:cook",
        "kubernetes.io": {
            "namespace": "a",
            "serviceaccount": {"name": "cook", "uid": "u1"},
            "pod": {"name": "p", "uid": "u2"},
        },
    });
    assert_eq!(token_claims(&with_cook(), pod), expected);
}

#[test]
fn a_token_holds_for_its_time_and_audience() {
    let store = with_cook();
    let claims = token_claims(&store, Vec::new());
    let ok = format!("system:serviceaccount:a:cook [{ISSUER:?}]");
    assert_eq!(why(&store, &claims, ISSUER, 1000), ok);
    assert_eq!(why(&store, &claims, ISSUER, 4599), ok);
    assert_eq!(why(&store, &claims, ISSUER, 4600), "service account token has expired");
    assert_eq!(why(&store, &claims, ISSUER, 999), "service account token is not valid yet");
    let other = format!("token audiences [{ISSUER:?}] is invalid for the target audiences [\"x\"]");
    assert_eq!(why(&store, &claims, "x", 1000), other);
}

#[test]
fn a_token_ends_with_its_account_and_with_what_it_is_bound_to() {
    let mut store = with_cook();
    put(&mut store, "pods", "p", "u2");
    let claims = token_claims(&store, vec![("pod", "p".to_owned(), "u2".to_owned())]);
    let judged = judge(&store, &claims, &[ISSUER.to_owned()], at(1000)).expect("a user");
    assert_eq!(judged.user.uid, "u1");
    let extra: Vec<String> = judged.user.extra.values().flatten().cloned().collect();
    assert_eq!(extra, ["JTI=id", "p", "u2"]);
    put(&mut store, "pods", "p", "u3");
    let gone = "service account token has been invalidated: its pod is gone";
    assert_eq!(why(&store, &claims, ISSUER, 1000), gone, "a pod of the same name");
    put(&mut store, "serviceaccounts", "cook", "u4");
    assert_eq!(why(&store, &claims, ISSUER, 1000), "serviceaccounts \"cook\" not found");
}

#[test]
fn a_token_of_a_node_ends_with_it_unless_a_pod_is_named() {
    let mut store = with_cook();
    let put_node = |store: &mut Store, uid: &str| {
        let node = json!({"metadata": {"name": "n", "uid": uid}});
        store.put(&TableName::from("nodes"), &key("", "n"), node);
    };
    put(&mut store, "pods", "p", "u2");
    put_node(&mut store, "u3");
    let node = ("node", "n".to_owned(), "u3".to_owned());
    let of_node = token_claims(&store, vec![node.clone()]);
    let of_pod = token_claims(&store, vec![("pod", "p".to_owned(), "u2".to_owned()), node]);
    let ok = format!("system:serviceaccount:a:cook [{ISSUER:?}]");
    assert_eq!(why(&store, &of_node, ISSUER, 1000), ok);
    put_node(&mut store, "u4");
    let gone = "service account token has been invalidated: its node is gone";
    assert_eq!(why(&store, &of_node, ISSUER, 1000), gone, "a node of the same name");
    assert_eq!(why(&store, &of_pod, ISSUER, 1000), ok, "the pod is still there");
    let removed = store.get("nodes", "n").map(|node| node.value().into_value()).expect("a node");
    store.remove(&TableName::from("nodes"), &key("", "n"), removed);
    assert_eq!(why(&store, &of_node, ISSUER, 1000), gone);
}

#[test]
fn a_token_outlives_what_is_being_deleted_by_a_minute() {
    let part = |kind: &'static str| vec![(kind, "x".to_owned(), "u2".to_owned())];
    let account = "service account a/cook has been deleted".to_owned();
    let gone =
        |what: &str| format!("service account token has been invalidated: its {what} is gone");
    for (table, name, bound, told) in [
        ("serviceaccounts", "cook", Vec::new(), account),
        ("pods", "x", part("pod"), gone("pod")),
        ("secrets", "x", part("secret"), gone("secret")),
        ("nodes", "x", part("node"), gone("node")),
    ] {
        let mut store = with_cook();
        let (namespace, uid) = match table {
            "nodes" => ("", "u2"),
            "serviceaccounts" => ("a", "u1"),
            _ => ("a", "u2"),
        };
        let mut object = json!({"metadata": {"namespace": namespace, "name": name, "uid": uid}});
        store.put(&TableName::from(table), &key(namespace, name), object.clone());
        let claims = token_claims(&store, bound);
        object["metadata"]["deletionTimestamp"] = "1970-01-01T00:20:00Z".into();
        store.put(&TableName::from(table), &key(namespace, name), object);
        let ok = format!("system:serviceaccount:a:cook [{ISSUER:?}]");
        assert_eq!(why(&store, &claims, ISSUER, 1260), ok, "{table}");
        assert_eq!(why(&store, &claims, ISSUER, 1261), told, "{table}");
    }
}

#[test]
fn a_token_that_says_another_algorithm_is_not_read_whoever_signed_it() {
    let signer = Signer::of_dice(&Rng::new(7));
    let signed = |header: &str| {
        let head = format!("{header}.{}", URL_SAFE_NO_PAD.encode("{}"));
        let signature = URL_SAFE_NO_PAD.encode(hmac::sign(&signer.0, head.as_bytes()));
        format!("{head}.{signature}")
    };
    assert_eq!(signer.read(&signed(HEADER)), Some(json!({})));
    assert_eq!(signer.read(&signed("eyJhbGciOiJub25lIn0")), None);
}

/// What a token says of its user beside the name.
fn told(store: &Store, bound: Vec<(&'static str, String, String)>) -> String {
    let claims = token_claims(store, bound);
    let judged = judge(store, &claims, &[ISSUER.to_owned()], at(1000)).expect("a user");
    let extra = judged.user.extra.iter().map(|(name, values)| {
        let name = name.strip_prefix("authentication.kubernetes.io/").expect("the prefix");
        format!("{name}={}", values.join(","))
    });
    extra.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_token_tells_the_pod_and_the_node_that_it_is_for() {
    let mut store = with_cook();
    put(&mut store, "pods", "p", "u2");
    put(&mut store, "secrets", "s", "u2");
    let part = |kind: &'static str, name: &str, uid: &str| (kind, name.to_owned(), uid.to_owned());
    let pod = part("pod", "p", "u2");
    let id = "credential-id=JTI=id";
    assert_eq!(told(&store, Vec::new()), id);
    assert_eq!(told(&store, vec![part("secret", "s", "u2")]), id, "of a secret nothing is told");
    assert_eq!(told(&store, vec![pod.clone()]), format!("{id} pod-name=p pod-uid=u2"));
    assert_eq!(
        told(&store, vec![pod.clone(), part("node", "n", "u3")]),
        format!("{id} node-name=n node-uid=u3 pod-name=p pod-uid=u2")
    );
    assert_eq!(
        told(&store, vec![pod, part("node", "n", "")]),
        format!("{id} node-name=n pod-name=p pod-uid=u2"),
        "a node whose uid is not known"
    );
}

#[test]
fn of_what_has_no_uid_a_token_says_the_name_alone() {
    let claims = token_claims(&with_cook(), vec![("node", "n".to_owned(), String::new())]);
    assert_eq!(claims["kubernetes.io"]["node"], json!({"name": "n"}));
}

#[test]
fn of_several_audiences_those_that_are_meant_are_told_in_the_order_of_who_asks() {
    let store = with_cook();
    let mut claims = token_claims(&store, Vec::new());
    claims["aud"] = json!(["a", "b", "c"]);
    let judged = |wanted: &[&str]| {
        let wanted: Vec<String> = wanted.iter().map(|one| (*one).to_owned()).collect();
        judge(&store, &claims, &wanted, at(1000)).map(|judged| judged.audiences)
    };
    assert_eq!(judged(&["c", "x", "a"]), Ok(vec!["c".to_owned(), "a".to_owned()]));
    let why = r#"token audiences ["a" "b" "c"] is invalid for the target audiences ["x" "y"]"#;
    assert_eq!(judged(&["x", "y"]), Err(why.to_owned()));
}
