use std::convert::Infallible;
use std::future::Ready;
use std::task::{Context, Poll};

use http::{Request, Response};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::Body;

use super::*;

/// Nobody is there.
#[derive(Clone)]
struct Nobody;

impl tower_service::Service<Request<Body>> for Nobody {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Pending
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        std::future::ready(Ok(Response::new(Body::default())))
    }
}

#[tokio::test(start_paused = true)]
async fn copies_that_are_over_leave_nothing_behind() {
    let cache = Cache::new(&Client::new(Nobody));
    let watch =
        |number: u32| cache.watch_only(Select::<ConfigMap>::all().namespace(format!("n{number}")));
    let kept: Vec<_> = (0..20).map(watch).collect();
    let script = async {
        for number in 100..1000 {
            drop(watch(number));
        }
    };
    tokio::select! {
        biased;
        () = cache.run() => {}
        () = script => {}
    }
    let held = lock(&cache.shared.copies).len();
    assert!(held <= 2 * kept.len() + 1, "{held}");
    assert!(Arc::ptr_eq(&watch(7).core, &kept[7].core), "those in use are still shared");
}
