//! What is to be written of slices.

use std::sync::Arc;

use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{Object, Time};
use watchkeeper_controller::{Context, Failure};

use super::moments;
use crate::actors::unless_gone;

/// What is to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Changes {
    pub(crate) create: Vec<EndpointSlice>,
    /// Slices as they are, and as they shall be.
    pub(crate) update: Vec<(Arc<EndpointSlice>, EndpointSlice)>,
    pub(crate) delete: Vec<Arc<EndpointSlice>>,
}

impl Changes {
    pub(crate) fn add(&mut self, more: Self) {
        self.create.extend(more.create);
        self.update.extend(more.update);
        self.delete.extend(more.delete);
    }

    /// Those of the slices that stay as they are.
    pub(crate) fn unchanged(&self, slices: &[Arc<EndpointSlice>]) -> Vec<Arc<EndpointSlice>> {
        let touched: Vec<&Arc<EndpointSlice>> =
            self.update.iter().map(|(was, _)| was).chain(&self.delete).collect();
        let stays = |slice: &&Arc<EndpointSlice>| {
            !touched.iter().any(|touched| Arc::ptr_eq(touched, slice))
        };
        slices.iter().filter(stays).cloned().collect()
    }

    /// The slices that will be written.
    pub(crate) fn written(&self) -> impl Iterator<Item = &EndpointSlice> {
        self.create.iter().chain(self.update.iter().map(|(_, slice)| slice))
    }

    /// The same, to change them.
    pub(crate) fn written_mut(&mut self) -> impl Iterator<Item = &mut EndpointSlice> {
        self.create.iter_mut().chain(self.update.iter_mut().map(|(_, slice)| slice))
    }

    /// Tells in each slice that is written what moment it is about. One that would be written as it is already is not.
    pub(crate) fn dated(mut self, moment: Option<Time>) -> Self {
        self.update.retain(|(was, slice)| **was != *slice);
        for slice in self.written_mut() {
            moments::tell(&mut slice.metadata.annotations, moment);
        }
        self
    }

    /// Writes it all. `owner` is what the slices are of.
    pub(crate) async fn write(self, owner: &impl Object, ctx: &Context) -> Result<(), Failure> {
        // The garbage collector takes the slices of what goes.
        for slice in self.create.iter().filter(|_| !owner.is_deleting()) {
            match ctx.create(slice).await {
                Err(error) if error.cause("NamespaceTerminating").is_some() => return Ok(()),
                made => _ = made?,
            }
        }
        for (was, slice) in self.update {
            ctx.edit(&was, |current: &mut EndpointSlice| *current = slice).await?;
        }
        for slice in &self.delete {
            unless_gone(ctx.delete(slice).await)?;
        }
        Ok(())
    }
}
