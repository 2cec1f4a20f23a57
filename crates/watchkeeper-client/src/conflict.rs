//! Writing again after a conflict (upstream: `util/retry`).

use tokio::time::sleep;
use watchkeeper_api::{Error, Result};

use crate::wait::Backoff;

/// Does `work` again while it ends with a conflict and `backoff` has steps left
/// (upstream: `RetryOnConflict`). When they run out, the last conflict is the answer.
///
/// The work must read the object anew each time, or the conflict stays.
///
/// ```
/// # use watchkeeper_api::{core::v1::ConfigMap, Result};
/// # use watchkeeper_client::{Api, wait::Backoff, retry_on_conflict};
/// # async fn f(maps: Api<ConfigMap>) -> Result<()> {
/// retry_on_conflict(Backoff::conflict(), async || {
///     let mut map = maps.get("settings").await?;
///     map.data.insert("colour", "blue");
///     maps.update(&map).await
/// })
/// .await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What `work` says that is no conflict; the last conflict.
///
/// # Cancel safety
/// Dropping the future drops the work under way: of its write it is then unknown whether it was carried out.
pub async fn retry_on_conflict<T>(
    backoff: Backoff,
    work: impl AsyncFnMut() -> Result<T>,
) -> Result<T> {
    retry_on_error(backoff, Error::is_conflict, work).await
}

/// Does `work` again while `again` says so of its error and `backoff` has steps left (upstream: `OnError`).
///
/// ```
/// # use watchkeeper_api::{Error, Result, core::v1::ConfigMap};
/// # use watchkeeper_client::{Api, retry_on_error, wait::Backoff};
/// # async fn f(maps: Api<ConfigMap>) -> Result<()> {
/// let map = retry_on_error(Backoff::conflict(), Error::is_retryable, async || {
///     maps.get("settings").await
/// });
/// println!("{}", map.await?.data.len());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The first error that is not to be repeated, or the last.
///
/// # Cancel safety
/// As of [`retry_on_conflict`].
pub async fn retry_on_error<T>(
    mut backoff: Backoff,
    again: impl Fn(&Error) -> bool,
    mut work: impl AsyncFnMut() -> Result<T>,
) -> Result<T> {
    loop {
        let error = match work().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        // The last step is a try, not a wait.
        if backoff.steps <= 1 || !again(&error) {
            return Err(error);
        }
        sleep(backoff.step()).await;
    }
}
