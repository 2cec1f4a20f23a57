//! A server that is kept on a disk: a journal in a file.
//!
//! The file is a `redb` database. Each batch of commits is one transaction, which the system has told to
//! be on the disk (`fsync`) before any of its answers goes out; what comes meanwhile is the next batch. So
//! neither the end of the process nor that of the machine loses an acknowledged write.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use redb::backends::FileBackend;
use redb::{Database, ReadableDatabase, ReadableTable, Table, TableDefinition, TableError};
use watchkeeper_api::{Error, Result};
use watchkeeper_apiserver::Now;
use watchkeeper_apiserver::journal::{Batch, Journal, Kept, Record, Saved, SigningKey};

#[cfg(test)]
mod tests;

/// The name of the file in its folder.
const FILE: &str = "watchkeeper.redb";
/// What the file's tables are, by a number.
const FORMAT: u64 = 1;

/// Objects by `table/key`; a table's name has no `/` in it.
const OBJECTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("objects");
/// What there is one of.
const STATE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("state");

/// A folder that keeps what a server is told.
///
/// ```
/// use watchkeeper_cluster::{Cluster, Disk};
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::object;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// # let folder = std::env::temp_dir().join(format!("watchkeeper-disk-{}", std::process::id()));
/// let (cluster, keeper) = Cluster::builder().build_on(Disk::open(&folder)?)?;
/// let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
/// let written = async {
///     let client = cluster.client("me");
///     client.api_for(&map).create(&map, &Default::default()).await.expect("created");
/// };
/// keeper.run(written).await.expect("a disk that works");
///
/// let (cluster, keeper) = Cluster::builder().build_on(Disk::open(&folder)?)?;
/// let read = async {
///     cluster.client("me").api_for(&map).get("a").await.expect("it is there");
/// };
/// keeper.run(read).await.expect("a disk that works");
/// # std::fs::remove_dir_all(&folder).expect("removed");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Disk {
    database: Database,
}

impl Disk {
    /// Opens a folder, which is made when it is not there.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made, when another process has it open, or when the file in it is none of
    /// these.
    pub fn open(folder: &Path) -> Result<Self> {
        let cannot = |error: &dyn std::error::Error| {
            Error::other(format!("{} cannot keep a cluster: {error}", folder.display()))
        };
        let file = file_in(folder).map_err(|error| cannot(&error))?;
        let file = FileBackend::new(file).map_err(|error| cannot(&error))?;
        let database = Database::builder().create_with_backend(file);
        Ok(Self { database: database.map_err(|error| cannot(&error))? })
    }

    fn saved(&self) -> std::result::Result<Option<Saved>, Trouble> {
        let read = self.database.begin_read()?;
        let state = match read.open_table(STATE) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table?,
        };
        let number = |name: &str| -> std::result::Result<u64, Trouble> {
            let value = state.get(name)?.ok_or_else(|| damaged(name))?;
            value.value().try_into().map(u64::from_le_bytes).map_err(|_| damaged(name))
        };
        let format = number("format")?;
        if format != FORMAT {
            let why = format!("the file is of format {format}, and this program knows {FORMAT}");
            return Err(Trouble(why));
        }
        let key = state.get("signing-key")?.ok_or_else(|| damaged("signing-key"))?;
        let key = key.value().try_into().map_err(|_| damaged("signing-key"))?;
        let mut objects = Vec::new();
        for entry in read.open_table(OBJECTS)?.iter()? {
            let (name, value) = entry?;
            objects.push(kept(name.value(), value.value()).ok_or_else(|| damaged(name.value()))?);
        }
        Ok(Some(Saved { revision: number("revision")?, objects, signing_key: SigningKey(key) }))
    }

    fn keep(&self, batch: &Batch) -> std::result::Result<(), Trouble> {
        let write = self.database.begin_write()?;
        {
            let mut objects = write.open_table(OBJECTS)?;
            for record in &batch.records {
                note(&mut objects, record)?;
            }
            let mut state = write.open_table(STATE)?;
            state.insert("revision", &batch.revision.to_le_bytes()[..])?;
            if let Some(SigningKey(key)) = &batch.signing_key {
                state.insert("format", &FORMAT.to_le_bytes()[..])?;
                state.insert("signing-key", &key[..])?;
            }
        }
        // Durability is immediate unless told: this returns after the fsync.
        Ok(write.commit()?)
    }
}

impl Journal for Disk {
    fn read(&mut self) -> io::Result<Option<Saved>> {
        self.saved().map_err(|Trouble(why)| io::Error::other(format!("it cannot be read: {why}")))
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let kept = self.keep(batch);
        kept.map_err(|Trouble(why)| io::Error::other(format!("nothing more can be kept: {why}")))
    }
}

fn note(objects: &mut Table<'_, &str, &[u8]>, record: &Record) -> std::result::Result<(), Trouble> {
    let name = format!("{}/{}", record.table, record.key);
    match record.json() {
        None => drop(objects.remove(&*name)?),
        Some(json) => {
            let at = record.at.0;
            let mut value = Vec::with_capacity(HEAD + json.len());
            value.extend(record.revision.to_le_bytes());
            value.extend(at.as_secs().to_le_bytes());
            value.extend(at.subsec_nanos().to_le_bytes());
            value.extend(json);
            objects.insert(&*name, &value[..])?;
        }
    }
    Ok(())
}

/// The bytes before the object: its revision, and when it was written.
const HEAD: usize = 20;

fn kept(name: &str, value: &[u8]) -> Option<Kept> {
    let (table, key) = name.split_once('/')?;
    let (revision, rest) = value.split_first_chunk()?;
    let (seconds, rest) = rest.split_first_chunk()?;
    let (nanos, json) = rest.split_first_chunk()?;
    let nanos = u32::from_le_bytes(*nanos).min(999_999_999);
    let at = Now(Duration::new(u64::from_le_bytes(*seconds), nanos));
    Some(Kept {
        table: table.to_owned(),
        key: key.to_owned(),
        revision: u64::from_le_bytes(*revision),
        at,
        json: json.to_vec(),
    })
}

/// What is wrong, in words.
struct Trouble(String);

impl<E: Into<redb::Error>> From<E> for Trouble {
    fn from(error: E) -> Self {
        Self(error.into().to_string())
    }
}

fn damaged(name: &str) -> Trouble {
    Trouble(format!("{name:?} in it is not what a server writes"))
}

/// The file in its folder, both made when they are not there, and neither for anybody else to look into, where
/// the system knows such: secrets are in it.
fn file_in(folder: &Path) -> io::Result<File> {
    let folder = std::path::absolute(folder)?;
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
    make(&folder)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join(FILE))?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    // What is new is in its folder from now on, whatever becomes of the machine.
    sync(&folder)?;
    missing.into_iter().filter_map(Path::parent).try_for_each(sync)?;
    Ok(file)
}

#[cfg(unix)]
fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(folder)
}

/// Elsewhere folders cannot be opened, and the system keeps their entries itself.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
