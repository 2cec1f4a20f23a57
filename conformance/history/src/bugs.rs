//! Mistakes that informers make, to be put into a small one: each must be found.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// What a list no longer has is taken from the store, and handlers are not told.
    DeleteLostInList,
    /// What a list no longer has is told twice.
    DeletedTwice,
    /// A name that came back in a list is told as an update of what it was before.
    LivesAsOne,
    /// A list is taken in in two halves.
    HalfAList,
    /// Two changes of one object that wait for a handler change places.
    OutOfOrder,
    /// The first event of a watch is taken in once more when the next is opened, whatever came after.
    StaleAgain,
    /// What a watch tells again is taken in again.
    ReplayedAgain,
    /// A handler that comes late is told from the change after the next.
    LateJoinerMissesOne,
    /// A bookmark moves the version further than it says.
    BookmarkGoesTooFar,
    /// After a 410 the version is kept.
    GoneKeepsVersion,
    /// An event that was cut counts as seen.
    CutEventCounts,
    /// Of several updates the handler is told the first.
    MergeKeepsTheFirst,
    /// Of a deletion and what came after it, the handler is told the deletion.
    AddAfterDeleteLost,
    /// A resync tells what was held at the one before.
    ResyncOfThePast,
    /// A handler that has left is told a little more.
    CalledAfterLeaving,
    /// A handler that panicked is told nothing more.
    PanicEndsHandler,
    /// A read does not wait for what was written.
    ReadsAtOnce,
}

impl Bug {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::DeleteLostInList,
        Self::DeletedTwice,
        Self::LivesAsOne,
        Self::HalfAList,
        Self::OutOfOrder,
        Self::StaleAgain,
        Self::ReplayedAgain,
        Self::LateJoinerMissesOne,
        Self::BookmarkGoesTooFar,
        Self::GoneKeepsVersion,
        Self::CutEventCounts,
        Self::MergeKeepsTheFirst,
        Self::AddAfterDeleteLost,
        Self::ResyncOfThePast,
        Self::CalledAfterLeaving,
        Self::PanicEndsHandler,
        Self::ReadsAtOnce,
    ];
}
