//! Asks the server what became of writes of which nobody here knows, for the reads that wait for it.
//!
//! What to ask, and when, is decided in [`floors`](crate::floors). It is asked as a list of metadata by the
//! copy's own selection, so that it takes no permission that the copy does not have, and of no version, so
//! that it is answered with the newest.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::{Error, Object};
use watchkeeper_client::{Api, ListItem, ListMeta, ListOptions, PartialObject, Select};

use crate::core::Core;
use crate::floors::{Question, Survey};
use crate::item::Item;
use crate::remote::Target;
use crate::rng::Rng;
use crate::sync::timeout;
use crate::version::Version;

pub(crate) mod asking;

use asking::{Told, Unanswered};

/// A server that says nothing for so long is asked again. One that goes on saying something is listened to,
/// however long that takes.
const SILENCE: Duration = Duration::from_secs(30);
/// Objects a page.
const PAGE: u32 = 500;

/// Where to ask.
pub(crate) struct Inquiry {
    target: Target,
    select: Select<PartialObject>,
    seed: u64,
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
        Self { target, select: metadata, seed }
    }

    /// Asks whenever a read waits for an answer.
    pub(crate) async fn run<K: Item>(self, core: Arc<Core<K>>) {
        let inquiry = &self;
        let ask = |question, moment| async move {
            Told { answer: inquiry.ask(&question).await, question, moment }
        };
        asking::run(&core, Rng::new(self.seed), ask).await;
    }

    /// None where versions have no order, so that nobody can wait for one.
    async fn ask(&self, question: &Question) -> Result<Option<Survey>, Unanswered> {
        let select = self.select_of(question);
        let api = timeout(SILENCE, self.target.api(&select)).await;
        let api = api.ok().and_then(Result::ok).ok_or(Unanswered::Yet)?;
        let mut options = select.list_options().limit(PAGE);
        let mut found = BTreeMap::new();
        loop {
            let page = page(&api, &options, |object| {
                if select.may_hold(&object)
                    && let Some(version) = Version::parse(object.resource_version())
                {
                    found.insert(object.key(), version);
                }
            });
            match page.await {
                Ok(page) if !page.continue_.is_empty() => options.continue_ = page.continue_,
                Ok(page) => {
                    let version = Version::parse(&page.resource_version);
                    return Ok(version.map(|version| Survey { version, found }));
                }
                // Once more, without pages.
                Err(Unanswered::Expired)
                    if !options.continue_.is_empty() && options.limit.is_some() =>
                {
                    options = select.list_options();
                    found.clear();
                }
                Err(why) => return Err(why),
            }
        }
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

/// Takes a page in as it comes.
async fn page(
    api: &Api<PartialObject>,
    options: &ListOptions,
    mut take: impl FnMut(PartialObject),
) -> Result<ListMeta, Unanswered> {
    let mut list = in_time(api.list_stream(options)).await?;
    while let Some(item) = in_time(list.next()).await? {
        if let ListItem::Object(object) = item {
            take(object);
        }
    }
    list.meta().cloned().ok_or(Unanswered::Yet)
}

async fn in_time<T>(
    answer: impl Future<Output = watchkeeper_api::Result<T>>,
) -> Result<T, Unanswered> {
    match timeout(SILENCE, answer).await {
        Ok(answer) => answer.map_err(|error| reason(&error)),
        Err(_elapsed) => Err(Unanswered::Yet),
    }
}

/// What is wrong with the question is wrong with it later.
fn reason(error: &Error) -> Unanswered {
    match error.status().map(|status| status.code) {
        Some(400 | 403..=406 | 415 | 422) => Unanswered::Ever,
        Some(410) => Unanswered::Expired,
        _ => Unanswered::Yet,
    }
}
