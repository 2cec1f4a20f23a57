//! How connections to ports end.

use tokio::task::JoinSet;

use super::*;

/// Repeats four bytes, and never ends.
async fn port(_: Forward, mut stream: DuplexStream) -> Result<(), String> {
    let mut heard = [0; 4];
    stream.read_exact(&mut heard).await.map_err(|error| error.to_string())?;
    stream.write_all(&heard).await.map_err(|error| error.to_string())?;
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_close_is_answered_with_a_close() {
    let (near, far) = tokio::io::duplex(1 << 10);
    let [namespace, pod] = ["default", "web"].map(str::to_owned);
    let mut tasks = JoinSet::new();
    tasks.spawn(forward(far, vec![Forward { namespace, pod, port: 80 }], port));
    let mut client = WebSocketStream::from_raw_socket(near, Role::Client, None).await;
    // Text is as good as bytes, and there is no third stream.
    for said in ["\0here", "\u{2}none"] {
        client.send(Message::text(said)).await.expect("it is taken");
    }
    for told in ["\0P\0", "\u{1}P\0", "\0here"] {
        let message = client.next().await.expect("no end yet").expect("a message");
        assert_eq!(message.into_data(), told);
    }
    client.close(None).await.expect("it is taken");
    let message = client.next().await.expect("no end yet").expect("a message");
    assert_eq!(message, Message::Close(None));
    assert!(client.next().await.is_none());
    assert!(tasks.join_next().await.expect("the connections").is_ok());
}
