//! What a manager owns of an object (upstream: `applyconfigurations`' `ExtractDeployment` and its like).

use serde_json::Value;
use watchkeeper_api::error::Subject;
use watchkeeper_api::json as codec;
use watchkeeper_api::merge::Members;
use watchkeeper_api::{Error, Object, Result, Writable};

use super::Api;
use crate::diff::graft_part;
use crate::fail::Why;
use crate::options::ApplyOptions;
use crate::patch::said;
use crate::request::Verb;

mod owned;
mod shape;

#[cfg(test)]
mod tests;

use owned::Entry;
use shape::Shape;

/// What a manager applied of an object: to look at, to [`edit`](Self::edit), and to apply again by
/// [`Api::apply_extracted`].
///
/// It holds more than the type can say: members newer than the type stay the manager's, and members that
/// the type cannot leave out do not become its own.
#[derive(Clone)]
pub struct Extracted<K> {
    object: K,
    owned: Value,
    members: Option<Members>,
    subresource: String,
}

impl<K> Extracted<K> {
    /// What the type can say of it. Members that it cannot leave out are zero here when they are not owned.
    #[must_use]
    pub const fn object(&self) -> &K {
        &self.object
    }
}

impl<K: Writable + Clone> Extracted<K> {
    /// Changes it. What is set becomes the manager's, and no member beside it. What is removed is given up:
    /// with no other owner, the server removes it, too.
    ///
    /// # Errors
    /// An object that cannot be written.
    pub fn edit(&mut self, change: impl FnOnce(&mut K)) -> Result<()> {
        let before = said_value(&self.object, false)?;
        let mut object = self.object.clone();
        change(&mut object);
        // What is owned may be set to its default, what is new may not be there for the type's sake alone.
        let (after, set) = (said_value(&object, false)?, said_value(&object, true)?);
        self.owned = graft_part(self.owned.take(), &before, &after, &set, self.members);
        self.object = object;
        Ok(())
    }
}

/// Tells what the type shows of itself: the rest may be secret.
impl<K: std::fmt::Debug> std::fmt::Debug for Extracted<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Extracted")
            .field("object", &self.object)
            .field("subresource", &self.subresource)
            .finish_non_exhaustive()
    }
}

fn said_value<K: Writable>(object: &K, part: bool) -> Result<Value> {
    codec::from_slice(&said(object, part)).map_err(|error| Error::other(error.to_string()))
}

impl<K: Object> Api<K> {
    /// What `manager` applied of an object: to change a little of it and apply it again. `None` if it
    /// applied nothing.
    ///
    /// Reads the object itself, as caches drop what this is made from. An object or map that was applied empty
    /// is empty here, too, whatever the server filled in. In managed fields it looks like one that is owned as
    /// a whole, so the server is asked once more for the schema of a custom resource that has one; a server
    /// that does not tell it is believed to mean the whole.
    ///
    /// What was applied in another version of the kind is looked for by its names in this one, as upstream
    /// does. Where this version has no such field, that is an error here: applied again without it, the
    /// server would remove it.
    ///
    /// ```
    /// # use watchkeeper_api::{apps::v1::Deployment, Result};
    /// # use watchkeeper_client::{ApplyOptions, Client};
    /// # async fn f(client: Client) -> Result<()> {
    /// let deployments = client.field_manager("autoscaler").apps().v1().deployments("shop");
    /// if let Some(mut mine) = deployments.extract("web", "autoscaler").await? {
    ///     mine.edit(|web| web.spec.replicas = Some(3))?;
    ///     deployments.apply_extracted(&mine, &ApplyOptions::forced()).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As of [`get`](Self::get); when what is owned is no `K`; fields that were applied in another version and
    /// are not there in this one.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn extract(&self, name: &str, manager: &str) -> Result<Option<Extracted<K>>> {
        self.extract_subresource(name, manager, "").await
    }

    /// The same for what was applied through a subresource, such as `status`.
    ///
    /// # Errors
    /// As of [`extract`](Self::extract).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn extract_subresource(
        &self,
        name: &str,
        manager: &str,
        subresource: &str,
    ) -> Result<Option<Extracted<K>>> {
        let object = self.get_value(name).await?;
        let Some(entry) = Entry::find(&object, manager, subresource) else { return Ok(None) };
        let subject = self.subject(Verb::Get, name);
        let mut part = entry.part(&Shape::unknown(self.kind()));
        if part.unsure {
            part = entry.part(&self.shape(&subject).await?);
        }
        if let (Some(field), Some(version)) = (&part.missing, entry.other_version()) {
            let kind = self.kind();
            return Err(Why::Nonsense(format!(
                "{manager:?} applied {field} in {version}, and there is no such field in {}: \
                 extract it in that version",
                kind.api_version()
            ))
            .into_error(&subject));
        }
        let owned = part.value;
        let object = self.read(&owned.to_string().into());
        let object = object.map_err(|why| why.into_error(&subject))?;
        let members = Members::of(self.kind());
        Ok(Some(Extracted { object, owned, members, subresource: subresource.to_owned() }))
    }

    /// What the server says of the kind's objects; nothing where it does not say.
    async fn shape(&self, subject: &Subject) -> Result<Shape> {
        let kind = self.kind();
        let document = if kind.group.is_empty() { "api" } else { "apis" };
        let wanted = format!("{document}/{}", kind.api_version());
        let documents = match self.client.openapi(|name| name == wanted).await {
            Ok(documents) => documents,
            Err(error) if error.is_not_found() || error.is_forbidden() => Vec::new(),
            Err(error) => return Err(error),
        };
        let Some(document) = documents.first() else { return Ok(Shape::silent()) };
        let document: Value = codec::from_slice(document.text.as_bytes())
            .map_err(|error| Why::Unreadable(error).into_error(subject))?;
        Ok(Shape::of(kind, document))
    }
}

impl<K: Writable> Api<K> {
    /// Applies what was extracted, where it was extracted: members that the type does not know included.
    ///
    /// # Errors
    /// As of [`apply`](Self::apply).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply_extracted(
        &self,
        extracted: &Extracted<K>,
        options: &ApplyOptions,
    ) -> Result<K> {
        let Extracted { object, owned, subresource, .. } = extracted;
        self.apply_text(object, owned.to_string().into_bytes(), subresource, options).await
    }
}
