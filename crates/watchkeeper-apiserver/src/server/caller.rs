//! Calls that requests wait for: to closures in the process, or over the network.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use serde_json::Value;

use super::{ApiServer, https};
use crate::admission::{CallError, OutgoingCall};

/// What becomes of a call.
type Answer = Result<Bytes, CallError>;
/// A call that is being made.
type Under = Pin<Box<dyn Future<Output = Answer> + Send>>;
/// What a closure makes of a review: an answer, or why there is none.
type Reviewed = Pin<Box<dyn Future<Output = Result<Value, String>> + Send>>;
/// Who answers for an address.
type Closure = Arc<dyn Fn(Value) -> Reviewed + Send + Sync>;

/// Where services are.
type Resolver = Arc<dyn Fn(&str, &str, u16) -> Option<SocketAddr> + Send + Sync>;

/// Who answers for which address.
#[derive(Default)]
pub(super) struct Callers {
    closures: Mutex<BTreeMap<String, Closure>>,
    resolver: Mutex<Option<Resolver>>,
}

impl Callers {
    pub(super) fn insert<A, F>(&self, address: String, answer: A)
    where
        A: Fn(Value) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Value, String>> + Send + 'static,
    {
        let answer: Closure = Arc::new(move |review| Box::pin(answer(review)));
        let mut closures = self.closures.lock().unwrap_or_else(PoisonError::into_inner);
        closures.insert(address, answer);
    }

    pub(super) fn resolve<R>(&self, resolver: R)
    where
        R: Fn(&str, &str, u16) -> Option<SocketAddr> + Send + Sync + 'static,
    {
        let mut known = self.resolver.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(Arc::new(resolver));
    }

    /// Where the service of a call is, when it means one.
    fn place(&self, call: &OutgoingCall) -> Result<Option<SocketAddr>, CallError> {
        let Some((namespace, name, port)) = &call.service else { return Ok(None) };
        let resolver = self.resolver.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match resolver.and_then(|resolver| resolver(namespace, name, *port)) {
            Some(place) => Ok(Some(place)),
            None => {
                let address = crate::error::quoted(&call.address());
                let name = crate::error::quoted(name);
                Err(CallError(format!("Post {address}: service {name} not found")))
            }
        }
    }

    fn closure(&self, address: &str) -> Option<Closure> {
        let closures = self.closures.lock().unwrap_or_else(PoisonError::into_inner);
        closures.get(address).cloned()
    }
}

/// The calls of one request.
#[derive(Default)]
pub(super) struct Calls(Vec<(u64, Under)>);

impl Calls {
    /// Begins calls.
    pub(super) fn start(&mut self, server: &ApiServer, calls: Vec<OutgoingCall>) {
        for call in calls {
            let id = call.id;
            let under: Under = match server.shared.callers.closure(&call.url) {
                Some(closure) => Box::pin(ask(closure, call)),
                None => match server.shared.callers.place(&call) {
                    Ok(place) => Box::pin(async move { https::post(&call, place).await }),
                    Err(error) => Box::pin(std::future::ready(Err(error))),
                },
            };
            self.0.push((id, under));
        }
    }

    /// The next answer, with the number of its call; pending when there are no calls.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<(u64, Answer)> {
        for at in 0..self.0.len() {
            let (id, under) = &mut self.0[at];
            if let Poll::Ready(answer) = under.as_mut().poll(cx) {
                let id = *id;
                drop(self.0.remove(at));
                return Poll::Ready((id, answer));
            }
        }
        Poll::Pending
    }
}

async fn ask(closure: Closure, call: OutgoingCall) -> Answer {
    let review: Value = serde_json::from_slice(&call.body)
        .map_err(|error| CallError(format!("the review is no JSON: {error}")))?;
    let answered = closure(review).await;
    let failed = |why: String| {
        let quoted = crate::error::quoted(&call.address());
        CallError(format!("Post {quoted}: {why}"))
    };
    answered.map(|answer| Bytes::from(answer.to_string())).map_err(failed)
}
