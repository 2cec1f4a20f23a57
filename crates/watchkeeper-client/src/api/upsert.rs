//! Make it or change it (upstream: controller-runtime's `controllerutil`).
//!
//! Each helper reads the object itself, so that it holds all that the server knows of it: what is newer than
//! our types survives. What changes is told to the log at debug, secret values left out.

use serde_json::{Value, json};
use watchkeeper_api::diff::diff;
use watchkeeper_api::json::{self as codec, Write};
use watchkeeper_api::merge::Members;
use watchkeeper_api::{Error, HasMeta, Object, Result, Scope};

use super::Api;
use crate::diff::{graft, merge_patch};
use crate::fail::Why;
use crate::options::{CreateOptions, PatchOptions, WriteOptions};
use crate::patch::Patch;
use crate::request::{Call, Verb};

/// What had to be done (upstream: `OperationResult`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upsert {
    /// Nothing: it was so.
    Unchanged,
    /// It was made.
    Created,
    /// It was changed.
    Updated,
    /// It was changed, and so was its status.
    UpdatedStatus,
    /// Its status was changed, and nothing else.
    UpdatedStatusOnly,
}

impl Upsert {
    /// Upstream's spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Created => "created",
            Self::Updated => "updated",
            Self::UpdatedStatus => "updatedStatus",
            Self::UpdatedStatusOnly => "updatedStatusOnly",
        }
    }
}

/// What there is, and what there shall be.
enum Wanted<K> {
    /// There is none of that name: this shall be made.
    New(K),
    /// As the server has it, and as it shall be.
    Change { is: Value, shall: Value, object: K },
}

impl<K: HasMeta> Api<K> {
    /// Makes `object` as `change` leaves it; or changes the one of its name, if it is not so already.
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::ConfigMap, object, Result};
    /// # use watchkeeper_client::Client;
    /// # async fn f(client: Client) -> Result<()> {
    /// let maps = client.api::<ConfigMap>();
    /// let settings = object!(ConfigMap { metadata: { name: "settings", namespace: "shop" } });
    /// let (done, _settings) = maps
    ///     .create_or_update(&settings, |map| {
    ///         map.data.insert("colour", "blue");
    ///     })
    ///     .await?;
    /// println!("{}", done.as_str()); // created, updated, unchanged
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`is_conflict`](Error::is_conflict) when it was changed meanwhile,
    /// [`is_already_exists`](Error::is_already_exists) when it was made meanwhile: try again. When `change`
    /// touches name or namespace. Whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way; whether the write was carried out is then unknown.
    pub async fn create_or_update(
        &self,
        object: &K,
        change: impl FnOnce(&mut K),
    ) -> Result<(Upsert, K)> {
        let api = self.near(object);
        match api.wanted(object, change).await? {
            Wanted::New(made) => api.made(&made).await,
            Wanted::Change { is, shall, object } if is == shall => Ok((Upsert::Unchanged, object)),
            Wanted::Change { shall, object, .. } => {
                let stored = api.replace_by(&shall, object.name()).await?;
                Ok((Upsert::Updated, stored))
            }
        }
    }

    /// As [`create_or_update`](Self::create_or_update), but sends differences, whoever else wrote meanwhile;
    /// the status apart from the rest.
    ///
    /// ```
    /// # use watchkeeper_api::{Result, apps::v1::Deployment, object};
    /// # use watchkeeper_client::{Client, Upsert};
    /// # async fn f(client: Client, web: Deployment) -> Result<()> {
    /// let change = |web: &mut Deployment| {
    ///     web.spec.replicas = Some(3);
    ///     web.status.observed_generation = 7;
    /// };
    /// let (done, _web) = client.api::<Deployment>().create_or_patch(&web, change).await?;
    /// assert!(matches!(done, Upsert::UpdatedStatus | Upsert::Created | Upsert::Unchanged));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`is_already_exists`](Error::is_already_exists) when it was made meanwhile: try again. When `change`
    /// touches name or namespace. Whatever else the server says; the first of the two differences may be
    /// stored then.
    ///
    /// # Cancel safety
    /// As of [`create_or_update`](Self::create_or_update).
    pub async fn create_or_patch(
        &self,
        object: &K,
        change: impl FnOnce(&mut K),
    ) -> Result<(Upsert, K)> {
        let api = self.near(object);
        let (mut is, mut shall, mut object) = match api.wanted(object, change).await? {
            Wanted::New(made) => return api.made(&made).await,
            Wanted::Change { is, shall, object } => (is, shall, object),
        };
        let (is_status, shall_status) = (is["status"].take(), shall["status"].take());
        let name = object.name().to_owned();
        let options = PatchOptions::default();
        let mut done = Upsert::Unchanged;
        if let Some(difference) = merge_patch(&is, &shall) {
            object = api.patch(&name, &Patch::merge(&difference), &options).await?;
            done = Upsert::Updated;
        }
        if let Some(difference) = merge_patch(&is_status, &shall_status) {
            let difference = Patch::merge(&json!({ "status": difference }));
            object = api.patch_status(&name, &difference, &options).await?;
            let both = done == Upsert::Updated;
            done = if both { Upsert::UpdatedStatus } else { Upsert::UpdatedStatusOnly };
        }
        Ok((done, object))
    }

    /// Of the object's namespace, unless one was chosen.
    fn near(&self, object: &K) -> Self {
        let namespaced = self.kind.scope == Scope::Namespaced && self.namespace.is_empty();
        match object.namespace().filter(|_| namespaced) {
            Some(namespace) => self.clone().namespace(namespace),
            None => self.clone(),
        }
    }

    async fn made(&self, object: &K) -> Result<(Upsert, K)> {
        Ok((Upsert::Created, self.create(object, &CreateOptions::default()).await?))
    }

    async fn wanted(&self, object: &K, change: impl FnOnce(&mut K)) -> Result<Wanted<K>> {
        let is = match self.get_value(object.name()).await {
            Ok(is) => is,
            Err(error) if error.is_not_found() => {
                let mut made = object.clone();
                change(&mut made);
                self.same_key(object, &made)?;
                return Ok(Wanted::New(made));
            }
            Err(error) => return Err(error),
        };
        let subject = self.subject(Verb::Get, object.name());
        let found = self.read(&is.to_string().into()).map_err(|why| why.into_error(&subject))?;
        let mut changed = found.clone();
        change(&mut changed);
        self.same_key(&found, &changed)?;
        let members = Members::of(&self.kind);
        let shall = graft(is.clone(), &to_value(&found)?, &to_value(&changed)?, members);
        if is != shall && tracing::enabled!(tracing::Level::DEBUG) {
            let (kind, key) = (self.kind.group_resource(), found.key());
            let changed = diff(&found, &changed).line();
            tracing::debug!(%kind, %key, changed, "changes an object");
        }
        Ok(Wanted::Change { is, shall, object: changed })
    }

    /// Upstream's rule: what is changed stays what it is.
    fn same_key(&self, before: &K, after: &K) -> Result<()> {
        let (old, new) = (before.metadata(), after.metadata());
        if old.name == new.name && old.namespace == new.namespace {
            return Ok(());
        }
        let error = Error::usage("the change may touch neither name nor namespace of the object");
        Err(error.about(self.subject(Verb::Update, before.name())))
    }

    async fn replace_by(&self, object: &Value, name: &str) -> Result<K> {
        let subject = self.subject(Verb::Update, name);
        let target = self.target(&self.namespace, name, "", &subject)?;
        let body = object.to_string().into_bytes();
        let options = WriteOptions::default();
        let call = Call::write(Verb::Update, &target, body, &options, self.manager());
        self.store(&target, call, false, &subject).await
    }
}

impl<K: Object> Api<K> {
    /// An object as the server has it, managed fields included.
    pub(crate) async fn get_value(&self, name: &str) -> Result<Value> {
        let subject = self.subject(Verb::Get, name);
        let target = self.target(&self.namespace, name, "", &subject)?;
        let answer = self.client.unary(&Call::get(&target)).await;
        let answer = answer.map_err(|failed| failed.into_error(&subject))?;
        codec::from_slice(&answer).map_err(|error| Why::Unreadable(error).into_error(&subject))
    }
}

pub(crate) fn to_value(object: &impl Write) -> Result<Value> {
    let text = codec::to_vec(object);
    codec::from_slice(&text).map_err(|error| Error::other(error.to_string()))
}
