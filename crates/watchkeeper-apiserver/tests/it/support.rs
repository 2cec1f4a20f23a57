//! A server and the requests of a test, in as few words as possible.

use std::pin::Pin;
use std::task::Poll;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use watchkeeper_apiserver::{ApiServer, Body};

/// A server and the actor that calls it.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) server: ApiServer,
    pub(crate) agent: &'static str,
}

/// An answer that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) headers: http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|why| panic!("{why} in {}", self.text))
    }

    /// The body, when the code is the expected one.
    pub(crate) fn expect(&self, code: u16) -> Value {
        assert_eq!(self.code, code, "{}", self.text);
        self.json()
    }

    /// Code, reason and message of an error, as one line.
    pub(crate) fn line(&self) -> String {
        let status = self.json();
        let text = |name: &str| status[name].as_str().unwrap_or_default().to_owned();
        format!("{} {}: {}", self.code, text("reason"), text("message"))
    }
}

/// A server with defaults.
pub(crate) fn client() -> Client {
    Client { server: ApiServer::new(), agent: "tester" }
}

impl Client {
    pub(crate) async fn send(&self, method: &str, path: &str, kind: &str, body: String) -> Answer {
        self.try_send(method, path, &[("content-type", kind)], body).await.expect("an answer")
    }

    pub(crate) async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Answer, String> {
        let response = self.open(method, path, headers, body).await?;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Answer { code: parts.status.as_u16(), headers: parts.headers, text })
    }

    pub(crate) async fn open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<http::Response<Body>, String> {
        let mut request = http::Request::builder().method(method).uri(path);
        request = request.header("user-agent", format!("{}/1.0", self.agent));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.into()).expect("a request");
        self.server.answer(request).await.map_err(|error| error.to_string())
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", String::new()).await
    }

    pub(crate) async fn get_as(&self, path: &str, accept: &str) -> Answer {
        self.try_send("GET", path, &[("accept", accept)], String::new()).await.expect("an answer")
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "application/json", body.to_string()).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, "application/json", body.to_string()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, "", String::new()).await
    }

    pub(crate) async fn merge(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, "application/merge-patch+json", body.to_string()).await
    }

    pub(crate) async fn patch(&self, kind: &str, path: &str, body: &Value) -> Answer {
        let kind = match kind {
            "apply" => "application/apply-patch+yaml".to_owned(),
            kind => format!("application/{kind}-patch+json"),
        };
        self.send("PATCH", path, &kind, body.to_string()).await
    }

    /// Creates a config map with one entry and gives its resource version.
    pub(crate) async fn config_map(&self, name: &str, data: &str) -> u64 {
        let body = json!({"metadata": {"name": name}, "data": {"value": data}});
        version(&self.post(CONFIG_MAPS, &body).await.expect(201))
    }

    pub(crate) async fn watch(&self, path: &str) -> Watch {
        self.watch_as(path, "application/json").await
    }

    pub(crate) async fn watch_as(&self, path: &str, accept: &str) -> Watch {
        let headers = [("accept", accept)];
        let response = self.open("GET", path, &headers, String::new()).await.expect("an answer");
        assert_eq!(response.status(), 200);
        Watch { body: response.into_body(), ended: false }
    }
}

pub(crate) const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";
pub(crate) const PODS: &str = "/api/v1/namespaces/default/pods";
pub(crate) const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
pub(crate) const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
pub(crate) const FOOS: &str = "/apis/example.com/v1/namespaces/default/foos";

/// The resource version of an object or a list.
pub(crate) fn version(object: &Value) -> u64 {
    let text = object["metadata"]["resourceVersion"].as_str().expect("a version");
    text.parse().expect("a number")
}

/// The names of a list.
pub(crate) fn names(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().expect("items");
    items.iter().map(|item| item["metadata"]["name"].as_str().expect("a name").to_owned()).collect()
}

/// A stream of frames.
pub(crate) struct Watch {
    body: Body,
    pub(crate) ended: bool,
}

impl Watch {
    /// Waits for the next frame; none at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let frame = self.body.frame().await;
        self.ended = frame.is_none();
        let bytes = frame?.expect("a frame").into_data().expect("data");
        Some(serde_json::from_slice(&bytes).expect("one object a frame"))
    }

    /// The frames that are there now, as `TYPE name@version`, with the data of a config map.
    pub(crate) fn ready(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        loop {
            let body = Pin::new(&mut self.body);
            match http_body::Body::poll_frame(body, &mut cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    let bytes = frame.into_data().expect("data");
                    let frame = serde_json::from_slice(&bytes).expect("one object a frame");
                    lines.push(show(&frame));
                }
                Poll::Ready(_) => {
                    self.ended = true;
                    return lines;
                }
                Poll::Pending => return lines,
            }
        }
    }
}

/// A frame in a line.
pub(crate) fn show(frame: &Value) -> String {
    let kind = frame["type"].as_str().expect("a type");
    let object = &frame["object"];
    let metadata = &object["metadata"];
    let name = metadata["name"].as_str().unwrap_or("-");
    let version = metadata["resourceVersion"].as_str().unwrap_or("-");
    match (object["data"]["value"].as_str(), object["message"].as_str()) {
        (Some(data), _) => format!("{kind} {name}@{version} {data}"),
        (None, Some(message)) => format!("{kind} {} {message}", object["code"]),
        (None, None) if metadata["annotations"]["k8s.io/initial-events-end"] == "true" => {
            format!("{kind} {name}@{version} end of initial events")
        }
        (None, None) => format!("{kind} {name}@{version}"),
    }
}

/// A deployment that passes validation.
pub(crate) fn deployment(name: &str, replicas: u32) -> Value {
    let labels = json!({"app": name});
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": "nginx:1"}]},
            },
        },
    })
}

/// A pod that passes validation.
pub(crate) fn pod(name: &str) -> Value {
    json!({"metadata": {"name": name}, "spec": {"containers": [{"name": "main", "image": "nginx:1"}]}})
}

/// The definition of `foos.example.com`.
pub(crate) fn foo_crd() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Foo", "plural": "foos", "shortNames": ["fo"], "categories": ["all"]},
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "subresources": {
                    "status": {},
                    "scale": {
                        "specReplicasPath": ".spec.replicas",
                        "statusReplicasPath": ".status.replicas",
                        "labelSelectorPath": ".status.selector",
                    },
                },
                "selectableFields": [{"jsonPath": ".spec.color"}],
                "additionalPrinterColumns": [
                    {"name": "Color", "type": "string", "jsonPath": ".spec.color"},
                ],
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {
                        "spec": {
                            "type": "object",
                            "required": ["color"],
                            "properties": {
                                "color": {"type": "string", "enum": ["red", "blue"]},
                                "replicas": {"type": "integer", "default": 1, "maximum": 10},
                                "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                            },
                        },
                        "status": {
                            "type": "object",
                            "properties": {
                                "replicas": {"type": "integer"},
                                "selector": {"type": "string"},
                            },
                        },
                    },
                }},
            }],
        },
    })
}

/// An instance of `foos.example.com`.
pub(crate) fn foo(name: &str, color: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Foo",
        "metadata": {"name": name},
        "spec": {"color": color},
    })
}
