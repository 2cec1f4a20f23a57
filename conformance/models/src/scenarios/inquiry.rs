//! Who asks the server for reads that wait: several questions under way, and answers that come at once.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use loom::future::block_on;
use loom::thread::{JoinHandle, spawn};
use watchkeeper_api::ObjectKey;

use super::cache::{LONG, Tiny, copy, list};
use super::ended;
use crate::core::Core;
use crate::floors::{Outcome, Question, Touched};
use crate::inquiry::asking::{self, Told, first};
use crate::latest::Latest;
use crate::mistaken;
use crate::rng::Rng;

/// A server that answers a question about one of two objects when it is told to.
struct Server {
    answers: [Latest<bool>; 2],
    is_over: Latest<bool>,
}

const ONE: usize = 0;
const OTHER: usize = 1;

fn key(object: usize) -> ObjectKey {
    ObjectKey::from(["a", "b"][object])
}

impl Server {
    /// One that answers about these at once.
    fn answering(now: [bool; 2]) -> Arc<Self> {
        Arc::new(Self { answers: now.map(Latest::new), is_over: Latest::new(false) })
    }

    fn answer(&self, object: usize) {
        self.answers[object].change(|may| *may = true);
    }

    /// It does not say what there is, so that whoever waits goes on.
    async fn ask(&self, question: Question, moment: u64) -> Told {
        let object = usize::from(question == Question::One(key(OTHER)));
        self.answers[object].wait_for(|may| may).await;
        Told { question, moment, answer: Ok(None) }
    }

    /// Asks it what reads wait for, until it is over.
    fn is_asked(self: &Arc<Self>, core: &Arc<Core<Tiny>>) -> JoinHandle<()> {
        let (server, core) = (Arc::clone(self), Arc::clone(core));
        spawn(move || {
            block_on(async {
                let ask = |question, moment| server.ask(question, moment);
                tokio::select! {
                    biased;
                    _ = server.is_over.wait_for(|is_over| is_over) => {}
                    () = asking::run(&*core, Rng::new(0), ask) => {}
                }
            });
        })
    }

    fn is_over(&self, asked: JoinHandle<()>) {
        self.is_over.change(|is_over| *is_over = true);
        ended(asked);
    }
}

/// Writes an object, and nobody hears what became of it.
fn loses_an_answer(core: &Core<Tiny>, ticket: u64, object: usize) {
    core.begin_write(ticket, Touched::One(key(object)));
    core.finish_write(ticket, Outcome::Unknown(Touched::One(key(object))));
}

/// A copy with a write to each of two objects of which nobody knows what became.
fn in_doubt() -> Arc<Core<Tiny>> {
    let core = copy(&Arc::default());
    core.take(list("1"));
    loses_an_answer(&core, 1, ONE);
    loses_an_answer(&core, 2, OTHER);
    core
}

/// A read that finds that the server must be asked, and is given up.
fn is_wanted(core: &Core<Tiny>, object: usize) {
    assert!(core.read_now(&key(object)).is_err());
}

/// A read that waits until the server was asked.
fn is_read(core: &Core<Tiny>, object: usize) {
    let found = block_on(core.read(&key(object), LONG)).expect("an answer");
    assert_eq!(found.is_some(), object == ONE);
}

/// A question that is not answered keeps nobody from the answer to a later one.
pub fn a_question_that_takes_long_holds_up_no_other() {
    let (core, server) = (in_doubt(), Server::answering([false, true]));
    is_wanted(&core, ONE);
    let asked = server.is_asked(&core);
    is_read(&core, OTHER);
    server.is_over(asked);
}

/// Who waits for two answers has both, though they come at once, and the one that was asked for later first.
pub fn answers_that_come_at_once_are_all_heeded() {
    let (core, server) = (in_doubt(), Server::answering([false; 2]));
    is_wanted(&core, ONE);
    is_wanted(&core, OTHER);
    let asked = server.is_asked(&core);
    server.answer(OTHER);
    server.answer(ONE);
    is_read(&core, OTHER);
    is_read(&core, ONE);
    server.is_over(asked);
}

/// What a read wants to know while another's question is answered is asked, too.
pub fn a_question_beside_an_answer_is_asked() {
    let (core, server) = (in_doubt(), Server::answering([false, true]));
    is_wanted(&core, ONE);
    let asked = server.is_asked(&core);
    server.answer(ONE);
    is_read(&core, OTHER);
    is_read(&core, ONE);
    server.is_over(asked);
}

/// What is in doubt again while it is asked about is asked about again.
pub fn a_doubt_beside_the_answer_is_asked_about_again() {
    let (core, server) = (in_doubt(), Server::answering([true; 2]));
    is_wanted(&core, ONE);
    let asked = server.is_asked(&core);
    loses_an_answer(&core, 3, ONE);
    is_read(&core, ONE);
    server.is_over(asked);
}

// ---- parts of it, and with mistakes ----------------------------------------------------------------

/// Two answers that are waited for, and who gives them.
fn two_answers() -> (Vec<Pin<Box<impl Future<Output = bool>>>>, [JoinHandle<()>; 2]) {
    let server = Server::answering([false; 2]);
    let answering = [ONE, OTHER].map(|object| {
        let server = Arc::clone(&server);
        spawn(move || server.answer(object))
    });
    let waits = |object: usize| {
        let server = Arc::clone(&server);
        Box::pin(async move { server.answers[object].wait_for(|may| may).await })
    };
    ([ONE, OTHER].map(waits).into(), answering)
}

/// Of several that are under way each is found once it is over.
pub fn each_that_is_over_is_found() {
    let (mut under_way, answering) = two_answers();
    while !under_way.is_empty() {
        assert!(block_on(first(&mut under_way)));
    }
    answering.into_iter().for_each(ended);
}

/// Who finds one of them each time that it is woken sleeps beside the other.
pub fn who_finds_one_a_wake_up_sleeps_beside_the_other() {
    let (under_way, answering) = two_answers();
    block_on(mistaken::one_a_wake_up(under_way));
    answering.into_iter().for_each(ended);
}

/// Who asks and then waits for the answer does not hear what is to be asked meanwhile.
pub fn who_asks_one_by_one_sleeps_beside_a_question() {
    let (core, server) = (in_doubt(), Server::answering([false, true]));
    let (asking, asked) = (Arc::clone(&core), Arc::clone(&server));
    is_wanted(&core, ONE);
    let asking = spawn(move || {
        for _ in [ONE, OTHER] {
            let question = block_on(asking.question());
            let moment = asking.inquire(&question);
            let Told { question, moment, .. } = block_on(asked.ask(question, moment));
            asking.settle(&question, moment, None);
        }
    });
    is_read(&core, OTHER);
    server.answer(ONE);
    ended(asking);
}
