//! Which objects are an owner's: adoption and release.

use std::sync::Arc;

use watchkeeper_api::selector::Selector;
use watchkeeper_api::{AsObject, Error, HasMeta, Object, Result};

use crate::context::Context;
use crate::owner::{self, set_controller};

impl Context {
    /// The objects that belong to `owner`: those that it controls and `selector` selects. Those that are
    /// selected and nobody controls are adopted, and those that it controls and are not selected any more are
    /// released. What upstream's controllers do with their pods (`ControllerRefManager`).
    ///
    /// An owner that is asked to go neither adopts nor releases; objects that are asked to go are not adopted.
    /// Before the first adoption the server is asked whether the owner is there still, and the same one: a copy
    /// may be behind.
    ///
    /// ```no_run
    /// # use watchkeeper_api::apps::v1::ReplicaSet;
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_api::selector::Selector;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_controller::{Context, Failure};
    /// # async fn f(ctx: &Context, set: &ReplicaSet, pods: &Watch<Pod>) -> Result<(), Failure> {
    /// let selector: Selector = "app=web".parse()?;
    /// let mine = ctx.claim(set, &selector, pods.list_in("shop").await?).await?;
    /// println!("{} pods", mine.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_conflict`](Error::is_conflict) if an object changed meanwhile. If there is something to adopt and
    /// the owner is gone, or asked to go. Whatever else the server says; an object that is gone is no error.
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply): some objects may be adopted or released.
    pub async fn claim<K: HasMeta, O: Object>(
        &self,
        owner: &impl AsObject<Object = O>,
        selector: &Selector,
        objects: impl IntoIterator<Item = Arc<K>>,
    ) -> Result<Vec<Arc<K>>> {
        let owner = owner.as_object();
        let (mut claimed, mut may_adopt) = (Vec::new(), false);
        for object in objects {
            match relation(owner, selector, &*object) {
                Relation::Mine => claimed.push(object),
                Relation::Released => {
                    let release = |object: &mut K| _ = owner::remove_owner(owner, object);
                    gone(self.edit(&object, release).await)?;
                }
                Relation::Orphan => {
                    if !may_adopt {
                        self.may_adopt(owner).await?;
                        may_adopt = true;
                    }
                    claimed.extend(self.adopt(owner, &object).await?);
                }
                Relation::None => {}
            }
        }
        Ok(claimed)
    }

    async fn adopt<K: HasMeta>(
        &self,
        owner: &impl Object,
        object: &Arc<K>,
    ) -> Result<Option<Arc<K>>> {
        let mut refused = Ok(());
        let adopt = |object: &mut K| refused = set_controller(owner, object);
        let adopted = gone(self.edit(object, adopt).await)?;
        refused.map_err(|refused| Error::usage(refused.to_string()))?;
        Ok(adopted.flatten().map(Arc::new))
    }

    /// Whether the owner is what it was when it was read.
    async fn may_adopt(&self, owner: &impl Object) -> Result<()> {
        let fresh = self.client().api_for(owner).get(owner.name()).await?;
        if fresh.uid() != owner.uid() {
            return Err(Error::other(format!("{} is another one by now", owner.key())));
        }
        if fresh.is_deleting() {
            return Err(Error::other(format!("{} is asked to go and adopts nothing", owner.key())));
        }
        Ok(())
    }
}

/// What an object is to an owner.
#[derive(Debug, PartialEq, Eq)]
enum Relation {
    Mine,
    Orphan,
    Released,
    None,
}

fn relation(owner: &impl Object, selector: &Selector, object: &impl Object) -> Relation {
    let is_selected = selector.selects(object);
    match object.controller() {
        Some(controller) if controller.uid != owner.uid() => Relation::None,
        Some(_) if is_selected => Relation::Mine,
        Some(_) if owner.is_deleting() => Relation::None,
        Some(_) => Relation::Released,
        None if !is_selected || owner.is_deleting() || object.is_deleting() => Relation::None,
        // An owner lives in the namespace of what it owns, or in none.
        None if owner.namespace().is_some_and(|own| object.namespace() != Some(own)) => {
            Relation::None
        }
        None => Relation::Orphan,
    }
}

/// What is gone need be neither adopted nor released.
fn gone<T>(done: Result<T>) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
