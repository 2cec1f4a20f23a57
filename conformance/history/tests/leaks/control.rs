//! The control: something that leaks, in each of the ways that are counted.

use std::fs::File;

use tokio::runtime::{Builder, Handle};

use crate::never;
use crate::usage::left;

/// A task that nobody owns, with a file and a buffer.
async fn careless() {
    let held = (File::open("/dev/null").unwrap(), vec![0_u8; 4096]);
    drop(Handle::current().spawn(async move {
        let _held = held;
        never::<()>().await;
    }));
}

/// A buffer that nobody has.
async fn forgetful() {
    Vec::leak(vec![0_u8; 4096]);
    tokio::task::yield_now().await;
}

pub(crate) fn what_leaks_is_caught() {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let careless = runtime.block_on(left(careless));
    assert!(careless.tasks > 0 && careless.bytes >= 4096, "{careless:?}");
    assert!(careless.files > 0 || !cfg!(target_os = "linux"), "{careless:?}");
    let forgetful = runtime.block_on(left(forgetful));
    assert!(forgetful.bytes >= 4096 && forgetful.tasks == 0, "{forgetful:?}");
    assert!(!careless.is_nothing() && !forgetful.is_nothing());
}
