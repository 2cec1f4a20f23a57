//! A list that only grows, read without a lock: nothing is in most of them, so an empty one is a word.

use std::sync::OnceLock;

#[derive(Clone, Debug)]
pub(super) struct Chain<T>(OnceLock<Box<Link<T>>>);

#[derive(Clone, Debug)]
struct Link<T> {
    item: T,
    others: Chain<T>,
}

impl<T> Default for Chain<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Chain<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.get().is_none()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let links = std::iter::successors(self.0.get(), |link| link.others.0.get());
        links.map(|link| &link.item)
    }

    /// Adds to the end; what is added at the same time by others stays before it.
    pub(super) fn add(&self, mut item: T) {
        let mut at = self;
        loop {
            match at.0.set(Box::new(Link { item, others: Self::default() })) {
                Ok(()) => return,
                Err(back) => item = back.item,
            }
            match at.0.get() {
                Some(link) => at = &link.others,
                None => return,
            }
        }
    }
}
