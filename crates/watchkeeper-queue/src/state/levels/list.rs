//! Lines of slots whose links lie in a table, so that any of them leaves at once.

/// No slot.
const NONE: u32 = u32::MAX;

/// The link of the line of a priority.
pub(super) const LEVEL: usize = 0;
/// The link of the line of all.
pub(super) const AGE: usize = 1;

/// Where a slot stands, while it does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) priority: i32,
    links: [Link; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Link {
    before: u32,
    after: u32,
}

/// A line of slots, linked by one of the two links of each.
#[derive(Clone, Debug)]
pub(super) struct List<const LINK: usize> {
    head: u32,
    tail: u32,
}

impl<const LINK: usize> Default for List<LINK> {
    fn default() -> Self {
        Self { head: NONE, tail: NONE }
    }
}

impl<const LINK: usize> List<LINK> {
    /// The first, if there is one.
    pub(super) fn head(&self) -> Option<u32> {
        (self.head != NONE).then_some(self.head)
    }

    /// Adds a slot that is in no line of this link.
    pub(super) fn push_back(&mut self, nodes: &mut [Node], slot: u32) {
        nodes[slot as usize].links[LINK] = Link { before: self.tail, after: NONE };
        match self.tail {
            NONE => self.head = slot,
            tail => nodes[tail as usize].links[LINK].after = slot,
        }
        self.tail = slot;
    }

    /// Takes out a slot that is in this line.
    pub(super) fn remove(&mut self, nodes: &mut [Node], slot: u32) {
        let Link { before, after } = nodes[slot as usize].links[LINK];
        match before {
            NONE => self.head = after,
            before => nodes[before as usize].links[LINK].after = after,
        }
        match after {
            NONE => self.tail = before,
            after => nodes[after as usize].links[LINK].before = before,
        }
    }
}
