//! How the story is told.

use std::cell::Cell;
use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{ListParams, ObjectMeta, PostParams};
use kube::core::Status;
use kube::{Api, Client, Config, Resource, ResourceExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a chapter comes to.
pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Where the story takes place.
pub const NAMESPACE: &str = "story";

/// What the chapters share.
pub struct Story {
    pub client: Client,
    /// What the client was made of.
    pub config: Config,
    chapter: Cell<&'static str>,
}

impl Story {
    pub fn new(client: Client, config: Config) -> Self {
        Self { client, config, chapter: Cell::default() }
    }

    /// Makes its namespace.
    pub async fn begin(&self) -> Outcome {
        let namespace = Namespace { metadata: named(NAMESPACE), ..Namespace::default() };
        Api::all(self.client.clone()).create(&PostParams::default(), &namespace).await?;
        Ok(())
    }

    pub fn chapter(&self, name: &'static str) {
        self.chapter.set(name);
    }

    /// Tells a line.
    pub fn say(&self, what: &str, seen: impl Display) {
        let line = format!("{what}: {}", masked(&seen.to_string())).replace('\n', "\\n");
        println!("{:<12}  {line}", self.chapter.get());
    }

    /// The objects of a kind in the story's namespace.
    pub fn api<K>(&self) -> Api<K>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    {
        Api::namespaced(self.client.clone(), NAMESPACE)
    }

    /// Makes an object that is written as JSON.
    pub async fn made<K>(&self, object: Value) -> Outcome<K>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
        K: Clone + std::fmt::Debug + DeserializeOwned + Serialize,
    {
        let object = serde_json::from_value(object)?;
        Ok(self.api::<K>().create(&PostParams::default(), &object).await?)
    }
}

/// Waits until so many maps are in the server's own copy, with which a stream begins: it may be a moment behind.
pub async fn copied(maps: &Api<ConfigMap>, labels: &str, count: usize) -> Outcome {
    let asked = ListParams::default().labels(labels).match_any();
    while maps.list(&asked).await?.items.len() < count {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

pub fn named(name: &str) -> ObjectMeta {
    ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() }
}

/// A map with labels.
pub fn map(name: &str, labels: &[(&str, &str)]) -> ConfigMap {
    let mut map = ConfigMap { metadata: named(name), ..ConfigMap::default() };
    map.labels_mut().extend(labels.iter().map(|(key, value)| ((*key).into(), (*value).into())));
    map
}

/// Names with blanks between them.
pub fn names<'a, K: Resource + 'a>(objects: impl IntoIterator<Item = &'a K>) -> String {
    let names: Vec<String> = objects.into_iter().map(ResourceExt::name_any).collect();
    names.join(" ")
}

/// A part of an object as JSON, in the order of its keys.
pub fn json(part: &impl Serialize) -> Outcome<String> {
    Ok(serde_json::to_value(part)?.to_string())
}

/// How a call was refused, as kube-rs tells it.
pub fn refusal<T>(answer: kube::Result<T>) -> String {
    match answer {
        Ok(_) => "granted".to_owned(),
        Err(kube::Error::Api(status)) => words(&status),
        Err(other) => other.to_string(),
    }
}

fn words(status: &Status) -> String {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    let causes = causes.map(|cause| format!(" [{} {}]", cause.field, cause.reason));
    let causes: String = causes.collect();
    format!("{} {}: {}{causes}", status.code, status.reason, shortened(&status.message))
}

/// A message without the whole object that it may quote, which has versions and times in it.
fn shortened(message: &str) -> String {
    let Some(begin) = message.find("\"{") else { return message.to_owned() };
    let Some(end) = message.rfind("}\"").filter(|end| *end > begin) else {
        return message.to_owned();
    };
    format!("{}OBJECT{}", &message[..begin], &message[end + 2..])
}

/// What stands for a uid.
const UID: &str = "UID";
/// The lengths of its parts.
const PARTS: [usize; 5] = [8, 4, 4, 4, 12];

/// A text without the uids in it.
fn masked(text: &str) -> String {
    let is_part = |(part, length): (&str, usize)| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let is_uid = |word: &str| {
        word.split('-').count() == PARTS.len() && word.split('-').zip(PARTS).all(is_part)
    };
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
    let masked = |piece: &str| {
        let (word, end) = piece.split_at(piece.trim_end_matches(is_end).len());
        if is_uid(word) { format!("{UID}{end}") } else { piece.to_owned() }
    };
    text.split_inclusive(is_end).map(masked).collect()
}
