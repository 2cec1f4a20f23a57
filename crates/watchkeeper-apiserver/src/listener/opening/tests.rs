//! How long a first word is waited for.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufWriter};
use tokio::time::timeout;

use super::*;

#[tokio::test(start_paused = true)]
async fn it_fails_until_as_many_bytes_are_there_as_tell_what_is_spoken() {
    for (rest, failed) in [(11, true), (12, false)] {
        let (near, mut far) = tokio::io::duplex(64);
        let mut stream = Opening::within(near, Duration::from_secs(90));
        let said = async {
            for count in [12, rest] {
                far.write_all(&b"x".repeat(count)).await.expect("it is taken");
                sleep(Duration::from_secs(1)).await;
            }
        };
        let mut heard = vec![0; 12 + rest];
        let (read, ()) = tokio::join!(stream.read_exact(&mut heard), said);
        assert_eq!(read.expect("they come in time"), 12 + rest);
        let next = timeout(Duration::from_secs(200), stream.read_u8()).await;
        let error = next.ok().map(|next| next.expect_err("nothing comes").kind());
        assert_eq!(error, failed.then_some(io::ErrorKind::TimedOut), "{rest}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_written_flushed_and_ended_is_so_of_the_stream() {
    let (near, mut far) = tokio::io::duplex(64);
    let mut stream = Opening::within(BufWriter::new(near), Duration::from_secs(90));
    assert_eq!(stream.write(b"abc").await.expect("it is taken"), 3);
    stream.flush().await.expect("it is sent");
    let mut heard = [0; 3];
    timeout(Duration::from_secs(1), far.read_exact(&mut heard))
        .await
        .expect("in time")
        .expect("it");
    assert_eq!(&heard, b"abc");
    stream.shutdown().await.expect("it ends");
    let end = timeout(Duration::from_secs(1), far.read(&mut heard)).await.expect("in time");
    assert_eq!(end.expect("the end"), 0);
}
