//! A client whose connection fails at random: requests that do not arrive, answers that are lost, and bodies
//! that break (`stream`).

use std::future::pending;
use std::io;
use std::sync::Arc;

use http::{HeaderValue, Method, Request, Response, Uri};
use watchkeeper_client::{Body, BoxError, Client, Next, status_answer};

use crate::faults::{Fault, Faults};
use crate::speech::Speech;
use crate::stream::{Endings, Stream};

/// Before the request leaves.
const BEFORE: &[(Fault, u64)] = &[
    (Fault::Refused, 40),
    (Fault::NeverAnswered, 20),
    (Fault::GoneAnswer, 50),
    (Fault::Busy, 30),
    (Fault::BusyBare, 20),
    (Fault::Internal, 25),
    (Fault::Unavailable, 20),
];
/// When the answer's head is there.
const AFTER: &[(Fault, u64)] = &[(Fault::AnswerLost, 40), (Fault::ResetAfterHead, 40)];
const INITIAL: &[(Fault, u64)] = &[(Fault::NoWatchList, 350), (Fault::WatchListIgnored, 80)];
const PAGED: &[(Fault, u64)] = &[(Fault::PageExpired, 200)];
const REWATCH: &[(Fault, u64)] =
    &[(Fault::Replayed, 120), (Fault::OnlyBookmarks, 50), (Fault::Compacted, 120)];
const WRITES: &[(Fault, u64)] = &[(Fault::WriteLost, 8)];

/// The client, behind a connection that fails in reading.
#[must_use]
pub(crate) fn failing(client: Client, faults: &Arc<Faults>) -> Client {
    let faults = Arc::clone(faults);
    client.intercept(move |request, next| pass(Arc::clone(&faults), request, next))
}

/// The client, behind a connection that loses the answers to some writes.
#[must_use]
pub(crate) fn losing(client: Client, faults: &Arc<Faults>) -> Client {
    let faults = Arc::clone(faults);
    client.intercept(move |request, next| {
        let faults = Arc::clone(&faults);
        async move {
            let is_write = request.method() != Method::GET;
            let answer = next.send(request).await?;
            if is_write && let Some(fault) = faults.draw(WRITES) {
                faults.strike(fault);
                return Err(io::Error::from(io::ErrorKind::ConnectionReset).into());
            }
            Ok(answer)
        }
    })
}

/// What is asked for.
struct Asked {
    watch: bool,
    initial: bool,
    next_page: bool,
    version: Option<u64>,
}

impl Asked {
    fn of(uri: &Uri) -> Self {
        let mut asked = Self { watch: false, initial: false, next_page: false, version: None };
        for parameter in uri.query().unwrap_or_default().split('&') {
            match parameter.split_once('=') {
                Some(("watch", _)) => asked.watch = true,
                Some(("sendInitialEvents", _)) => asked.initial = true,
                Some(("continue", _)) => asked.next_page = true,
                Some(("resourceVersion", version)) => {
                    asked.version = version.parse().ok().filter(|version| *version > 0);
                }
                _ => {}
            }
        }
        asked
    }
}

async fn pass(
    faults: Arc<Faults>,
    mut request: Request<Body>,
    next: Next,
) -> Result<Response<Body>, BoxError> {
    let asked = Asked::of(request.uri());
    let before = faults.draw(BEFORE);
    if let Some(fault) = before {
        faults.strike(fault);
        return instead(fault, &faults).await;
    }
    let mut only_bookmarks = None;
    let special: &[_] = match () {
        () if asked.initial => INITIAL,
        () if asked.next_page => PAGED,
        () if asked.watch && asked.version.is_some() => REWATCH,
        () => &[],
    };
    match faults.draw(special) {
        Some(fault @ Fault::NoWatchList) => {
            faults.strike(fault);
            let why = "sendInitialEvents is forbidden for watch";
            return Ok(status_answer(422, "Invalid", why));
        }
        Some(fault @ Fault::PageExpired) => {
            faults.strike(fault);
            return Ok(status_answer(410, "Expired", "the continue token has expired"));
        }
        Some(fault @ Fault::WatchListIgnored) => {
            faults.strike(fault);
            let strange = ["sendInitialEvents", "resourceVersionMatch"];
            rewrite(&mut request, |name, _| (!strange.contains(&name)).then_some(None));
        }
        Some(fault @ Fault::Replayed) => {
            faults.strike(fault);
            let back = 1 + faults.below(20);
            let from = asked.version.map_or(1, |version| version.saturating_sub(back).max(1));
            let older = |name: &str, _: &str| Some((name == "resourceVersion").then_some(from));
            rewrite(&mut request, older);
        }
        Some(fault @ Fault::OnlyBookmarks) => {
            faults.strike(fault);
            only_bookmarks = asked.version;
        }
        // It strikes when the server says so: what was asked for may be the newest version.
        Some(Fault::Compacted) => forget(&faults, &mut request),
        _ => {}
    }
    if !asked.watch && faults.are_on() && faults.below(2) == 0 {
        faults.strike(Fault::SmallPages);
        if !faults.caches_have_pages() {
            let of_cache = ["resourceVersion", "resourceVersionMatch"];
            rewrite(&mut request, |name, _| (!of_cache.contains(&name)).then_some(None));
        }
        in_pages(&mut request, faults.page());
    }
    let answer = next.send(request).await?;
    let endings = match faults.draw(AFTER) {
        Some(fault @ Fault::AnswerLost) => {
            faults.strike(fault);
            return Err(io::Error::from(io::ErrorKind::ConnectionReset).into());
        }
        Some(_) => Endings::AtOnce,
        None if only_bookmarks.is_some() => Endings::Bookmarks(only_bookmarks.unwrap_or(1)),
        None if asked.watch => Endings::OfWatch,
        None => Endings::OfList,
    };
    let speech = Speech::of(answer.headers());
    Ok(answer.map(|body| Body::new(Stream::new(body, faults, speech, endings))))
}

/// Lets the server forget the version asked for, or asks for one that no server has any more.
fn forget(faults: &Faults, request: &mut Request<Body>) {
    if !faults.forget() {
        rewrite(request, |name, _| Some((name == "resourceVersion").then_some(1)));
    }
}

/// What comes in the place of an answer.
async fn instead(fault: Fault, faults: &Faults) -> Result<Response<Body>, BoxError> {
    Ok(match fault {
        Fault::Refused => return Err(io::Error::from(io::ErrorKind::ConnectionRefused).into()),
        Fault::NeverAnswered => pending().await,
        Fault::GoneAnswer => status_answer(410, "Expired", "too old resource version"),
        Fault::Internal => status_answer(500, "InternalError", "a fault"),
        Fault::Unavailable => status_answer(503, "ServiceUnavailable", "a fault"),
        _ => {
            let mut answer = status_answer(429, "TooManyRequests", "a fault");
            if fault == Fault::Busy {
                let wait = HeaderValue::from(1 + faults.moment(4000).as_secs());
                answer.headers_mut().insert("retry-after", wait);
            }
            answer
        }
    })
}

/// Asks for pages of this size, whatever was asked for.
fn in_pages(request: &mut Request<Body>, size: u64) {
    let query = request.uri().query().unwrap_or_default();
    let asked = query.split('&').any(|parameter| parameter.starts_with("limit="));
    if !asked {
        let more = format!("{}?{query}&limit={size}", request.uri().path());
        if let Ok(uri) = more.replace("?&", "?").parse() {
            *request.uri_mut() = uri;
        }
    }
    rewrite(request, |name, _| Some((name == "limit").then_some(size)));
}

/// Goes through the parameters: `None` drops one, a number replaces its value.
fn rewrite(request: &mut Request<Body>, change: impl Fn(&str, &str) -> Option<Option<u64>>) {
    let uri = request.uri().clone();
    let kept = uri.query().unwrap_or_default().split('&').filter_map(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        Some(match change(name, value)? {
            Some(number) => format!("{name}={number}"),
            None => parameter.to_owned(),
        })
    });
    let query: Vec<String> = kept.collect();
    let path = format!("{}?{}", uri.path(), query.join("&"));
    let mut parts = uri.into_parts();
    parts.path_and_query = path.parse().ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        *request.uri_mut() = uri;
    }
}
