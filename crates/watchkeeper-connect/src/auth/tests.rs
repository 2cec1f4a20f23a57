//! Headers and the token file.

use super::*;

#[test]
fn secrets_are_marked_as_such() {
    let sent = bearer("t0ken\n").unwrap();
    assert_eq!(sent, "Bearer t0ken");
    assert!(sent.is_sensitive());
    let Ok(Auth::Header(basic)) = Auth::basic("me", "pass:word") else { panic!() };
    assert_eq!(basic, "Basic bWU6cGFzczp3b3Jk");
    assert_eq!(format!("{basic:?}"), "Sensitive");
    assert!(!bearer("a\nb").unwrap_err().contains("a\nb"));
}

#[tokio::test(start_paused = true)]
async fn a_token_file_is_read_again_each_minute() {
    let folder = crate::tests::folder("token-file");
    let path = folder.join("token");
    let file = TokenFile::new(path.clone(), None);
    let missing = file.header().await.unwrap_err().to_string();
    assert!(missing.starts_with("cannot read the token file"), "{missing}");

    std::fs::write(&path, "one\n").unwrap();
    assert_eq!(file.header().await.unwrap(), "Bearer one");
    std::fs::write(&path, "two").unwrap();
    assert_eq!(file.header().await.unwrap(), "Bearer one");
    tokio::time::advance(TOKEN_FILE_AGE).await;
    assert_eq!(file.header().await.unwrap(), "Bearer two");

    std::fs::remove_file(&path).unwrap();
    tokio::time::advance(TOKEN_FILE_AGE).await;
    assert_eq!(file.header().await.unwrap(), "Bearer two", "the last good one is kept");
    std::fs::write(&path, "three").unwrap();
    assert_eq!(file.header().await.unwrap(), "Bearer three");

    file.doubt();
    std::fs::write(&path, "four").unwrap();
    assert_eq!(file.header().await.unwrap(), "Bearer four", "at once");
    file.doubt();
    std::fs::write(&path, " \n").unwrap();
    assert_eq!(file.header().await.unwrap(), "Bearer four", "half written");
    let empty = TokenFile::new(path, None).header().await.unwrap_err().to_string();
    assert!(empty.ends_with("is empty; write a token into it"), "{empty}");
}

/// A kubeconfig may name both: the file is what somebody renews.
#[tokio::test(start_paused = true)]
async fn a_token_beside_the_file_is_sent_until_the_file_can_be_read() {
    let path = crate::tests::folder("token-first").join("token");
    let file = TokenFile::new(path.clone(), Some(bearer("first").unwrap()));
    assert_eq!(file.header().await.unwrap(), "Bearer first");
    std::fs::write(&path, "second").unwrap();
    assert_eq!(file.header().await.unwrap(), "Bearer second", "at once");
    std::fs::remove_file(&path).unwrap();
    tokio::time::advance(TOKEN_FILE_AGE).await;
    assert_eq!(file.header().await.unwrap(), "Bearer second", "the last good one");
}
