//! What comes out of the core, on its way to the mailboxes.

use std::collections::VecDeque;
use std::task::{Context, Poll, Waker};

use crate::journal::{Batch, Record};
use crate::step::Output;

/// Holds back what must not be told before it is kept. What a server says that is not kept passes through.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Commits that nobody has taken yet.
    unwritten: Batch,
    /// How many steps had commits, up to which of them those were taken, and up to which they are kept.
    committed: u64,
    taken: u64,
    kept: u64,
    /// What came out of steps, each with the number of the last commits before it.
    held: VecDeque<(u64, Vec<Output>)>,
    keeper: Option<Waker>,
    is_cut: bool,
}

impl Outbox {
    /// An outbox that lets nothing out before this is kept.
    pub(super) fn beginning_with(batch: Batch) -> Self {
        Self { unwritten: batch, committed: 1, ..Self::default() }
    }

    /// Takes what came out of a step, and gives back what may be told at once.
    pub(super) fn put(&mut self, outputs: Vec<Output>) -> Vec<Output> {
        let has_commits = matches!(outputs.first(), Some(Output::Commit(_)));
        if self.kept == self.committed && !has_commits {
            return outputs;
        }
        let (mut at_once, mut held) = (Vec::new(), Vec::new());
        for output in outputs {
            match output {
                Output::Commit(commits) => self.commit(commits),
                // Of these nobody hears.
                Output::Wake(..) => at_once.push(output),
                _ => held.push(output),
            }
        }
        self.held.push_back((self.committed, held));
        at_once
    }

    fn commit(&mut self, commits: Vec<Record>) {
        self.committed += 1;
        self.unwritten.revision = commits.last().map_or(0, |last| last.revision);
        self.unwritten.records.extend(commits);
    }

    /// The commits that nobody has taken.
    pub(super) fn take(&mut self) -> Option<Batch> {
        if self.taken == self.committed {
            return None;
        }
        self.taken = self.committed;
        Some(std::mem::take(&mut self.unwritten))
    }

    /// The commits that nobody has taken, when there are any.
    pub(super) fn poll_take(&mut self, cx: &mut Context<'_>) -> Poll<Batch> {
        match self.take() {
            Some(batch) => Poll::Ready(batch),
            None => {
                self.keeper = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    /// What was taken is kept: gives back what waited for it.
    pub(super) fn kept(&mut self) -> Vec<Output> {
        self.kept = self.taken;
        let until = self.held.partition_point(|(number, _)| *number <= self.kept);
        self.held.drain(..until).flat_map(|(_, outputs)| outputs).collect()
    }

    /// Nothing is kept from now on, and nothing told.
    pub(super) fn cut(&mut self) {
        self.held.clear();
        self.is_cut = true;
    }

    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whom to wake for commits that wait to be taken.
    pub(super) fn keeper(&mut self) -> Option<Waker> {
        if self.taken == self.committed { None } else { self.keeper.take() }
    }
}
