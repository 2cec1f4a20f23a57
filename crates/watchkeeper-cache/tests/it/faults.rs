//! A connection that fails at random: between the client and a service that does not.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use tower_service::Service;
use watchkeeper_apiserver::{ApiServer, Body as Served, Rng};
use watchkeeper_client::{Body, BoxError, Client};

/// What may go wrong, each with its share of a thousand.
const REQUEST_FAULTS: [(&str, u64); 4] =
    [("refused", 150), ("429", 150), ("410", 150), ("500", 100)];
const STREAM_FAULTS: [(&str, u64); 3] = [("closed", 25), ("reset", 25), ("garbage", 10)];

/// The dice, and how often each fault struck.
pub(crate) struct Faults {
    rng: Mutex<Rng>,
    struck: Mutex<BTreeMap<&'static str, u32>>,
    on: std::sync::atomic::AtomicBool,
}

impl Faults {
    fn draw(&self, faults: &[(&'static str, u64)]) -> Option<&'static str> {
        if !self.on.load(std::sync::atomic::Ordering::Relaxed) {
            return None;
        }
        let mut dice = self.rng.lock().unwrap().below(1000);
        for (fault, share) in faults {
            if dice < *share {
                *self.struck.lock().unwrap().entry(fault).or_default() += 1;
                return Some(fault);
            }
            dice -= share;
        }
        None
    }

    pub(crate) fn struck(&self) -> BTreeMap<&'static str, u32> {
        self.struck.lock().unwrap().clone()
    }

    /// Nothing fails any more.
    pub(crate) fn off(&self) {
        self.on.store(false, std::sync::atomic::Ordering::Relaxed);
    }
}

/// A client whose connection to `server` fails at random.
pub(crate) fn faulty(server: &ApiServer, seed: u64) -> (Client, Arc<Faults>) {
    let faults = Arc::new(Faults {
        rng: Mutex::new(Rng::new(seed)),
        struck: Mutex::default(),
        on: true.into(),
    });
    let faulty = Faulty { server: server.clone(), faults: Arc::clone(&faults) };
    (Client::new(faulty).codec(crate::CODEC), faults)
}

#[derive(Clone)]
struct Faulty {
    server: ApiServer,
    faults: Arc<Faults>,
}

impl Service<Request<Body>> for Faulty {
    type Response = Response<Torn>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Torn>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let faults = Arc::clone(&self.faults);
        if let Some(fault) = faults.draw(&REQUEST_FAULTS) {
            return Box::pin(std::future::ready(answer(fault)));
        }
        let answer = self.server.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(answer.map(|body| Torn::Whole { body: Box::pin(body), faults, torn: false }))
        })
    }
}

fn answer(fault: &str) -> Result<Response<Torn>, BoxError> {
    let Ok(code) = fault.parse::<u16>() else {
        return Err(std::io::Error::from(std::io::ErrorKind::ConnectionRefused).into());
    };
    let status = format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","message":"a fault","reason":"Unknown","code":{code}}}"#
    );
    Ok(Response::builder().status(code).body(Torn::Text(Some(status.into())))?)
}

/// A body that may break off, or turn to garbage, before any frame.
pub(crate) enum Torn {
    Text(Option<Bytes>),
    Whole { body: Pin<Box<Served>>, faults: Arc<Faults>, torn: bool },
}

impl http_body::Body for Torn {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let (body, faults, torn) = match self.get_mut() {
            Self::Text(text) => return Poll::Ready(text.take().map(|text| Ok(Frame::data(text)))),
            Self::Whole { torn: true, .. } => return Poll::Ready(None),
            Self::Whole { body, faults, torn } => (body, faults, torn),
        };
        let Poll::Ready(frame) = body.as_mut().poll_frame(context) else { return Poll::Pending };
        let Some(fault) = faults.draw(&STREAM_FAULTS) else {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        };
        *torn = true;
        Poll::Ready(match fault {
            "closed" => None,
            "reset" => Some(Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset).into())),
            _ => Some(Ok(Frame::data(Bytes::from_static(b"{\"type\": garbage\n")))),
        })
    }
}
