//! An informer whose server is in the same thread and says what it is told to, in JSON.

use crate::objects::names;
use crate::readers::Readers;
use crate::{LONG, Outcome};
use bench_decode::pods::random::Random;
use http::{Request, Response};
use std::convert::Infallible;
use std::future::Ready;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_cache::{Cache, Delta, HandlerOptions, Overflow, Replacement, Store, Watch};
use watchkeeper_client::{Body, Client};

/// Changes that are under way at once: as many as upstream's benchmark has.
const IN_FLIGHT: usize = 10;
/// Objects that the handlers are told of.
const FEW: usize = 1000;

/// Threads that read beside the informer.
const READERS: [usize; 3] = [0, 1, 10];

/// Changes a second, and walks of so many readers: of the informer's store, then of another.
pub fn written(count: usize, mut tell: impl FnMut([f64; 2])) -> Outcome {
    run(count, async move |pods: Watch<Pod>, server: Sent| {
        let told = Arc::new(Semaphore::new(IN_FLIGHT));
        let tells = Arc::clone(&told);
        let subscription = pods.subscribe_with(options(), move |change| {
            if !change.is_initial() {
                tells.add_permits(1);
            }
        });
        subscription.synced().await;
        let apart = Store::new();
        let items = pods.peek_all();
        apart.apply(Delta::Replaced(Replacement {
            items,
            unreadable: Vec::new(),
            nameless: false,
            version: "1".to_owned(),
        }));
        let (mut random, mut done) = (Random::new(3, 3), 0);
        for (readers, store) in READERS.iter().flat_map(|n| [(*n, pods.store()), (*n, &apart)]) {
            let readers = Readers::start(readers, store);
            let (start, before) = (Instant::now(), done);
            let written = loop {
                let at = random.below(server.names.len() as u64) as usize;
                server.change(at, done).await?;
                told.acquire().await?.forget();
                done += 1;
                let passed = start.elapsed();
                if passed >= LONG {
                    break (done - before) as f64 / passed.as_secs_f64();
                }
            };
            tell([written, readers.end()]);
        }
        Ok(())
    })
}

/// Calls of handlers a second, when so many listen.
pub fn delivered(handlers: usize) -> Outcome<f64> {
    run(FEW, async move |pods: Watch<Pod>, server: Sent| {
        let calls = Arc::new(AtomicU64::new(0));
        let subscriptions: Vec<_> = (0..handlers)
            .map(|_| {
                let calls = Arc::clone(&calls);
                pods.subscribe_with(options(), move |change| {
                    calls.fetch_add(u64::from(!change.is_initial()), Ordering::Relaxed);
                })
            })
            .collect();
        for subscription in &subscriptions {
            subscription.synced().await;
        }
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed() < LONG {
            server.change(done as usize % server.names.len(), done).await?;
            done += 1;
        }
        while calls.load(Ordering::Relaxed) < done * handlers as u64 {
            tokio::task::yield_now().await;
        }
        Ok(calls.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64())
    })
}

/// Each change is told, none merged.
fn options() -> HandlerOptions {
    HandlerOptions { overflow: Overflow::Block, ..HandlerOptions::default() }
}

/// An informer that has so many pods, in this thread.
fn run<T>(count: usize, work: impl AsyncFnOnce(Watch<Pod>, Sent) -> Outcome<T>) -> Outcome<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (to, from) = channel(1);
        let cache = Cache::new(&Client::new(Server(Arc::new(Mutex::new(Some(from))))));
        let pods = cache.watch::<Pod>();
        let server = Sent { to, names: names(count).collect() };
        let script = async {
            server.begin().await?;
            pods.synced().await?;
            work(pods, server).await
        };
        tokio::select! {
            biased;
            ended = script => ended,
            () = cache.run() => Err("the cache ended".into()),
        }
    })
}

/// What the server says next.
struct Sent {
    to: Sender<Vec<u8>>,
    names: Vec<String>,
}

impl Sent {
    async fn begin(&self) -> Outcome {
        for name in &self.names {
            self.to.send(event("ADDED", name, 1)).await?;
        }
        let end = r#"{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"2","annotations":{"k8s.io/initial-events-end":"true"}}}}"#;
        self.to.send(format!("{end}\n").into_bytes()).await?;
        Ok(())
    }

    async fn change(&self, at: usize, number: u64) -> Outcome {
        Ok(self.to.send(event("MODIFIED", &self.names[at], number + 3)).await?)
    }
}

fn event(what: &str, name: &str, version: u64) -> Vec<u8> {
    format!(
        r#"{{"type":"{what}","object":{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"default","uid":"uid-of-{name}","resourceVersion":"{version}"}}}}}}{}"#,
        '\n'
    )
    .into_bytes()
}

/// Answers the one watch.
#[derive(Clone)]
struct Server(Arc<Mutex<Option<Receiver<Vec<u8>>>>>);

impl tower_service::Service<Request<Body>> for Server {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        let events = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let body = events.map_or_else(Body::empty, |events| Body::new(Events(events)));
        std::future::ready(Ok(Response::new(body)))
    }
}

struct Events(Receiver<Vec<u8>>);

impl http_body::Body for Events {
    type Data = bytes::Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<bytes::Bytes>, Infallible>>> {
        let next = self.0.poll_recv(cx);
        next.map(|event| event.map(|event| Ok(http_body::Frame::data(event.into()))))
    }
}
