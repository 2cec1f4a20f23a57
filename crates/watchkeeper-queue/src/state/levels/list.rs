//! A line of slots whose links lie with the slots, so that any of them leaves at once.

/// No slot.
const NONE: u32 = u32::MAX;

/// Where a slot stands, while it does.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Node {
    /// Says nothing about the head of a line.
    before: u32,
    after: u32,
    /// The how-manieth it was that became ready.
    pub(super) arrival: u64,
}

/// Where the nodes of slots are.
pub(in super::super) trait Nodes {
    fn node(&self, slot: u32) -> &Node;
    fn node_mut(&mut self, slot: u32) -> &mut Node;
}

/// A line of slots.
#[derive(Clone, Debug)]
pub(super) struct List {
    head: u32,
    tail: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { head: NONE, tail: NONE }
    }
}

impl List {
    /// The first, if there is one.
    #[inline]
    pub(super) fn head(&self) -> Option<u32> {
        (self.head != NONE).then_some(self.head)
    }

    /// Adds a slot that is in no line.
    #[inline]
    pub(super) fn push_back(&mut self, nodes: &mut impl Nodes, slot: u32, arrival: u64) {
        *nodes.node_mut(slot) = Node { before: self.tail, after: NONE, arrival };
        match self.tail {
            NONE => self.head = slot,
            tail => nodes.node_mut(tail).after = slot,
        }
        self.tail = slot;
    }

    /// Takes out the first, if there is one.
    #[inline]
    pub(super) fn pop_front(&mut self, nodes: &impl Nodes) -> Option<u32> {
        let slot = self.head()?;
        // Who is first now is not told: the next to come would have to wait for its memory.
        self.head = nodes.node(slot).after;
        if self.head == NONE {
            self.tail = NONE;
        }
        Some(slot)
    }

    /// Takes out a slot that is in this line.
    pub(super) fn remove(&mut self, nodes: &mut impl Nodes, slot: u32) {
        if self.head == slot {
            self.pop_front(nodes);
            return;
        }
        let Node { before, after, .. } = *nodes.node(slot);
        nodes.node_mut(before).after = after;
        match after {
            NONE => self.tail = before,
            after => nodes.node_mut(after).before = before,
        }
    }
}
