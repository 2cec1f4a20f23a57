//! Parts of objects with a path and a type of their own: `scale`, `binding`, `eviction`, `token`.

use bytes::Bytes;
use watchkeeper_api::json::{self, Read, Write};
#[cfg(feature = "autoscaling")]
use watchkeeper_api::pb::{self, Message};
use watchkeeper_api::{Object, Result, Writable};

use super::Api;
#[cfg(feature = "autoscaling")]
use crate::codec::is_protobuf;
use crate::fail::Why;
use crate::head::head_of;
use crate::observe::WriteOutcome;
use crate::options::{ApplyOptions, CreateOptions, PatchOptions, UpdateOptions, WriteOptions};
use crate::patch::{self, Patch};
use crate::request::{Call, Verb};

/// One subresource of the objects of an [`Api`].
///
/// What goes in and comes out has a type of its own, which the caller names:
/// `api.subresource("scale").get::<Scale>("web")`. Of answers that are a Status, as of a binding, take
/// [`Status`](watchkeeper_api::meta::v1::Status). It travels as JSON, which every type has; parts that the
/// client has calls for ([`Api::get_scale`], say) travel as the objects do. Of parts that take the object itself,
/// such as `status`, there are [`Api::apply_subresource`], [`Api::patch_subresource`] and
/// [`Api::update_subresource`].
///
/// ```
/// # use watchkeeper_api::{Result, core::v1::Pod, meta::v1::Status};
/// # use watchkeeper_client::{Client, CreateOptions};
/// # async fn f(client: Client) -> Result<()> {
/// let pods = client.api::<Pod>().namespace("shop");
/// let eviction = serde_json::json!({
///     "apiVersion": "policy/v1", "kind": "Eviction", "metadata": { "name": "web-0" },
/// });
/// let part = pods.subresource("eviction");
/// let status: Status = part.create("web-0", &eviction, &CreateOptions::default()).await?;
/// println!("{}", status.status);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Subresource<'a, K> {
    api: &'a Api<K>,
    part: &'a str,
}

impl<K: Object> Api<K> {
    /// A part of the objects with a path and a type of its own.
    #[must_use]
    pub const fn subresource<'a>(&'a self, part: &'a str) -> Subresource<'a, K> {
        Subresource { api: self, part }
    }
}

impl<K: Object> Subresource<'_, K> {
    /// Reads the part of one object.
    ///
    /// # Errors
    /// As of [`Api::get`].
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn get<R: Read>(&self, name: &str) -> Result<R> {
        let subject = self.api.subject(Verb::Get, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let answer = self.api.client.unary(&Call::get(&target)).await;
        let answer = answer.map_err(|failed| failed.into_error(&subject))?;
        json::from_slice(&answer).map_err(|error| Why::Unreadable(error).into_error(&subject))
    }

    /// Posts to the part of one object: binds, evicts, asks for a token.
    ///
    /// # Errors
    /// Whatever the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn create<R: Read>(
        &self,
        name: &str,
        body: &impl Write,
        options: &CreateOptions,
    ) -> Result<R> {
        self.write(Verb::Create, name, body, options).await
    }

    /// Replaces the part of one object, if it is still at the version that `body` carries.
    ///
    /// # Errors
    /// As of [`Api::update`].
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update<R: Read>(
        &self,
        name: &str,
        body: &impl Write,
        options: &UpdateOptions,
    ) -> Result<R> {
        self.write(Verb::Update, name, body, options).await
    }

    /// Changes the part of one object.
    ///
    /// # Errors
    /// As of [`Api::patch`].
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn patch<R: Read>(
        &self,
        name: &str,
        patch: &Patch,
        options: &PatchOptions,
    ) -> Result<R> {
        let subject = self.api.subject(Verb::Patch, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let call = Call::patch(&target, patch, options, self.api.patch_manager(patch));
        self.send(name, &call, options, read).await
    }

    /// Makes the part of one object be as `said` says, as far as it says anything, and owns that (server-side
    /// apply). What is at its default is not said; of a scale, [`Api::apply_scale`] says none at all, too.
    ///
    /// # Errors
    /// As of [`Api::apply`].
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply<R: Read>(
        &self,
        name: &str,
        said: &impl Writable,
        options: &ApplyOptions,
    ) -> Result<R> {
        let body = patch::said(said, options.part);
        let patch = Patch::Apply { body, force: options.force };
        self.patch(name, &patch, &options.write).await
    }

    async fn write<R: Read>(
        &self,
        verb: Verb,
        name: &str,
        body: &impl Write,
        options: &WriteOptions,
    ) -> Result<R> {
        let subject = self.api.subject(verb, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let call = Call::write(verb, &target, json::to_vec(body), options, self.api.manager());
        self.send(name, &call, options, read).await
    }

    async fn send<R>(
        &self,
        name: &str,
        call: &Call,
        options: &WriteOptions,
        read: fn(&Bytes) -> Result<R, Why>,
    ) -> Result<R> {
        let subject = self.api.subject(call.verb, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let watched = self.api.begin(&target, call.verb, options.dry_run);
        let (watched, answer) = self.api.sent(watched, call, &subject).await?;
        let head = head_of(&answer).unwrap_or_default();
        watched.finish(&match head.version_of(name) {
            _ if options.dry_run => WriteOutcome::Refused,
            Some((uid, resource_version)) => {
                let (namespace, labels) = (target.namespace, None);
                WriteOutcome::Stored { namespace, name, uid, resource_version, labels }
            }
            None => WriteOutcome::Unknown,
        });
        read(&answer).map_err(|why| why.into_error(&subject))
    }
}

/// Of parts whose type has protobuf.
#[cfg(feature = "autoscaling")]
impl<K: Object> Subresource<'_, K> {
    /// As [`get`](Self::get), of a part that has protobuf.
    pub(crate) async fn get_message<R: Part>(&self, name: &str) -> Result<R> {
        let subject = self.api.subject(Verb::Get, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let get = async |protobuf| {
            let call = Call::get(&target);
            let call = if protobuf { call.protobuf() } else { call };
            let answer = self.api.client.unary(&call).await;
            let answer = answer.map_err(|failed| failed.into_error(&subject))?;
            read_message(&answer).map_err(|why| why.into_error(&subject))
        };
        let protobuf = self.api.client.speaks_protobuf::<K>();
        match get(protobuf).await {
            Err(error) if protobuf && self.api.client.learns_from(&error, false) => {
                get(false).await
            }
            answer => answer,
        }
    }

    /// As [`update`](Self::update), of a part that has protobuf.
    pub(crate) async fn update_message<R: Part>(
        &self,
        name: &str,
        body: &R,
        options: &UpdateOptions,
    ) -> Result<R> {
        let subject = self.api.subject(Verb::Update, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let update = async |protobuf| {
            let text = if protobuf { pb::to_body(body) } else { json::to_vec(body) };
            let call = Call::write(Verb::Update, &target, text, options, self.api.manager());
            let call = if protobuf { call.sends_protobuf().protobuf() } else { call };
            self.send(name, &call, options, read_message).await
        };
        let protobuf = self.api.client.speaks_protobuf::<K>();
        match update(protobuf).await {
            Err(error) if protobuf && self.api.client.learns_from(&error, true) => {
                update(false).await
            }
            answer => answer,
        }
    }

    /// As [`patch`](Self::patch), of a part that has protobuf.
    pub(crate) async fn patch_message<R: Part>(
        &self,
        name: &str,
        patch: &Patch,
        options: &PatchOptions,
    ) -> Result<R> {
        let subject = self.api.subject(Verb::Patch, name);
        let target = self.api.target(&self.api.namespace, name, self.part, &subject)?;
        let change = async |protobuf| {
            let call = Call::patch(&target, patch, options, self.api.patch_manager(patch));
            let call = if protobuf { call.protobuf() } else { call };
            self.send(name, &call, options, read_message).await
        };
        let protobuf = self.api.client.speaks_protobuf::<K>();
        match change(protobuf).await {
            Err(error) if protobuf && self.api.client.learns_from(&error, false) => {
                change(false).await
            }
            answer => answer,
        }
    }
}

fn read<R: Read>(answer: &Bytes) -> Result<R, Why> {
    json::from_slice(answer).map_err(Why::Unreadable)
}

/// A part whose type has protobuf.
#[cfg(feature = "autoscaling")]
pub(crate) trait Part: Read + Write + Message + Default {}

#[cfg(feature = "autoscaling")]
impl<T: Read + Write + Message + Default> Part for T {}

#[cfg(feature = "autoscaling")]
fn read_message<R: Part>(answer: &Bytes) -> Result<R, Why> {
    if is_protobuf(answer) { pb::from_body(answer) } else { json::from_slice(answer) }
        .map_err(Why::Unreadable)
}
