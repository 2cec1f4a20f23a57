//! Several questions under way at once: each is asked as soon as a read waits for it, and each answer is heeded
//! as it comes.
//!
//! Who asks is one task. Whatever wakes it, it looks at every question under way and then at what is to be asked,
//! so that of two that wake it at once none is passed over.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use crate::core::Core;
use crate::floors::{Question, Survey};
use crate::item::Item;
use crate::rng::Rng;

/// The answer to a question, or why there is none.
pub(crate) struct Told {
    pub(crate) question: Question,
    /// When it was asked.
    pub(crate) moment: u64,
    pub(crate) answer: Result<Option<Survey>, Unanswered>,
}

/// Why there is no answer.
pub(crate) enum Unanswered {
    /// There may be one later.
    Yet,
    /// The version that the pages are of is forgotten.
    Expired,
    /// The server does not answer such questions.
    Ever,
}

impl Told {
    fn heed<K: Item>(self, core: &Core<K>, rng: &mut Rng) {
        let Self { question, moment, answer } = self;
        match answer {
            Ok(survey) => core.settle(&question, moment, survey),
            Err(Unanswered::Ever) => core.settle(&question, moment, None),
            Err(Unanswered::Yet | Unanswered::Expired) => core.postpone(&question, rng),
        }
    }
}

/// Asks whenever a read waits for an answer. A question that takes long holds up no other.
pub(crate) async fn run<K: Item, A: Future<Output = Told>>(
    core: &Core<K>,
    mut rng: Rng,
    ask: impl Fn(Question, u64) -> A,
) {
    let mut asking: Vec<Pin<Box<A>>> = Vec::new();
    loop {
        let question = tokio::select! {
            biased;
            told = first(&mut asking) => {
                told.heed(core, &mut rng);
                continue;
            }
            question = core.question() => question,
        };
        let moment = core.inquire(&question);
        asking.push(Box::pin(ask(question, moment)));
    }
}

/// Waits until one of these is over, and takes it out. They are few.
pub(crate) async fn first<F: Future>(of: &mut Vec<Pin<Box<F>>>) -> F::Output {
    poll_fn(|context| {
        for at in 0..of.len() {
            if let Poll::Ready(ended) = of[at].as_mut().poll(context) {
                drop(of.remove(at));
                return Poll::Ready(ended);
            }
        }
        Poll::Pending
    })
    .await
}
