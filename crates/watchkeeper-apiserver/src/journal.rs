//! What a server must keep so that it can be had again: the journal of its commits.
//!
//! The core knows no files. A server that is kept ([`Builder::build_on`](crate::server::Builder::build_on))
//! gives its commits out of each step ([`Output::Commit`](crate::step::Output::Commit)); the shell holds
//! back whatever comes out with them and after them until a [`Journal`] has them ([`Keeper`]). So nobody
//! hears of a write that could still be lost: neither who made it, nor a reader, nor a watcher.
//!
//! ```text
//!  step ──Commit──▶ unwritten ──Batch──▶ Journal::write
//!       ──Reply, Frame…──▶ held ───────────────┴──▶ mailboxes
//! ```

use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::Bytes;

use crate::clock::Now;
use crate::storage::{Event, Key, Stored, TableName};

pub use crate::server::Keeper;

/// One write, as it is kept.
#[derive(Clone)]
pub struct Record {
    /// The revision that it took.
    pub revision: u64,
    /// When it was made.
    pub at: Now,
    /// The table that it wrote to.
    pub table: TableName,
    /// Which object of the table.
    pub key: Key,
    /// The object; none when it is gone.
    text: Option<Text>,
}

/// An object as JSON, in the two parts in which it is at hand.
#[derive(Clone)]
struct Text {
    head: Arc<str>,
    tail: Bytes,
}

/// Tells which object it is, never what is in it: it may be a secret.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { revision, table, key, text, .. } = self;
        let verb = if text.is_some() { "put" } else { "remove" };
        write!(f, "Record({revision} {verb} {table} {key})")
    }
}

impl Record {
    pub(crate) fn of_event(event: &Event, at: Now) -> Self {
        let (table, object) = (&event.table, &event.object);
        if event.change != crate::storage::Change::Deleted {
            return Self::of_object(table, object, at);
        }
        let (table, key) = (table.clone(), object.key.clone());
        Self { revision: event.revision, at, table, key, text: None }
    }

    /// An object as it was last written.
    pub(crate) fn of_object(table: &TableName, object: &Stored, at: Now) -> Self {
        let object = object.written.as_deref().unwrap_or(object);
        let head = Arc::clone(object.head());
        Self {
            revision: object.revision,
            at,
            table: table.clone(),
            key: object.key.clone(),
            text: Some(Text { head, tail: object.tail.clone() }),
        }
    }

    /// The object as JSON; none when the write removed it.
    #[must_use]
    pub fn json(&self) -> Option<Vec<u8>> {
        let Text { head, tail } = self.text.as_ref()?;
        Some([head.as_bytes(), tail].concat())
    }
}

/// Writes that are kept or lost together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The revision of the server after them.
    pub revision: u64,
    /// The writes, oldest first; several may be of one object.
    pub records: Vec<Record>,
    /// What tokens of service accounts are signed with; in the first batch of a server.
    pub signing_key: Option<SigningKey>,
}

/// A key. Not to be printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SigningKey(pub [u8; 32]);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

/// An object as it was kept.
#[derive(Clone)]
pub struct Kept {
    /// The table that it is in.
    pub table: String,
    /// `namespace/name`, or `name` in the cluster.
    pub key: String,
    /// The revision that wrote it.
    pub revision: u64,
    /// When that was.
    pub at: Now,
    /// The object.
    pub json: Vec<u8>,
}

/// Tells which object it is, never what is in it: it may be a secret.
impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept({} {} {})", self.revision, self.table, self.key)
    }
}

/// All that was kept of a server.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The revision of the last write, which is not that of any object when an object was removed.
    pub revision: u64,
    /// The objects, in any order.
    pub objects: Vec<Kept>,
    /// What tokens of service accounts are signed with.
    pub signing_key: SigningKey,
}

/// Where the writes of a server are kept.
///
/// What a file of its own kind does is a matter of who implements it:
/// `watchkeeper_cluster::disk` keeps them on a disk.
pub trait Journal: Send {
    /// What was kept; none when nothing ever was.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is no journal of a server.
    fn read(&mut self) -> io::Result<Option<Saved>>;

    /// Keeps a batch, all of it or nothing. When this returns, it is there after whatever happens.
    ///
    /// # Errors
    ///
    /// When it may not have been kept. The server answers nobody from then on.
    fn write(&mut self, batch: &Batch) -> io::Result<()>;
}
