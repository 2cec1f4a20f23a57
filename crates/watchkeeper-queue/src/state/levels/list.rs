//! A line of slots whose links lie in a table, so that any of them leaves at once.

/// No slot.
const NONE: u32 = u32::MAX;

/// Where a slot stands, while it does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) priority: i32,
    before: u32,
    after: u32,
    /// The how-manieth it was that came to any line.
    pub(super) arrival: u64,
}

impl Node {
    /// A place that is in no line yet.
    #[inline]
    pub(super) fn new(priority: i32, arrival: u64) -> Self {
        Self { priority, arrival, before: NONE, after: NONE }
    }
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
    pub(super) fn push_back(&mut self, nodes: &mut [Node], slot: u32, node: Node) {
        nodes[slot as usize] = Node { before: self.tail, ..node };
        match self.tail {
            NONE => self.head = slot,
            tail => nodes[tail as usize].after = slot,
        }
        self.tail = slot;
    }

    /// Takes out a slot that is in this line.
    #[inline]
    pub(super) fn remove(&mut self, nodes: &mut [Node], slot: u32) {
        let Node { before, after, .. } = nodes[slot as usize];
        match before {
            NONE => self.head = after,
            before => nodes[before as usize].after = after,
        }
        match after {
            NONE => self.tail = before,
            after => nodes[after as usize].before = before,
        }
    }
}
