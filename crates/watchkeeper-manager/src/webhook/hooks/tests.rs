//! Requests to webhooks without a socket, and what is answered.

use std::future::pending;

use serde_json::{Value, json};
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::{Object as _, StaticKind as _};

use super::super::{
    FieldError, Refusal, Review, admitting, both, by_defaulter, defaulting, validating,
};
use super::*;

const PATH: &str = "/mutate-apps-v1-deployment";

/// The answer of the webhook at `path` to a request of an operation.
async fn response(webhooks: &Webhooks, path: &str, request: Value) -> Value {
    let mut request = request;
    request["uid"] = "u".into();
    let review = json!({
        "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request,
    });
    let answer = raw(webhooks, path, "application/json", review.to_string()).await;
    assert_eq!(answer.status(), 200);
    let answer: Value = serde_json::from_slice(answer.body()).expect("JSON");
    assert_eq!(answer["response"]["uid"], "u");
    answer["response"].clone()
}

async fn raw(webhooks: &Webhooks, path: &str, kind: &str, body: String) -> Response<Bytes> {
    let request = Request::post(path).header("content-type", kind).body(Bytes::from(body));
    webhooks.answer(request.expect("a request")).await
}

fn operations(response: &Value) -> Value {
    let patch = response["patch"].as_str().unwrap_or_default();
    let patch = watchkeeper_api::ByteString::from_base64(patch).expect("base64");
    serde_json::from_slice(&patch).unwrap_or_default()
}

/// A deployment with a field that our types do not know beside each that they do.
fn web(replicas: Option<i32>) -> Value {
    let mut web = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", "newer": 1},
        "spec": {"newer": 2, "template": {"spec": {"containers": [
            {"name": "a", "image": "a:1", "newer": 3}, {"name": "b", "newer": 4},
        ]}}},
    });
    if let Some(replicas) = replicas {
        web["spec"]["replicas"] = replicas.into();
    }
    web
}

fn create(object: Value) -> Value {
    json!({"operation": "CREATE", "object": object})
}

fn two_replicas() -> Webhooks {
    Webhooks::new().defaulter(defaulting(|web: &mut Deployment, _| {
        web.spec.replicas.get_or_insert(2);
        Ok(())
    }))
}

#[tokio::test]
async fn a_default_is_the_difference_to_what_was_received() {
    let webhooks = two_replicas();
    let answer = response(&webhooks, PATH, create(web(None))).await;
    let added = json!([{"op": "add", "path": "/spec/replicas", "value": 2}]);
    assert_eq!((operations(&answer), &answer["allowed"]), (added, &json!(true)));
    let answer = response(&webhooks, PATH, create(web(Some(3)))).await;
    assert_eq!((answer.get("patch"), answer.get("patchType")), (None, None), "nothing to say");
}

#[tokio::test]
async fn what_the_type_does_not_know_stays_in_lists_too() {
    let webhooks = Webhooks::new().defaulter(defaulting(|web: &mut Deployment, _| {
        web.spec.template.spec.containers[1].image = "b:1".into();
        web.metadata.labels.insert("tier", "front");
        Ok(())
    }));
    let answer = response(&webhooks, PATH, create(web(None))).await;
    let added = json!([
        {"op": "add", "path": "/metadata/labels", "value": {"tier": "front"}},
        {"op": "add", "path": "/spec/template/spec/containers/1/image", "value": "b:1"},
    ]);
    assert_eq!(operations(&answer), added);
}

#[tokio::test]
async fn deletions_are_not_defaulted() {
    let webhooks = Webhooks::new()
        .defaulter(defaulting(|_: &mut Deployment, _| Err(Refusal::denied("never asked"))));
    let answer = response(&webhooks, PATH, json!({"operation": "DELETE", "oldObject": web(None)}));
    assert_eq!(answer.await["allowed"], true);
}

#[tokio::test]
async fn an_error_of_a_default_refuses_the_write_in_its_words() {
    let webhooks = Webhooks::new().defaulter(defaulting(|web: &mut Deployment, review| {
        review.warn("told all the same");
        web.spec.replicas = Some("x".parse()?);
        Ok(())
    }));
    let answer = response(&webhooks, PATH, create(web(None))).await;
    assert_eq!(answer["allowed"], false);
    assert_eq!(answer["warnings"], json!(["told all the same"]));
    let status = &answer["status"];
    assert_eq!((&status["code"], &status["reason"]), (&json!(403), &json!("Forbidden")));
    assert_eq!(status["message"], "invalid digit found in string");
    assert_eq!(answer.get("patch"), None);
}

#[tokio::test]
async fn an_answer_of_the_server_is_passed_on_with_its_code_and_reason() {
    let webhooks = Webhooks::new().validator(validating(|_: &Deployment, _| {
        let status = watchkeeper_api::object!(watchkeeper_api::meta::v1::Status {
            code: 404,
            reason: "NotFound",
            message: "no such class",
        });
        let subject = watchkeeper_api::error::Subject::new("get", "classes");
        Err(std::io::Error::other(Error::from_status(subject, status)))?
    }));
    let answer = response(&webhooks, "/validate-apps-v1-deployment", create(web(None))).await;
    assert_eq!(answer["status"]["code"], 404);
    assert_eq!(answer["status"]["reason"], "NotFound");
}

struct Judge;

impl Validator<Deployment> for Judge {
    async fn validate_create(&self, object: &Deployment, review: &Review) -> Result<(), Refusal> {
        review.warn(format!("create {}", object.name()));
        let wrong = [
            FieldError::required("spec.selector", ""),
            FieldError::invalid("spec.replicas", 11, "must be at most 10"),
        ];
        Err(Refusal::invalid(object, wrong))
    }

    async fn validate_update(
        &self,
        old: &Deployment,
        new: &Deployment,
        review: &Review,
    ) -> Result<(), Refusal> {
        review.annotate("seen", "yes");
        review.warn(format!("update {:?} to {:?}", old.spec.replicas, new.spec.replicas));
        Ok(())
    }

    async fn validate_delete(&self, object: &Deployment, _: &Review) -> Result<(), Refusal> {
        Err(Refusal::bad_request(format!("delete {}", object.name())))
    }
}

#[tokio::test]
async fn each_operation_has_its_judge_and_field_errors_are_causes() {
    let webhooks = Webhooks::new().validator(Judge);
    let path = "/validate-apps-v1-deployment";
    let answer = response(&webhooks, path, create(web(None))).await;
    assert_eq!(answer["warnings"], json!(["create web"]));
    let status = &answer["status"];
    assert_eq!((&status["code"], &status["reason"]), (&json!(422), &json!("Invalid")));
    let said = "Deployment.apps \"web\" is invalid: [spec.selector: Required value, \
                spec.replicas: Invalid value: 11: must be at most 10]";
    assert_eq!(status["message"], said);
    let details = json!({
        "name": "web", "group": "apps", "kind": "Deployment",
        "causes": [
            {"reason": "FieldValueRequired", "message": "Required value", "field": "spec.selector"},
            {
                "reason": "FieldValueInvalid", "field": "spec.replicas",
                "message": "Invalid value: 11: must be at most 10",
            },
        ],
    });
    assert_eq!(status["details"], details);

    let update = json!({"operation": "UPDATE", "oldObject": web(Some(1)), "object": web(Some(2))});
    let answer = response(&webhooks, path, update).await;
    assert_eq!(answer["warnings"], json!(["update Some(1) to Some(2)"]));
    assert_eq!((&answer["allowed"], &answer["status"]["code"]), (&json!(true), &json!(200)));
    assert_eq!(answer["auditAnnotations"], json!({"seen": "yes"}));
    let answer = response(&webhooks, path, json!({"operation": "DELETE", "oldObject": web(None)}));
    assert_eq!(answer.await["status"]["message"], "delete web");
    let answer = response(&webhooks, path, json!({"operation": "CONNECT"})).await;
    assert_eq!(answer["allowed"], true);
    let answer = response(&webhooks, path, json!({"operation": "SING"})).await;
    assert_eq!(answer["status"]["message"], "unknown operation \"SING\"");
}

#[tokio::test]
async fn an_object_that_is_not_there_or_none_of_the_kind_is_400() {
    let webhooks = two_replicas().validator(Judge);
    for path in [PATH, "/validate-apps-v1-deployment"] {
        let answer = response(&webhooks, path, json!({"operation": "CREATE"})).await;
        let said = answer["status"]["message"].as_str().expect("words").to_owned();
        assert!(said.starts_with("there is no content to decode"), "{said}");
        assert_eq!((&answer["status"]["code"], &answer["allowed"]), (&json!(400), &json!(false)));
        let wrong = create(json!({"apiVersion": "apps/v1", "kind": "Deployment", "spec": 5}));
        assert_eq!(response(&webhooks, path, wrong).await["status"]["code"], 400);
        let other = create(json!({"apiVersion": "v1", "kind": "Pod"}));
        assert_eq!(response(&webhooks, path, other).await["status"]["code"], 400);
    }
}

#[tokio::test]
async fn what_cannot_be_a_review_is_refused_with_upstreams_words() {
    let webhooks = two_replicas();
    let said = async |kind: &str, body: String| {
        let answer = raw(&webhooks, PATH, kind, body).await;
        assert_eq!(answer.status(), 200);
        let answer: Value = serde_json::from_slice(answer.body()).expect("JSON");
        assert_eq!(answer["response"]["allowed"], false);
        let status = &answer["response"]["status"];
        (status["code"].as_i64(), status["message"].as_str().expect("words").to_owned())
    };
    let empty = said("application/json", String::new()).await;
    assert_eq!(empty, (Some(400), "request body is empty".to_owned()));
    let yaml = said("application/yaml", "a: 1".to_owned()).await;
    let why = "contentType=application/yaml, expected application/json".to_owned();
    assert_eq!(yaml, (Some(400), why));
    let long = said("application/json", " ".repeat(LONGEST_REVIEW + 1)).await;
    let why = "request entity is too large; limit is 7340032 bytes".to_owned();
    assert_eq!(long, (Some(413), why));
    assert_eq!(raw(&webhooks, "/other", "application/json", String::new()).await.status(), 404);
    assert_eq!(raw(&webhooks, CONVERT_PATH, "application/json", String::new()).await.status(), 404);
}

#[tokio::test]
async fn a_panic_refuses_with_its_words_and_the_next_one_is_answered() {
    let webhooks = Webhooks::new().admission(
        "/a",
        admitting(|review| {
            assert!(review.is_dry_run(), "no dry {}", "run");
            Reviewed::allowed()
        }),
    );
    let answer = response(&webhooks, "/a", json!({"operation": "CREATE"})).await;
    assert_eq!(answer["status"]["code"], 500);
    assert_eq!(answer["status"]["message"], "panic: no dry run [recovered]");
    let answer = response(&webhooks, "/a", json!({"operation": "CREATE", "dryRun": true})).await;
    assert_eq!(answer["allowed"], true);
}

struct Never;

impl Admission for Never {
    async fn admit(&self, _: &Review) -> Reviewed {
        pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn who_takes_longer_than_the_server_waits_is_given_up() {
    let webhooks = Webhooks::new().admission("/never", Never);
    let took = async |path: &str| {
        let start = tokio::time::Instant::now();
        let answer = response(&webhooks, path, json!({"operation": "CREATE"})).await;
        assert_eq!(answer["status"]["code"], 504);
        start.elapsed().as_secs()
    };
    assert_eq!(took("/never?timeout=3s").await, 3);
    assert_eq!(took("/never").await, 30);
    assert_eq!(took("/never?timeout=1h").await, 30);
    assert_eq!(took("/never?timeout=99999s").await, 30);
}

#[tokio::test]
async fn of_two_at_one_path_the_first_refusal_counts_and_changes_add_up() {
    let replicas = defaulting(|web: &mut Deployment, review| {
        review.warn("replicas");
        web.spec.replicas.get_or_insert(2);
        Ok(())
    });
    let paused = defaulting(|web: &mut Deployment, _| {
        web.spec.paused = true;
        Ok(())
    });
    let webhooks =
        Webhooks::new().admission("/two", both(by_defaulter(replicas), by_defaulter(paused)));
    let answer = response(&webhooks, "/two", create(web(None))).await;
    let patch = operations(&answer);
    let paths: Vec<_> = patch.as_array().expect("a patch").iter().map(|one| &one["path"]).collect();
    assert_eq!(paths, ["/spec/replicas", "/spec/paused"]);
    let no = || admitting(|_| Reviewed::denied("no").warning("1"));
    let second = admitting(|_| Reviewed::denied("second"));
    let webhooks = Webhooks::new().admission("/two", both(no(), second));
    let answer = response(&webhooks, "/two", create(web(None))).await;
    assert_eq!(answer["status"]["message"], "no");
    let yes = admitting(|_| Reviewed::allowed().warning("0"));
    let webhooks = Webhooks::new().admission("/two", both(yes, no()));
    let answer = response(&webhooks, "/two", create(web(None))).await;
    assert_eq!(answer["warnings"], json!(["0", "1"]));
}

#[test]
fn paths_are_upstreams_and_each_is_taken_once() {
    let webhooks = two_replicas().validator(Judge);
    let paths: Vec<_> = webhooks.paths().collect();
    assert_eq!(paths, ["/mutate-apps-v1-deployment", "/validate-apps-v1-deployment"]);
    assert_eq!(mutate_path(Deployment::static_kind()), PATH);
    assert!(webhooks.check().is_ok());
    for wrong in ["", "a", "/a/", "/a b", "//", "/ä", "/a?b"] {
        let webhooks = Webhooks::new().admission(wrong, Never);
        assert!(webhooks.check().is_err(), "{wrong:?}");
    }
    for right in ["/", "/a-b_C9", "/a/b"] {
        assert!(Webhooks::new().admission(right, Never).check().is_ok(), "{right:?}");
    }
    let error = two_replicas().admission(PATH, Never).check().expect_err("it is taken");
    assert_eq!(error.to_string(), "webhooks: /mutate-apps-v1-deployment is taken twice");
    assert!(Webhooks::new().admission(CONVERT_PATH, Never).check().is_err());
}
