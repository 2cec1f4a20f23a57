//! V12 beside the cases that the real server answers too (`access`): what is this server's own.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower_service::Service as _;
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::{Answer, CONFIG_MAPS, Client, PODS, client, names, pod};

const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const ME: &str = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

fn agent(server: &ApiServer) -> Client {
    Client { server: server.clone(), agent: "tester" }
}

async fn with_token(client: &Client, token: &str, method: &str, path: &str) -> Answer {
    let headers = [("authorization", &*format!("Bearer {token}"))];
    let body = if method == "POST" { "{}" } else { "" };
    client.try_send(method, path, &headers, body.to_owned()).await.expect("an answer")
}

async fn name_of(client: &Client, token: &str) -> String {
    let me = with_token(client, token, "POST", ME).await.expect(201);
    me["status"]["userInfo"]["username"].as_str().expect("a name").to_owned()
}

#[tokio::test(start_paused = true)]
async fn v12_1_without_credentials_to_ask_for_everybody_is_the_administrator() {
    let client = client();
    let me = client.post(ME, &json!({})).await.expect(201);
    let told = json!({
        "username": "system:admin", "groups": ["system:masters", "system:authenticated"],
    });
    assert_eq!(me["status"]["userInfo"], told);
    assert_eq!(name_of(&client, "whatever").await, "system:admin");
    assert_eq!(client.get(PODS).await.code, 200);
}

#[tokio::test(start_paused = true)]
async fn v12_1_nobody_is_answered_about_health_only() {
    let server = ApiServer::builder().rbac().build();
    let client = agent(&server);
    for path in ["/healthz", "/livez", "/readyz", "/version"] {
        assert_eq!(client.get(path).await.code, 200, "{path}");
    }
    for path in [PODS, "/api", "/openapi/v3", "/"] {
        assert_eq!(client.get(path).await.line(), "401 Unauthorized: Unauthorized", "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn v12_1_tokens_are_known_from_the_start_or_added() {
    let server = ApiServer::builder().token("root").user("a", User::new("alice")).build();
    let client = agent(&server);
    assert_eq!(name_of(&client, "root").await, "system:admin");
    assert_eq!(name_of(&client, "a").await, "alice");
    assert_eq!(with_token(&client, "b", "GET", PODS).await.code, 401);
    server.add_token("b", User::new("bob"));
    assert_eq!(name_of(&client, "b").await, "bob");
    // Who is in may do everything unless roles and bindings hold.
    assert_eq!(with_token(&client, "b", "GET", PODS).await.code, 200);
}

#[tokio::test(start_paused = true)]
async fn v12_1_a_listener_says_who_is_at_the_other_end() {
    let server = ApiServer::builder().rbac().build();
    let mut alice = server.acting_as(User::new("alice").in_group("devs"));
    let request = http::Request::post(ME).header("content-type", "application/json");
    // Of a certificate and a token the certificate counts.
    let request = request.header("authorization", "Bearer nonsense").body("{}".to_owned());
    let answer = alice.call(request.expect("a request")).await.expect("an answer");
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    let me: Value = serde_json::from_slice(&body).expect("JSON");
    let told = json!({"username": "alice", "groups": ["devs", "system:authenticated"]});
    assert_eq!(me["status"]["userInfo"], told);
}

#[tokio::test(start_paused = true)]
async fn v12_2_reviews_tell_what_would_be_allowed_where_everything_is() {
    let client = client();
    let review = json!({"spec": {
        "user": "alice", "resourceAttributes": {"verb": "list", "resource": "pods"},
    }});
    let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    let answer = client.post(path, &review).await.expect(201);
    assert_eq!(answer["status"], json!({"allowed": false}));
    let headers = [("impersonate-user", "alice")];
    let listed = client.try_send("GET", PODS, &headers, String::new()).await.expect("an answer");
    assert_eq!(listed.code, 200, "{}", listed.text);
}

#[tokio::test(start_paused = true)]
async fn v12_2_the_roles_of_every_cluster_are_there_unwritten() {
    let client = client();
    let list = client.get(ROLES).await.expect(200);
    let all = names(&list);
    for name in ["admin", "cluster-admin", "edit", "view", "system:discovery", "system:node"] {
        assert!(all.iter().any(|one| one == name), "{name}");
    }
    assert_eq!(client.server.history().count(), ApiServer::new().history().count());
    let edit = client.get(&format!("{ROLES}/edit")).await.expect(200);
    assert_eq!(edit["metadata"]["resourceVersion"], "1");
    let gone = client.delete(&format!("{ROLES}/system:heapster")).await;
    assert_eq!(gone.code, 200, "{}", gone.text);
    assert_eq!(client.get(&format!("{ROLES}/system:heapster")).await.code, 404);
    // A watch from before tells what happened since, and no role that was always there.
    let mut watch = client.watch(&format!("{ROLES}?watch=true&resourceVersion=1")).await;
    assert_eq!(watch.ready().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn v12_2_roles_in_a_circle_gather_each_others_rules_and_rest() {
    let client = client();
    let role = |name: &str, own: &str, gathers: &str| {
        json!({
            "metadata": {"name": name, "labels": {"is": name}},
            "aggregationRule": {"clusterRoleSelectors": [
                {"matchLabels": {"is": gathers}}, {"matchLabels": {"is": own}},
            ]},
        })
    };
    let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
    client.post(ROLES, &role("a", "leaf", "b")).await.expect(201);
    client.post(ROLES, &role("b", "none", "a")).await.expect(201);
    let leaf = json!({"metadata": {"name": "leaf", "labels": {"is": "leaf"}}, "rules": rules});
    client.post(ROLES, &leaf).await.expect(201);
    for name in ["a", "b"] {
        let role = client.get(&format!("{ROLES}/{name}")).await.expect(200);
        assert_eq!(role["rules"], rules, "{name}");
        let managers = role["metadata"]["managedFields"].to_string();
        assert!(managers.contains("clusterrole-aggregation-controller"), "{managers}");
    }
}

#[tokio::test(start_paused = true)]
async fn v12_2_roles_in_a_circle_rest_whatever_they_begin_with() {
    let client = client();
    let rules =
        |resource: &str| json!([{"apiGroups": [""], "resources": [resource], "verbs": ["get"]}]);
    let role = |name: &str, gathers: &[&str], rules: Value| {
        let one = |name: &&str| json!({"matchLabels": {"is": name}});
        let selectors: Vec<Value> = gathers.iter().map(one).collect();
        let mut role = json!({"metadata": {"name": name, "labels": {"is": name}}, "rules": rules});
        if !selectors.is_empty() {
            role["aggregationRule"] = json!({"clusterRoleSelectors": selectors});
        }
        role
    };
    client.post(ROLES, &role("leaf", &[], rules("pods"))).await.expect(201);
    client.post(ROLES, &role("a", &["b", "leaf"], json!([]))).await.expect(201);
    client.post(ROLES, &role("b", &["a"], rules("nodes"))).await.expect(201);
    for name in ["a", "b"] {
        let role = client.get(&format!("{ROLES}/{name}")).await.expect(200);
        let resources = ["nodes", "pods"].map(|resource| rules(resource)[0].clone());
        assert_eq!(role["rules"], json!(resources), "{name}");
    }
    let revision = client.server.revision();
    client.post(ROLES, &role("other", &[], rules("secrets"))).await.expect(201);
    assert_eq!(client.server.revision(), revision + 1, "the circle is not written again");
}

#[tokio::test(start_paused = true)]
async fn v12_2_a_dry_run_gathers_nothing() {
    let client = client();
    let label = "rbac.authorization.k8s.io/aggregate-to-view";
    let role = json!({
        "metadata": {"name": "more", "labels": {label: "true"}},
        "rules": [{"apiGroups": ["x"], "resources": ["ys"], "verbs": ["get"]}],
    });
    let revision = client.server.revision();
    client.post(&format!("{ROLES}?dryRun=All"), &role).await.expect(201);
    assert_eq!(client.server.revision(), revision);
    client.post(ROLES, &role).await.expect(201);
    let view = client.get(&format!("{ROLES}/view")).await.expect(200);
    assert!(view["rules"].to_string().contains("ys"));
}

#[tokio::test(start_paused = true)]
async fn v12_3_a_token_ends_with_its_hour_its_pod_and_its_account() {
    let server = ApiServer::builder().token("root").build();
    let client = agent(&server);
    let root = [("authorization", "Bearer root"), ("content-type", "application/json")];
    let send = |method: &'static str, path: &'static str, body: Value| {
        let client = client.clone();
        async move {
            let body = if body.is_null() { String::new() } else { body.to_string() };
            client.try_send(method, path, &root, body).await.expect("an answer")
        }
    };
    const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
    const TOKEN: &str = "/api/v1/namespaces/default/serviceaccounts/cook/token";
    send("POST", ACCOUNTS, json!({"metadata": {"name": "cook"}})).await.expect(201);
    let mut with_pod = pod("p");
    with_pod["spec"]["serviceAccountName"] = "cook".into();
    send("POST", PODS, with_pod).await.expect(201);
    let token = |answer: &Value| answer["status"]["token"].as_str().expect("a token").to_owned();
    let plain = token(&send("POST", TOKEN, json!({})).await.expect(201));
    let bound = json!({"spec": {"expirationSeconds": 600, "boundObjectRef": {
        "apiVersion": "v1", "kind": "Pod", "name": "p",
    }}});
    let bound = token(&send("POST", TOKEN, bound).await.expect(201));
    let code = async |token: &str| with_token(&client, token, "GET", CONFIG_MAPS).await.code;
    assert_eq!((code(&plain).await, code(&bound).await), (200, 200));
    let now = send("DELETE", "/api/v1/namespaces/default/pods/p", Value::Null).await;
    assert_eq!(now.code, 200, "{}", now.text);
    assert_eq!((code(&plain).await, code(&bound).await), (200, 401), "its pod is gone");
    tokio::time::advance(std::time::Duration::from_secs(3599)).await;
    assert_eq!(code(&plain).await, 200);
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    assert_eq!(code(&plain).await, 401, "its hour is over");
    let again = token(&send("POST", TOKEN, json!({})).await.expect(201));
    assert_eq!(code(&again).await, 200);
    let gone = send("DELETE", "/api/v1/namespaces/default/serviceaccounts/cook", Value::Null).await;
    assert_eq!(gone.code, 200);
    assert_eq!(code(&again).await, 401, "its account is gone");
}

#[tokio::test(start_paused = true)]
async fn v12_2_a_watch_that_was_let_in_goes_on() {
    let server = ApiServer::builder().rbac().user("a", User::admin()).build();
    let client = agent(&server);
    let (status, code) = (with_token(&client, "a", "GET", PODS).await.code, 200);
    assert_eq!(status, code);
    let refused = client.get(&format!("{PODS}?watch=true")).await;
    assert_eq!(refused.code, 401, "{}", refused.text);
    assert_eq!(server.open_requests(), 0, "who was refused is not under way");
}

/// A token for an account of this server, and what a review of it says on another with the same
/// accounts.
async fn token_and_review(one: ApiServer, other: ApiServer) -> (String, bool) {
    const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
    let (one, other) = (agent(&one), agent(&other));
    let cook = json!({"metadata": {"name": "cook"}});
    let of_one = one.post(ACCOUNTS, &cook).await.expect(201);
    let of_other = other.post(ACCOUNTS, &cook).await.expect(201);
    assert_eq!(of_one["metadata"]["uid"], of_other["metadata"]["uid"], "the same dice");
    let made = one.post(&format!("{ACCOUNTS}/cook/token"), &json!({})).await.expect(201);
    let token = made["status"]["token"].as_str().expect("a token").to_owned();
    let review = json!({"spec": {"token": token}});
    let reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    let own = one.post(reviews, &review).await.expect(201);
    assert_eq!(own["status"]["authenticated"], true, "{own}");
    let review = other.post(reviews, &review).await.expect(201);
    (token, review["status"]["authenticated"] == true)
}

#[tokio::test(start_paused = true)]
async fn v12_3_tokens_are_signed_with_what_nobody_knows_unless_a_seed_was_given() {
    let (plain, seeded) = (ApiServer::new, || ApiServer::builder().seed(0));
    let (token, is_taken) = token_and_review(plain(), plain()).await;
    assert!(!is_taken, "each server has a key of its own");
    let (same, is_taken) = token_and_review(seeded().build(), seeded().build()).await;
    assert!(is_taken && same != token, "one seed, one key");
    let (again, _) = token_and_review(seeded().build(), plain()).await;
    assert_eq!(again, same, "one seed, the same tokens");
    let drawn = || seeded().drawn_signing_key().build();
    let (token, is_taken) = token_and_review(drawn(), seeded().build()).await;
    assert!(!is_taken && token != same, "a key that the seed does not tell");
    let keyed = |key| ApiServer::builder().signing_key([key; 32]).build();
    assert!(token_and_review(keyed(1), keyed(1)).await.1);
    assert!(!token_and_review(keyed(1), keyed(2)).await.1);
}

#[tokio::test(start_paused = true)]
async fn v12_3_tokens_are_of_the_issuer_that_was_set_and_for_it() {
    const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
    let client = agent(&ApiServer::builder().issuer("https://127.0.0.1:7/").build());
    client.post(ACCOUNTS, &json!({"metadata": {"name": "cook"}})).await.expect(201);
    let made = client.post(&format!("{ACCOUNTS}/cook/token"), &json!({})).await.expect(201);
    assert_eq!(made["spec"]["audiences"], json!(["https://127.0.0.1:7/"]));
    let token = made["status"]["token"].as_str().expect("a token");
    let claims = token.split('.').nth(1).expect("three parts");
    let claims = URL_SAFE_NO_PAD.decode(claims).expect("base64");
    let claims: Value = serde_json::from_slice(&claims).expect("JSON");
    assert_eq!(claims["iss"], "https://127.0.0.1:7/");
    let review = json!({"spec": {"token": token}});
    let review = client.post("/apis/authentication.k8s.io/v1/tokenreviews", &review).await;
    let told = json!(["https://127.0.0.1:7/"]);
    assert_eq!(review.expect(201)["status"]["audiences"], told, "it is taken back");
    assert_eq!(name_of(&client, token).await, "system:serviceaccount:default:cook");
}

#[tokio::test(start_paused = true)]
async fn v12_3_a_token_holds_ten_minutes_at_least_and_two_to_the_32_seconds_at_most() {
    let client = client();
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    client.post(accounts, &json!({"metadata": {"name": "cook"}})).await.expect(201);
    for (seconds, code) in
        [(599, 422), (600, 201), (4_294_967_296_i64, 201), (4_294_967_297_i64, 422)]
    {
        let request = json!({"spec": {"expirationSeconds": seconds}});
        let answer = client.post(&format!("{accounts}/cook/token"), &request).await;
        assert_eq!(answer.code, code, "{seconds} {}", answer.text);
    }
}
