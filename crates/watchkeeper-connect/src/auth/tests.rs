//! Headers and the token file.

use super::*;

#[test]
fn secrets_are_marked_as_such() {
    let Ok(Auth::Header(bearer)) = Auth::bearer("t0ken\n") else { panic!() };
    assert_eq!(bearer, "Bearer t0ken");
    assert!(bearer.is_sensitive());
    let Ok(Auth::Header(basic)) = Auth::basic("me", "pass:word") else { panic!() };
    assert_eq!(basic, "Basic bWU6cGFzczp3b3Jk");
    assert_eq!(format!("{basic:?}"), "Sensitive");
    assert!(!Auth::bearer("a\nb").err().unwrap().contains("a\nb"));
}

#[tokio::test(start_paused = true)]
async fn a_token_file_is_read_again_each_minute() {
    let folder = crate::tests::folder("token-file");
    let path = folder.join("token");
    let file = TokenFile::new(path.clone());
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

    file.keep(None);
    std::fs::write(&path, " \n").unwrap();
    let empty = file.header().await.unwrap_err().to_string();
    assert!(empty.ends_with("is empty"), "{empty}");
}
