//! The verbs that change something. Each is observed.

use bytes::Bytes;
use watchkeeper_api::error::Subject;
use watchkeeper_api::json::{Read, Write};
use watchkeeper_api::{Object, Result, Scope, Writable, json, pb};

use super::Api;
use crate::fail::Why;
use crate::head::head_of;
use crate::list::ListPage;
use crate::observe::{Labels, Watched, WriteIntent, WriteOutcome};
use crate::options::{
    ApplyOptions, CreateOptions, DeleteOptions, ListOptions, PatchOptions, UpdateOptions,
    WriteOptions,
};
use crate::patch::{Patch, said};
use crate::request::{Call, Target, Verb, apply};

/// What became of an object that was deleted.
#[derive(Clone, Debug)]
pub enum Deleted<K> {
    /// It is gone.
    Gone {
        /// Its uid; empty when the server did not tell.
        uid: String,
    },
    /// It is marked, and goes when its finalizers, its grace period or what it owns allow.
    Pending(K),
}

impl<K: Object> Api<K> {
    /// Changes parts of an object. An apply makes the object where there is none.
    ///
    /// # Errors
    /// [`is_conflict`](watchkeeper_api::Error::is_conflict) when the patch names a version that is not the
    /// newest, or an unforced apply takes fields of others; whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn patch(&self, name: &str, patch: &Patch, options: &PatchOptions) -> Result<K> {
        self.patch_sub(name, "", patch, options).await
    }

    /// Changes parts of an object's status.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn patch_status(
        &self,
        name: &str,
        patch: &Patch,
        options: &PatchOptions,
    ) -> Result<K> {
        self.patch_sub(name, "status", patch, options).await
    }

    pub(super) async fn patch_sub(
        &self,
        name: &str,
        sub: &str,
        patch: &Patch,
        options: &PatchOptions,
    ) -> Result<K> {
        let subject = self.subject(Verb::Patch, name);
        let target = self.target(&self.namespace, name, sub, &subject)?;
        let call = Call::patch(&target, patch, options, self.patch_manager(patch));
        self.store(&target, call, options.dry_run, &subject).await
    }

    /// Deletes an object.
    ///
    /// # Errors
    /// [`is_not_found`](watchkeeper_api::Error::is_not_found);
    /// [`is_conflict`](watchkeeper_api::Error::is_conflict) when the object is not the one that the
    /// preconditions name; whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn delete(&self, name: &str, options: &DeleteOptions) -> Result<Deleted<K>> {
        let subject = self.subject(Verb::Delete, name);
        let target = self.target(&self.namespace, name, "", &subject)?;
        let call = |protobuf| Self::asking(Call::delete(&target, options, protobuf), protobuf);
        let delete = async |call: &Call| {
            let watched = self.begin(&target, Verb::Delete, options.dry_run);
            self.sent(watched, call, &subject).await
        };
        let protobuf = self.client.speaks_protobuf::<K>();
        let first = call(protobuf);
        let mut sent = delete(&first).await;
        if let Err(error) = &sent
            && protobuf
            && self.client.learns_from(error, first.is_protobuf())
        {
            sent = delete(&call(false)).await;
        }
        let (watched, bytes) = sent?;
        let head = head_of(&bytes).map_err(|error| Why::Unreadable(error).into_error(&subject))?;
        if head.is_gone() {
            let (namespace, uid) = (target.namespace, head.uid());
            let outcome = WriteOutcome::Deleted { namespace, name, uid };
            watched.finish(&unless_dry(options.dry_run, outcome));
            return Ok(Deleted::Gone { uid: uid.to_owned() });
        }
        let object = self.read(&bytes).map_err(|why| why.into_error(&subject))?;
        watched.finish(&unless_dry(options.dry_run, stored(&object)));
        Ok(Deleted::Pending(object))
    }

    /// Deletes every object that `which` selects. Returns those that the server says it deleted, which may
    /// be none where it tells no more than that it did.
    ///
    /// # Errors
    /// Whatever the server says; some may be deleted then.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn delete_collection(
        &self,
        options: &DeleteOptions,
        which: &ListOptions,
    ) -> Result<ListPage<K>> {
        let subject = self.subject(Verb::DeleteCollection, "");
        let target = self.collection();
        let call = |protobuf| {
            let call = Call::delete_collection(&target, options, which, protobuf);
            Self::asking(call, protobuf)
        };
        let delete = async |call: &Call| {
            let answer = self.client.open_answer(call).await;
            answer.map_err(|failed| {
                let outcome = failed.outcome(&subject.resource, "");
                (failed.into_error(&subject), outcome)
            })
        };
        // Many objects, one ticket: what became of each is not told, but whether it was refused.
        let watched = self.begin(&target, Verb::DeleteCollection, options.dry_run);
        let whole = async {
            let protobuf = self.client.speaks_protobuf::<K>();
            let first = call(protobuf);
            let mut answer = delete(&first).await;
            if let Err((error, _)) = &answer
                && protobuf
                && self.client.learns_from(error, first.is_protobuf())
            {
                answer = delete(&call(false)).await;
            }
            match answer {
                Ok(answer) => {
                    crate::list::ListStream::of_deleted(self.clone(), answer).collect().await
                }
                Err((error, outcome)) => {
                    watched.finish(&outcome);
                    Err(error)
                }
            }
        };
        self.in_time(Verb::DeleteCollection, whole).await
    }

    /// Sends `body` to a subresource that acts rather than stores: `binding`, `eviction`, `token`.
    /// The answer is read as `R`: a `Status`, or what was asked for.
    ///
    /// What it did to the object is in no answer, so a cache asks the server for it when somebody reads the object.
    ///
    /// # Errors
    /// Whatever the server says; when the answer is no `R`.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn create_subresource<R: Read>(
        &self,
        name: &str,
        subresource: &str,
        body: &impl Write,
    ) -> Result<R> {
        let subject = self.subject(Verb::Create, name);
        let target = self.target(&self.namespace, name, subresource, &subject)?;
        let options = CreateOptions::default();
        let call = Call::write(Verb::Create, &target, json::to_vec(body), &options, self.manager());
        let watched = self.begin(&target, Verb::Create, false);
        let (watched, bytes) = self.sent(watched, &call, &subject).await?;
        watched.finish(&WriteOutcome::Unknown);
        json::from_slice(&bytes)
            .map_err(|error| Why::Nonsense(error.to_string()).into_error(&subject))
    }

    /// An apply needs a manager, whether one was set or not.
    pub(super) fn patch_manager(&self, patch: &Patch) -> Option<&str> {
        match patch {
            Patch::Apply { .. } => Some(self.client.apply_manager()),
            Patch::Json(_) | Patch::Merge(_) | Patch::Strategic(_) => self.manager(),
        }
    }

    pub(super) fn target<'a>(
        &'a self,
        namespace: &'a str,
        name: &'a str,
        sub: &'a str,
        subject: &Subject,
    ) -> Result<Target<'a>> {
        let target = Target::object(&self.kind, namespace, name);
        Ok(target.map_err(|what| Why::Asked(what).into_error(subject))?.sub(sub))
    }

    pub(super) fn manager(&self) -> Option<&str> {
        self.client.settings.field_manager.as_deref()
    }

    pub(super) fn begin(&self, target: &Target<'_>, verb: Verb, dry_run: bool) -> Watched {
        self.client.settings.observers.begin(&WriteIntent {
            kind: target.kind,
            namespace: target.namespace,
            name: Some(target.name).filter(|name| !name.is_empty()),
            verb,
            subresource: Some(target.subresource).filter(|sub| !sub.is_empty()),
            dry_run: dry_run || self.client.settings.rules.dry_run,
        })
    }

    /// Sends a write and reports it when it failed; the caller reports it when it did not.
    pub(super) async fn sent(
        &self,
        watched: Watched,
        call: &Call,
        subject: &Subject,
    ) -> Result<(Watched, Bytes)> {
        match self.client.unary(call).await {
            Ok(bytes) => Ok((watched, bytes)),
            Err(failed) => {
                watched.finish(&failed.outcome(&subject.resource, &subject.key.name));
                Err(failed.into_error(subject))
            }
        }
    }

    /// Sends a write whose answer is the object as stored. Where the server refuses the form of the answer,
    /// nothing was carried out: it is asked once more, for JSON.
    pub(super) async fn store(
        &self,
        target: &Target<'_>,
        call: Call,
        dry_run: bool,
        subject: &Subject,
    ) -> Result<K> {
        let protobuf = self.client.speaks_protobuf::<K>();
        let asked = Self::asking(call.clone(), protobuf);
        match self.store_once(target, &asked, dry_run, subject).await {
            Err(error)
                if protobuf && !call.is_protobuf() && self.client.learns_from(&error, false) =>
            {
                let call = Self::asking(call, false);
                self.store_once(target, &call, dry_run, subject).await
            }
            stored => stored,
        }
    }

    async fn store_once(
        &self,
        target: &Target<'_>,
        call: &Call,
        dry_run: bool,
        subject: &Subject,
    ) -> Result<K> {
        let watched = self.begin(target, call.verb, dry_run);
        let (watched, bytes) = self.sent(watched, call, subject).await?;
        let object = self.read(&bytes).map_err(|why| why.into_error(subject))?;
        watched.finish(&unless_dry(dry_run, stored(&object)));
        Ok(object)
    }
}

impl<K: Writable> Api<K> {
    /// Makes an object.
    ///
    /// # Errors
    /// [`is_already_exists`](watchkeeper_api::Error::is_already_exists);
    /// [`is_invalid`](watchkeeper_api::Error::is_invalid); whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn create(&self, object: &K, options: &CreateOptions) -> Result<K> {
        let subject = self.subject(Verb::Create, object.name());
        let namespace = self.namespace_of(object);
        let target = Target::collection(&self.kind, namespace);
        target
            .check_scope(" in the object or with `namespace`")
            .map_err(|what| Why::Asked(what).into_error(&subject))?;
        let intent = Target { name: object.name(), ..target };
        self.send_whole(Verb::Create, &target, &intent, object, options, &subject).await
    }

    /// Replaces an object, if it is still at the version that `object` carries.
    ///
    /// # Errors
    /// [`is_conflict`](watchkeeper_api::Error::is_conflict) when it is not;
    /// [`is_not_found`](watchkeeper_api::Error::is_not_found); whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update(&self, object: &K) -> Result<K> {
        self.update_with(object, &UpdateOptions::default()).await
    }

    /// Replaces an object, with options.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update_with(&self, object: &K, options: &UpdateOptions) -> Result<K> {
        self.replace(object, "", options).await
    }

    /// Replaces an object's status, if it is still at the version that `object` carries.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update_status(&self, object: &K) -> Result<K> {
        self.update_status_with(object, &UpdateOptions::default()).await
    }

    /// Replaces an object's status, with options.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update_status_with(&self, object: &K, options: &UpdateOptions) -> Result<K> {
        self.replace(object, "status", options).await
    }

    /// Replaces what a subresource holds, such as a namespace's finalizers through `finalize`.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update_subresource(&self, object: &K, subresource: &str) -> Result<K> {
        self.replace(object, subresource, &UpdateOptions::default()).await
    }

    async fn replace(&self, object: &K, sub: &str, options: &UpdateOptions) -> Result<K> {
        let subject = self.subject(Verb::Update, object.name());
        let target = self.target(self.namespace_of(object), object.name(), sub, &subject)?;
        self.send_whole(Verb::Update, &target, &target, object, options, &subject).await
    }

    /// Sends a whole object, as protobuf where both sides have that. What the server refuses for its form
    /// was not carried out.
    async fn send_whole(
        &self,
        verb: Verb,
        target: &Target<'_>,
        intent: &Target<'_>,
        object: &K,
        options: &WriteOptions,
        subject: &Subject,
    ) -> Result<K> {
        let manager = self.manager();
        let message = object.as_message().filter(|_| self.client.speaks_protobuf::<K>());
        if let Some(body) = message.map(pb::to_body) {
            let call = Call::write(verb, target, body, options, manager).sends_protobuf();
            match self.store(intent, call, options.dry_run, subject).await {
                Err(error) if self.client.learns_from(&error, true) => {}
                answer => return answer,
            }
        }
        let call = Call::write(verb, target, json::to_vec(object), options, manager);
        self.store(intent, call, options.dry_run, subject).await
    }

    /// Makes the object be as `object` says, as far as it says anything (server-side apply). Members at
    /// their default say nothing, so that a type doubles as its apply configuration: of built-in kinds
    /// all such members; of other types those that are optional, or all with [`ApplyOptions::part`].
    ///
    /// # Errors
    /// [`is_conflict`](watchkeeper_api::Error::is_conflict) when not forced and others own a field;
    /// [`is_invalid`](watchkeeper_api::Error::is_invalid); whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply(&self, object: &K, options: &ApplyOptions) -> Result<K> {
        self.apply_sub(object, "", options).await
    }

    /// Makes the object's status be as `object` says, as far as it says anything.
    ///
    /// ```
    /// # use watchkeeper_api::{Result, apps::v1::Deployment, object};
    /// # use watchkeeper_client::{ApplyOptions, Client};
    /// # async fn f(client: Client) -> Result<()> {
    /// let deployments = client.field_manager("rollout").api::<Deployment>().namespace("shop");
    /// let status = object!(Deployment { metadata: { name: "web" }, status: { replicas: 2 } });
    /// deployments.apply_status(&status, &ApplyOptions::forced()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply_status(&self, object: &K, options: &ApplyOptions) -> Result<K> {
        self.apply_sub(object, "status", options).await
    }

    /// Makes the object be as `object` says through a subresource that takes the object, such as `resize` or
    /// `ephemeralcontainers` of pods: as far as it says anything of what that subresource is about.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply_subresource(
        &self,
        object: &K,
        subresource: &str,
        options: &ApplyOptions,
    ) -> Result<K> {
        self.apply_sub(object, subresource, options).await
    }

    async fn apply_sub(&self, object: &K, sub: &str, options: &ApplyOptions) -> Result<K> {
        self.apply_text(object, said(object, options.part), sub, options).await
    }

    /// Applies `body`, which speaks of `object`.
    pub(super) async fn apply_text(
        &self,
        object: &K,
        body: Vec<u8>,
        sub: &str,
        options: &ApplyOptions,
    ) -> Result<K> {
        let subject = self.subject(Verb::Patch, object.name());
        let target = self.target(self.namespace_of(object), object.name(), sub, &subject)?;
        let call = apply(&target, body, options, self.client.apply_manager());
        self.store(&target, call, options.write.dry_run, &subject).await
    }

    /// The object's own namespace, or the one that was chosen.
    fn namespace_of<'a>(&'a self, object: &'a K) -> &'a str {
        match self.kind.scope {
            Scope::Cluster => "",
            Scope::Namespaced if self.namespace.is_empty() => object.namespace().unwrap_or(""),
            Scope::Namespaced => &self.namespace,
        }
    }
}

fn stored<K: Object>(object: &K) -> WriteOutcome<'_> {
    WriteOutcome::Stored {
        namespace: object.namespace().unwrap_or(""),
        name: object.name(),
        uid: object.uid(),
        resource_version: object.resource_version(),
        labels: Some(Labels::of(object)),
    }
}

/// A dry run stores nothing, whatever the answer looks like.
const fn unless_dry(dry_run: bool, outcome: WriteOutcome<'_>) -> WriteOutcome<'_> {
    if dry_run { WriteOutcome::Refused } else { outcome }
}
