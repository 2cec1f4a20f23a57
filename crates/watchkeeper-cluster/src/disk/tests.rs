//! Disks that end at any moment: what was acknowledged is there.

use std::collections::BTreeMap;
use std::future::Future as _;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Waker};

use proptest::prelude::*;
use redb::{Database, StorageBackend};
use watchkeeper_apiserver::{ApiServer, Rng};

use super::Disk;

/// A disk in memory that ends after a number of operations; then what was written since the last sync
/// is there or not, piece by piece, and a piece may be there in part.
#[derive(Clone, Debug, Default)]
struct Platter(Arc<Mutex<Sectors>>);

#[derive(Debug, Default)]
struct Sectors {
    /// What a reader sees.
    seen: Vec<u8>,
    /// What the end of the machine leaves for sure.
    synced: Vec<u8>,
    since: Vec<Piece>,
    /// How many operations are left.
    left: Option<u32>,
}

#[derive(Debug)]
enum Piece {
    Length(usize),
    Bytes(usize, Vec<u8>),
}

impl Piece {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Length(length) => bytes.resize(*length, 0),
            Self::Bytes(at, data) => {
                bytes.resize(bytes.len().max(at + data.len()), 0);
                bytes[*at..at + data.len()].copy_from_slice(data);
            }
        }
    }
}

impl Sectors {
    fn operate(&mut self) -> io::Result<()> {
        match &mut self.left {
            Some(0) => return Err(io::Error::other("the disk is gone")),
            Some(left) => *left -= 1,
            None => {}
        }
        Ok(())
    }

    fn change(&mut self, piece: Piece) -> io::Result<()> {
        self.operate()?;
        piece.put(&mut self.seen);
        self.since.push(piece);
        Ok(())
    }

    /// What is found after the end.
    fn after_the_end(&mut self, rng: &mut Rng) -> Self {
        let mut bytes = std::mem::take(&mut self.synced);
        for piece in self.since.drain(..) {
            match (rng.below(3), piece) {
                (0, _) => {}
                (1, Piece::Bytes(at, mut data)) => {
                    let part = rng.below(data.len() as u64 + 1);
                    data.truncate(usize::try_from(part).expect("a length"));
                    Piece::Bytes(at, data).put(&mut bytes);
                }
                (_, piece) => piece.put(&mut bytes),
            }
        }
        Self { seen: bytes.clone(), synced: bytes, ..Self::default() }
    }
}

impl Platter {
    fn lock(&self) -> MutexGuard<'_, Sectors> {
        self.0.lock().expect("no panic")
    }

    fn disk(&self) -> Disk {
        let builder = Database::builder();
        Disk { database: builder.create_with_backend(self.clone()).expect("a database") }
    }
}

impl StorageBackend for Platter {
    fn len(&self) -> io::Result<u64> {
        Ok(self.lock().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let sectors = self.lock();
        let at = usize::try_from(offset).expect("an offset");
        let found = sectors.seen.get(at..at + out.len());
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.lock().change(Piece::Length(usize::try_from(length).expect("a length")))
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut sectors = self.lock();
        sectors.operate()?;
        sectors.synced = sectors.seen.clone();
        sectors.since.clear();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let at = usize::try_from(offset).expect("an offset");
        self.lock().change(Piece::Bytes(at, data.to_vec()))
    }
}

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// A create, an update or a delete, whichever the name asks for.
fn request(name: u64, value: Option<u64>, is_there: bool) -> http::Request<bytes::Bytes> {
    let one = format!("{MAPS}/m{name}");
    let (method, path) = match (value, is_there) {
        (None, _) => ("DELETE", &*one),
        (Some(_), true) => ("PUT", &*one),
        (Some(_), false) => ("POST", MAPS),
    };
    let body = value.map(|value| {
        format!(r#"{{"metadata": {{"name": "m{name}"}}, "data": {{"v": "{value}"}}}}"#)
    });
    let request = http::Request::builder().method(method).uri(path);
    request.body(body.unwrap_or_default().into()).expect("a request")
}

/// The config maps that a server has, with their revisions, and its own.
async fn state(server: &ApiServer) -> (u64, Maps) {
    use http_body_util::BodyExt as _;
    let request = http::Request::get(MAPS).body(bytes::Bytes::new()).expect("a request");
    let answer = server.answer(request).await.expect("an answer");
    let text = answer.into_body().collect().await.expect("a body").to_bytes();
    let list: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    let number = |value: &serde_json::Value| {
        let version = value["metadata"]["resourceVersion"].as_str().expect("a version");
        version.parse().expect("a number")
    };
    let items = list["items"].as_array().expect("a list").iter();
    let maps = items.map(|item| {
        let name = item["metadata"]["name"].as_str().expect("a name").to_owned();
        (name, (number(item), item["data"]["v"].as_str().unwrap_or_default().to_owned()))
    });
    (number(&list), maps.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn what_was_acknowledged_survives_the_end_of_the_disk(
        seed in any::<u64>(),
        rounds in prop::collection::vec((1_u32..60, writes()), 1..5),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let mut rng = Rng::new(seed);
        runtime.expect("a runtime").block_on(histories(&mut rng, &rounds));
    }
}

/// Which config map gets what value, or goes.
type Write = (u64, Option<u64>);

fn writes() -> impl Strategy<Value = Vec<Write>> {
    prop::collection::vec((0_u64..4, prop::option::weighted(0.7, 0_u64..9)), 1..12)
}

/// The config maps, with their revisions.
type Maps = BTreeMap<String, (u64, String)>;

/// Rounds of writes, each ended by a disk that fails at some operation, and opened again.
async fn histories(rng: &mut Rng, rounds: &[(u32, Vec<Write>)]) {
    let platter = Platter::default();
    // The states by the revisions that they have; the last acknowledged one.
    let mut states: BTreeMap<u64, Maps> = BTreeMap::new();
    let mut acknowledged = 0;
    for (operations, writes) in rounds {
        let opened = ApiServer::builder().seed(rng.next_u64()).build_on(platter.disk());
        let (server, mut keeper) = opened.expect("a server");
        platter.lock().left = Some(*operations);
        let mut ended = keeper.write().is_err();
        if !ended {
            // A read waits for nothing that is kept already.
            let (revision, maps) = state(&server).await;
            check(&states, acknowledged, revision, &maps);
            // What was lost is forgotten: its revisions are given again.
            states.split_off(&revision);
            states.insert(revision, maps);
        }
        for (name, value) in writes {
            if ended {
                break;
            }
            let mut maps =
                states.last_key_value().map(|(_, maps)| maps.clone()).unwrap_or_default();
            let key = format!("m{name}");
            let before = server.revision();
            let mut answer =
                Box::pin(server.answer(request(*name, *value, maps.contains_key(&key))));
            let polled = answer.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            let revision = server.revision();
            if revision == before {
                assert!(polled.is_ready(), "a write without effect waits for nothing");
                continue;
            }
            assert!(polled.is_pending(), "it was answered before it was kept");
            match value {
                Some(value) => maps.insert(key, (revision, value.to_string())),
                None => maps.remove(&key),
            };
            states.insert(revision, maps);
            ended = keeper.write().is_err();
            match answer.await {
                Ok(_) => acknowledged = revision,
                Err(_) => assert!(ended, "only the end of the disk leaves a write unanswered"),
            }
        }
        drop((server, keeper));
        let mut sectors = platter.lock();
        let found = sectors.after_the_end(rng);
        *sectors = found;
    }
    let opened = ApiServer::builder().build_on(platter.disk()).expect("a server");
    let (server, mut keeper) = opened;
    keeper.write().expect("a disk that works");
    let (revision, maps) = state(&server).await;
    check(&states, acknowledged, revision, &maps);
}

/// What is read back is one of the states that there were, and none older than what was acknowledged.
fn check(states: &BTreeMap<u64, Maps>, acknowledged: u64, revision: u64, maps: &Maps) {
    assert!(revision >= acknowledged, "{acknowledged} was acknowledged, {revision} is there");
    match states.get(&revision) {
        Some(state) => assert_eq!(maps, state),
        None => assert!(maps.is_empty() && acknowledged == 0, "{revision}: {maps:?}"),
    }
}

#[test]
fn a_folder_is_one_servers_at_a_time() {
    let folder = std::env::temp_dir().join(format!("watchkeeper-disk-one-{}", std::process::id()));
    let _left = std::fs::remove_dir_all(&folder);
    let first = Disk::open(&folder).expect("a folder");
    let error = Disk::open(&folder).expect_err("it is taken").to_string();
    assert!(error.contains("cannot keep a cluster") && error.contains("open"), "{error}");
    drop(first);
    std::fs::write(folder.join(super::FILE), "something else").expect("it can be written");
    let error = Disk::open(&folder).expect_err("it is no database").to_string();
    assert!(error.starts_with(&format!("{} cannot keep a cluster: ", folder.display())), "{error}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_what_is_kept_in_a_folder_that_was_there() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("watchkeeper-disk-own-{}", std::process::id()));
    let _left = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("a folder");
    let file = folder.join(super::FILE);
    for _ in 0..2 {
        drop(Disk::open(&folder).expect("it is opened"));
        let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("it is one's own");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
