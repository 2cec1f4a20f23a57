//! Many calls of which the first may show that all would fail.

use std::future::Future;

use futures_util::future::join_all;

/// Does `work` for the numbers below `count`: one, then two at once, then four and so on, and no more after a
/// batch in which one failed. The counterpart of `slowStartBatch` of upstream's controllers: a quota that refuses
/// every pod is asked once, not five hundred times.
///
/// Returns how many went well, and the first error by number.
///
/// ```
/// # use watchkeeper_controller::slow_start;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let (made, ended) = slow_start(10, |number| async move {
///     if number < 5 { Ok(()) } else { Err("no more") }
/// })
/// .await;
/// assert_eq!((made, ended), (5, Err("no more"))); // 1 + 2, and two of the next four
/// # }
/// ```
///
/// # Cancel safety
///
/// Dropping the future drops the calls under way.
pub async fn slow_start<E, Fut>(count: usize, work: impl Fn(usize) -> Fut) -> (usize, Result<(), E>)
where
    Fut: Future<Output = Result<(), E>>,
{
    let (mut done, mut next, mut batch) = (0, 0, 1);
    while next < count {
        let end = count.min(next + batch);
        let ended = join_all((next..end).map(&work)).await;
        let mut first = Ok(());
        for ended in ended {
            match ended {
                Ok(()) => done += 1,
                Err(error) => first = first.and(Err(error)),
            }
        }
        if first.is_err() {
            return (done, first);
        }
        (next, batch) = (end, batch * 2);
    }
    (done, Ok(()))
}

#[cfg(test)]
mod tests;
