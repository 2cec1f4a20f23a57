//! Random histories of a server that ends between any two steps: nobody has heard of what is lost.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use proptest::prelude::*;
use serde_json::Value;
use watchkeeper_apiserver::server::Hangup;
use watchkeeper_apiserver::{Body, Keeper, Now};

use super::{Failure, Shelf};
use crate::support::*;

/// What happens next.
#[derive(Clone, Debug)]
enum Step {
    /// A config map gets this value, or goes.
    Write(u8, Option<u8>),
    /// Somebody lists.
    List,
    /// Somebody watches from now on.
    Watch,
    /// The journal takes what there is.
    Keep,
    /// Clients look at what has come for them.
    Look,
    /// The server ends: at once, or as its journal fails.
    End(Option<Failure>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let failure = prop_oneof![Just(None), Just(Some(Failure::Before)), Just(Some(Failure::After))];
    let step = prop_oneof![
        8 => (0_u8..4, prop::option::weighted(0.7, 0_u8..4)).prop_map(|(n, v)| Step::Write(n, v)),
        2 => Just(Step::List),
        1 => Just(Step::Watch),
        5 => Just(Step::Keep),
        5 => Just(Step::Look),
        1 => failure.prop_map(Step::End),
    ];
    prop::collection::vec(step, 1..80)
}

/// The values of the config maps.
type Maps = BTreeMap<String, String>;
type Answering = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Hangup>> + Send>>;

/// The clients, and what they may know.
struct World {
    shelf: Shelf,
    client: Client,
    keeper: Keeper<Shelf>,
    /// What the server had at each revision.
    states: BTreeMap<u64, Maps>,
    /// The newest revision that anybody has heard of.
    heard: u64,
    /// Requests, and the revision that each made.
    waiting: Vec<(u64, Answering)>,
    watches: Vec<Body>,
}

/// Polls once.
fn look<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn revision_of(object: &Value) -> u64 {
    let version = object["metadata"]["resourceVersion"].as_str();
    version.and_then(|version| version.parse().ok()).unwrap_or_default()
}

impl World {
    fn new(shelf: Shelf) -> Self {
        let (client, mut keeper) = shelf.open(Now::default());
        let is_new = keeper.write().expect("a journal that works");
        let states = BTreeMap::from([(client.server.revision(), Maps::new())]);
        assert!(is_new, "the first batch is everything");
        let (waiting, watches) = (Vec::new(), Vec::new());
        Self { shelf, client, keeper, states, heard: 0, waiting, watches }
    }

    fn now(&self) -> Maps {
        self.states.last_key_value().map(|(_, maps)| maps.clone()).unwrap_or_default()
    }

    fn send(&mut self, method: &str, path: &str, body: String) {
        let request = http::Request::builder().method(method).uri(path);
        let request = request.body(Bytes::from(body)).expect("a request");
        let before = self.client.server.revision();
        let mut answering: Answering = Box::pin(self.client.server.answer(request));
        let answer = look(&mut answering);
        let made = self.client.server.revision();
        let made = if made == before { 0 } else { made };
        match answer {
            Poll::Ready(answer) => self.hear(made, answer),
            Poll::Pending => self.waiting.push((made, answering)),
        }
    }

    fn write(&mut self, name: u8, value: Option<u8>) {
        let (name, mut maps) = (format!("m{name}"), self.now());
        let one = format!("{CONFIG_MAPS}/{name}");
        let Some(value) = value else {
            self.send("DELETE", &one, String::new());
            maps.remove(&name);
            return self.note(maps);
        };
        let body = format!(r#"{{"metadata":{{"name":"{name}"}},"data":{{"value":"{value}"}}}}"#);
        match maps.insert(name, value.to_string()) {
            Some(_) => self.send("PUT", &one, body),
            None => self.send("POST", CONFIG_MAPS, body),
        }
        self.note(maps);
    }

    /// What the server has now, by the clients' own book.
    fn note(&mut self, maps: Maps) {
        self.states.insert(self.client.server.revision(), maps);
    }

    /// An answer, which may tell of nothing that could still be lost.
    fn hear(&mut self, made: u64, answer: Result<http::Response<Body>, Hangup>) {
        let Ok(answer) = answer else { return };
        let Poll::Ready(body) = look(&mut Box::pin(answer.into_body().collect())) else {
            // It goes on: a watch. It was only its beginning that was waited for.
            unreachable!("watches are opened by themselves");
        };
        let body = body.expect("a body").to_bytes();
        let object: Value = serde_json::from_slice(&body).expect("JSON");
        let told = revision_of(&object).max(made);
        assert!(told <= self.shelf.revision(), "{told} was told before it was kept");
        self.heard = self.heard.max(told);
    }

    fn watch(&mut self) {
        let path = format!("{CONFIG_MAPS}?watch=1&resourceVersion=0");
        let request = http::Request::get(path).body(Bytes::new()).expect("a request");
        let mut answering: Answering = Box::pin(self.client.server.answer(request));
        // Whoever must wait for the beginning of a watch loses patience here.
        if let Poll::Ready(Ok(answer)) = look(&mut answering) {
            self.watches.push(answer.into_body());
        }
    }

    fn look(&mut self) {
        for (made, mut answering) in std::mem::take(&mut self.waiting) {
            match look(&mut answering) {
                Poll::Ready(answer) => self.hear(made, answer),
                Poll::Pending => self.waiting.push((made, answering)),
            }
        }
        let mut watches = std::mem::take(&mut self.watches);
        for body in &mut watches {
            while let Poll::Ready(Some(Ok(frame))) = look(&mut body.frame()) {
                let frame = frame.into_data().expect("data");
                let frame: Value = serde_json::from_slice(&frame).expect("one object a frame");
                let told = revision_of(&frame["object"]);
                assert!(told <= self.shelf.revision(), "{told} was seen before it was kept");
                self.heard = self.heard.max(told);
            }
        }
        self.watches = watches;
    }

    fn end(mut self, failure: Option<Failure>) -> Self {
        self.shelf.books().fails = failure;
        if failure.is_some() && self.keeper.write().is_err() {
            self.look();
            assert!(self.waiting.is_empty(), "nobody waits for ever");
        }
        let Self { shelf, mut states, heard, .. } = self;
        shelf.books().fails = None;
        let (client, keeper) = shelf.open(Now::default());
        let revision = client.server.revision();
        assert!(revision >= heard, "{heard} was heard of, {revision} is there");
        assert_eq!(client.kept_maps(), states[&revision], "at {revision}");
        // The rest was lost, and its revisions are given again.
        states.split_off(&(revision + 1));
        let (waiting, watches) = (Vec::new(), Vec::new());
        Self { shelf, client, keeper, states, heard, waiting, watches }
    }

    fn step(mut self, step: &Step) -> Self {
        match step {
            Step::Write(name, value) => self.write(*name, *value),
            Step::List => self.send("GET", CONFIG_MAPS, String::new()),
            Step::Watch => self.watch(),
            Step::Keep => drop(self.keeper.write().expect("a journal that works")),
            Step::Look => self.look(),
            Step::End(failure) => return self.end(*failure),
        }
        self
    }
}

impl Client {
    /// The config maps of a server of which nothing waits to be kept.
    fn kept_maps(&self) -> Maps {
        let request = http::Request::get(CONFIG_MAPS).body(Bytes::new()).expect("a request");
        let answer = look(&mut Box::pin(self.server.answer(request)));
        let Poll::Ready(Ok(answer)) = answer else { panic!("nothing is to be waited for") };
        let Poll::Ready(Ok(body)) = look(&mut Box::pin(answer.into_body().collect())) else {
            panic!("the body is there");
        };
        let list: Value = serde_json::from_slice(&body.to_bytes()).expect("JSON");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let items = list["items"].as_array().expect("a list").iter();
        items.map(|item| (text(&item["metadata"]["name"]), text(&item["data"]["value"]))).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn nobody_has_heard_of_what_is_lost(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let _clock = runtime.enter();
        let mut world = World::new(Shelf::default());
        for step in &steps {
            world = world.step(step);
        }
        world.end(None);
    }
}

#[tokio::test]
async fn an_answer_waits_for_the_journal_and_so_does_whoever_reads_it() {
    let shelf = Shelf::default();
    let mut world = World::new(shelf.clone());
    world.watch();
    world.write(1, Some(1));
    world.send("GET", CONFIG_MAPS, String::new());
    world.look();
    assert_eq!((world.waiting.len(), world.heard), (2, 0));
    world.keeper.write().expect("a journal that works");
    world.look();
    assert_eq!((world.waiting.len(), world.heard), (0, shelf.revision()));
    // With nothing to keep nobody waits.
    world.send("GET", CONFIG_MAPS, String::new());
    world.write(1, Some(1));
    assert_eq!(world.waiting.len(), 0);
}

#[tokio::test]
async fn without_its_keeper_a_server_answers_nobody() {
    let (client, keeper) = Shelf::default().open(Now::default());
    let request = http::Request::get("/version").body(Bytes::new()).expect("a request");
    let mut answering = Box::pin(client.server.answer(request));
    assert!(look(&mut answering).is_pending(), "nothing is kept yet");
    drop(keeper);
    assert!(answering.await.is_err());
    let request = http::Request::get("/version").body(Bytes::new()).expect("a request");
    assert!(client.server.answer(request).await.is_err());
}
