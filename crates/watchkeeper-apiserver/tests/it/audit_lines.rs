//! The log of requests, line by line.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use watchkeeper_apiserver::hooks::AuditLines;
use watchkeeper_apiserver::{ApiServer, Clock, Now, User};

use crate::support::*;

/// What was written.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a lock").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Paper {
    /// The lines since the last call, without names that are made up.
    fn lines(&self) -> Vec<Value> {
        let text = std::mem::take(&mut *self.0.lock().expect("a lock"));
        let lines = String::from_utf8(text).expect("text");
        assert!(lines.is_empty() || lines.ends_with('\n'), "{lines}");
        let line = |line: &str| {
            let mut line: Value = serde_json::from_str(line).expect("JSON");
            for made in ["/auditID", "/objectRef/uid"] {
                if let Some(made) = line.pointer_mut(made) {
                    assert_eq!(made.as_str().map(str::len), Some(36), "{made}");
                    *made = "made up".into();
                }
            }
            line
        };
        lines.lines().map(line).collect()
    }

    /// The one line since the last call is this, but for what they all have.
    fn is(&self, expected: &Expect) {
        let [line] = &mut self.lines()[..] else { panic!("not one line") };
        let common = json!({
            "kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Metadata",
            "auditID": "made up", "userAgent": "tester/1.0",
            "requestReceivedTimestamp": "2026-01-01T00:00:00.000000Z",
            "stageTimestamp": "2026-01-01T00:00:00.000000Z",
        });
        for (name, value) in common.as_object().expect("an object") {
            assert_eq!(
                line.as_object_mut().expect("an object").remove(name).as_ref(),
                Some(value),
                "{name}"
            );
        }
        expected.assert_eq(&format!("{line:#}"));
    }
}

/// A server with roles, on which a token is an administrator's and another one nobody's in particular.
fn logged() -> (Client, Paper) {
    let clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
    let server = ApiServer::builder().rbac().clock(clock).build();
    server.add_token("root", User::admin());
    server.add_token("bob", User::new("bob"));
    let paper = Paper::default();
    server.add_hook(AuditLines::new(paper.clone()));
    (Client { server, agent: "tester" }, paper)
}

const ROOT: (&str, &str) = ("authorization", "Bearer root");
const JSON_TYPE: (&str, &str) = ("content-type", "application/json");
const MAP: &str = "/api/v1/namespaces/default/configmaps/a";

#[tokio::test(start_paused = true)]
async fn v11_what_is_made_is_told_with_its_name_and_version() {
    let (client, paper) = logged();
    let path = format!("{CONFIG_MAPS}?fieldManager=me");
    let body = json!({"metadata": {"name": "a"}}).to_string();
    client.try_send("POST", &path, &[ROOT, JSON_TYPE], body).await.expect("an answer").expect(201);
    paper.is(&expect![[r#"
        {
          "annotations": {
            "authorization.k8s.io/decision": "allow",
            "authorization.k8s.io/reason": ""
          },
          "objectRef": {
            "apiVersion": "v1",
            "name": "a",
            "namespace": "default",
            "resource": "configmaps",
            "resourceVersion": "7",
            "uid": "made up"
          },
          "requestURI": "/api/v1/namespaces/default/configmaps?fieldManager=me",
          "responseStatus": {
            "code": 201,
            "metadata": {}
          },
          "stage": "ResponseComplete",
          "user": {
            "groups": [
              "system:masters",
              "system:authenticated"
            ],
            "username": "system:admin"
          },
          "verb": "create"
        }"#]]);
}

#[tokio::test(start_paused = true)]
async fn v11_who_may_not_is_told_with_as_whom_and_why() {
    let (client, paper) = logged();
    let bob = ("impersonate-user", "bob");
    client.try_send("GET", MAP, &[ROOT, bob], String::new()).await.expect("an answer").expect(403);
    paper.is(&expect![[r#"
        {
          "annotations": {
            "authorization.k8s.io/decision": "forbid",
            "authorization.k8s.io/reason": ""
          },
          "impersonatedUser": {
            "groups": [
              "system:authenticated"
            ],
            "username": "bob"
          },
          "objectRef": {
            "apiVersion": "v1",
            "name": "a",
            "namespace": "default",
            "resource": "configmaps"
          },
          "requestURI": "/api/v1/namespaces/default/configmaps/a",
          "responseStatus": {
            "code": 403,
            "details": {
              "kind": "configmaps",
              "name": "a"
            },
            "message": "configmaps \"a\" is forbidden: User \"bob\" cannot get resource \"configmaps\" in API group \"\" in the namespace \"default\"",
            "metadata": {},
            "reason": "Forbidden",
            "status": "Failure"
          },
          "stage": "ResponseComplete",
          "user": {
            "groups": [
              "system:masters",
              "system:authenticated"
            ],
            "username": "system:admin"
          },
          "verb": "get"
        }"#]]);
}

#[tokio::test(start_paused = true)]
async fn v11_what_is_refused_in_protobuf_is_told_alike() {
    let (client, paper) = logged();
    let mut told = Vec::new();
    for accept in ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"] {
        let headers = [ROOT, ("accept", accept)];
        client.try_send("DELETE", MAP, &headers, String::new()).await.expect("an answer");
        told.extend(paper.lines().into_iter().map(|line| line["responseStatus"].clone()));
    }
    let refused = json!({
        "metadata": {}, "code": 404, "status": "Failure", "reason": "NotFound",
        "message": "configmaps \"a\" not found", "details": {"name": "a", "kind": "configmaps"},
    });
    assert_eq!(told, [refused.clone(), refused, json!({"metadata": {}, "code": 404})]);
}

#[tokio::test(start_paused = true)]
async fn v11_a_watch_is_told_when_it_begins_and_what_is_no_object_by_its_path() {
    let (client, paper) = logged();
    let path = format!("{CONFIG_MAPS}?watch=1&resourceVersion=1");
    let _watch = client.open("GET", &path, &[ROOT], String::new()).await.expect("an answer");
    paper.is(&expect![[r#"
        {
          "annotations": {
            "authorization.k8s.io/decision": "allow",
            "authorization.k8s.io/reason": ""
          },
          "objectRef": {
            "apiVersion": "v1",
            "namespace": "default",
            "resource": "configmaps"
          },
          "requestURI": "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=1",
          "responseStatus": {
            "code": 200,
            "metadata": {}
          },
          "stage": "ResponseStarted",
          "user": {
            "groups": [
              "system:masters",
              "system:authenticated"
            ],
            "username": "system:admin"
          },
          "verb": "watch"
        }"#]]);
    let bob = ("authorization", "Bearer bob");
    client.try_send("GET", "/version", &[bob], String::new()).await.expect("an answer").expect(200);
    paper.is(&expect![[r#"
        {
          "annotations": {
            "authorization.k8s.io/decision": "allow",
            "authorization.k8s.io/reason": "RBAC: allowed by ClusterRoleBinding \"system:discovery\" of ClusterRole \"system:discovery\" to Group \"system:authenticated\""
          },
          "requestURI": "/version",
          "responseStatus": {
            "code": 200,
            "metadata": {}
          },
          "stage": "ResponseComplete",
          "user": {
            "groups": [
              "system:authenticated"
            ],
            "username": "bob"
          },
          "verb": "get"
        }"#]]);
    // Nobody knows who that was.
    let stranger = ("authorization", "Bearer stranger");
    client
        .try_send("GET", "/version", &[stranger], String::new())
        .await
        .expect("an answer")
        .expect(401);
    assert_eq!(paper.lines(), Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn v11_what_policies_add_to_the_audit_is_told() {
    let (client, paper) = logged();
    let group = "/apis/admissionregistration.k8s.io/v1";
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "p"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
                "resources": ["configmaps"],
            }]},
            "auditAnnotations": [{"key": "name", "valueExpression": "'made: ' + object.metadata.name"}],
        },
    });
    let binding = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "b"}, "spec": {"policyName": "p", "validationActions": ["Deny"]},
    });
    for (path, body) in [
        (format!("{group}/validatingadmissionpolicies"), policy),
        (format!("{group}/validatingadmissionpolicybindings"), binding),
        (CONFIG_MAPS.to_owned(), json!({"metadata": {"name": "a"}})),
    ] {
        let made = client.try_send("POST", &path, &[ROOT, JSON_TYPE], body.to_string()).await;
        made.expect("an answer").expect(201);
    }
    let told = paper.lines().pop().expect("a line");
    let expected = json!({
        "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "",
        "p/name": "made: a",
    });
    assert_eq!(told["annotations"], expected);
}
