//! Notes what requests ask for, on their way to the server.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::{Method, Request, Response, StatusCode, header};
use tower_service::Service;

use super::{Permission, PermissionTarget};
use crate::client::Client;

/// What was asked of a server, and by whom. Clones note into one list.
///
/// Every request counts, also one that was refused or never answered: it needs its permission all the same.
#[derive(Clone, Debug, Default)]
pub struct AccessRecorder {
    noted: Arc<Mutex<BTreeMap<Permission, BTreeSet<String>>>>,
}

/// What one request asks for, and who asks.
struct Asked {
    permission: Permission,
    by: String,
    method: Method,
}

impl AccessRecorder {
    /// Nothing was asked yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The permissions that requests asked for, and the field managers or, where there was none, user agents
    /// that they came from.
    #[must_use]
    pub fn recorded(&self) -> Vec<(Permission, Vec<String>)> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = |(permission, by): (&Permission, &BTreeSet<String>)| {
            (permission.clone(), by.iter().cloned().collect())
        };
        noted.iter().map(entry).collect()
    }

    /// A tower service that notes what goes through it, for clients that are not ours.
    pub fn around<S>(&self, service: S) -> Recording<S> {
        Recording { service, recorder: self.clone() }
    }

    fn asked<B>(&self, request: &Request<B>) -> Asked {
        let method = request.method().clone();
        let permission = Permission::of(&method, request.uri());
        let by = field_manager(request).or_else(|| user_agent(request)).unwrap_or_default();
        // A stream is opened by GET, and judged as what it does, too
        // (upstream's AuthorizePodWebsocketUpgradeCreatePermission).
        if method == Method::GET && is_stream(&permission.target) {
            self.note(Permission { verb: "create".to_owned(), ..permission.clone() }, &by);
        }
        self.note(permission.clone(), &by);
        Asked { permission, by, method }
    }

    /// A write that made what it should have changed needed the permission for that, too.
    fn answered(&self, asked: Asked, status: StatusCode) {
        let changes = asked.method == Method::PATCH || asked.method == Method::PUT;
        if changes && status == StatusCode::CREATED {
            let create = Permission { verb: "create".to_owned(), ..asked.permission };
            self.note(create.named(""), &asked.by);
        }
    }

    fn note(&self, permission: Permission, by: &str) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.entry(permission).or_default().insert(by.to_owned());
    }
}

impl Client {
    /// Notes in `recorder` what this handle and its clones ask of the server from now on.
    #[must_use]
    pub fn recorded_by(self, recorder: &AccessRecorder) -> Self {
        let recorder = recorder.clone();
        self.intercept(move |request, next| {
            let recorder = recorder.clone();
            let asked = recorder.asked(&request);
            async move {
                let answer = next.send(request).await?;
                recorder.answered(asked, answer.status());
                Ok(answer)
            }
        })
    }
}

/// A service that notes what goes through it; [`AccessRecorder::around`] makes it.
#[derive(Clone, Debug)]
pub struct Recording<S> {
    service: S,
    recorder: AccessRecorder,
}

impl<S, B, R> Service<Request<B>> for Recording<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let recorder = self.recorder.clone();
        let asked = recorder.asked(&request);
        let answer = self.service.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            recorder.answered(asked, answer.status());
            Ok(answer)
        })
    }
}

fn is_stream(target: &PermissionTarget) -> bool {
    let PermissionTarget::Resource { resource, .. } = target else { return false };
    matches!(resource.as_str(), "pods/exec" | "pods/attach" | "pods/portforward")
}

fn field_manager<B>(request: &Request<B>) -> Option<String> {
    let mut pairs = request.uri().query()?.split('&');
    pairs.find_map(|pair| pair.strip_prefix("fieldManager=")).map(str::to_owned)
}

fn user_agent<B>(request: &Request<B>) -> Option<String> {
    let agent = request.headers().get(header::USER_AGENT)?.to_str().ok()?;
    agent.split('/').next().map(str::to_owned)
}
