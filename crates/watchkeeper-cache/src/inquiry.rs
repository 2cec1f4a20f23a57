//! Asks the server what became of writes of which nobody here knows, for the reads that wait for it.
//!
//! What to ask, and when, is decided in [`floors`](crate::floors). It is asked as a list of metadata by the
//! copy's own selection, so that it takes no permission that the copy does not have, and of no version, so
//! that it is answered with the newest.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::{Error, Object};
use watchkeeper_client::{PartialObject, Select};

use crate::core::Core;
use crate::floors::{Question, Survey};
use crate::item::Item;
use crate::reflector::backoff::Backoff;
use crate::remote::Target;
use crate::rng::Rng;
use crate::sync::timeout;
use crate::version::Version;

/// A server that says nothing for so long is asked again.
const SILENCE: Duration = Duration::from_secs(30);

/// Where to ask.
pub(crate) struct Inquiry {
    target: Target,
    select: Select<PartialObject>,
    rng: Rng,
}

/// Why there is no answer.
enum Unanswered {
    /// There may be one later.
    Yet,
    /// The server does not answer such questions.
    Ever,
}

impl Inquiry {
    /// About the objects that `select` selects at `target`.
    pub(crate) fn new<K: Object>(target: Target, select: &Select<K>, seed: u64) -> Self {
        let mut metadata = Select::of(select.target().clone())
            .labels(select.label_selector())
            .fields(select.field_selector());
        if let Some(namespace) = select.in_namespace() {
            metadata = metadata.namespace(namespace);
        }
        if let Some(shard) = select.in_shard() {
            metadata = metadata.shard(shard.clone());
        }
        Self { target, select: metadata, rng: Rng::new(seed) }
    }

    /// Asks whenever a read waits for an answer.
    pub(crate) async fn run<K: Item>(mut self, core: Arc<Core<K>>) {
        let mut backoff = Backoff::new();
        loop {
            let question = core.question().await;
            let moment = core.inquire();
            let answer = match timeout(SILENCE, self.ask(&question)).await {
                Ok(answer) => answer,
                Err(_elapsed) => Err(Unanswered::Yet),
            };
            match answer {
                Ok(survey) => {
                    backoff = Backoff::new();
                    core.settle(&question, moment, survey);
                }
                Err(Unanswered::Ever) => core.settle(&question, moment, None),
                Err(Unanswered::Yet) => {
                    core.postpone(&question);
                    let wait = backoff.delay(core.now(), &mut self.rng);
                    sleep(wait).await;
                }
            }
        }
    }

    /// None where versions have no order, so that nobody can wait for one.
    async fn ask(&self, question: &Question) -> Result<Option<Survey>, Unanswered> {
        let select = self.select_of(question);
        let api = self.target.api(&select).await.map_err(|_| Unanswered::Yet)?;
        let list = api.list_all(&select.list_options()).await.map_err(|error| reason(&error))?;
        let Some(version) = Version::parse(&list.resource_version) else { return Ok(None) };
        let found =
            list.items.iter().filter(|object| select.may_hold(*object)).filter_map(|object| {
                Some((object.key(), Version::parse(object.resource_version())?))
            });
        Ok(Some(Survey { version, found: found.collect() }))
    }

    fn select_of(&self, question: &Question) -> Select<PartialObject> {
        let (namespace, name) = match question {
            Question::One(key) => (&*key.namespace, Some(&*key.name)),
            Question::Within(namespace) => (&**namespace, None),
        };
        let mut select = self.select.clone();
        if !namespace.is_empty() {
            select = select.namespace(namespace);
        }
        let Some(name) = name else { return select };
        let name = format!("metadata.name={name}");
        match self.select.field_selector() {
            "" => select.fields(name),
            fields => select.fields(format!("{fields},{name}")),
        }
    }
}

/// What is wrong with the question is wrong with it later.
fn reason(error: &Error) -> Unanswered {
    match error.status().map(|status| status.code) {
        Some(400 | 403..=406 | 415 | 422) => Unanswered::Ever,
        _ => Unanswered::Yet,
    }
}
