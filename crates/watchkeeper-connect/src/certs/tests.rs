//! Files that change, halves and wholes.

use std::path::Path;

use super::*;

fn write(folder: &Path, name: &str) {
    let pair = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    std::fs::write(folder.join("me.crt"), pair.cert.pem()).unwrap();
    std::fs::write(folder.join("me.key"), pair.signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("ca.crt"), pair.cert.pem()).unwrap();
}

fn open(folder: &Path) -> Result<Certs, Unusable> {
    let pem = |what, name| Pem::file(what, folder.join(name));
    let certificate = pem("client-certificate", "me.crt");
    let sources = Sources { certificate, key: pem("client-key", "me.key") };
    Certs::open(Trusted::Roots(pem("certificate-authority", "ca.crt")), Some(sources))
}

#[tokio::test(start_paused = true)]
async fn files_are_read_again_each_minute_and_at_once_when_in_doubt() {
    let folder = crate::tests::folder("certs");
    write(&folder, "one");
    let certs = open(&folder).unwrap();
    assert_eq!(certs.current().await.generation, 0);
    write(&folder, "two");
    assert_eq!(certs.current().await.generation, 0, "not yet");
    tokio::time::advance(AGE).await;
    assert_eq!(certs.current().await.generation, 1);
    tokio::time::advance(AGE).await;
    assert_eq!(certs.current().await.generation, 1, "nothing changed");
    write(&folder, "three");
    certs.doubt();
    assert_eq!(certs.current().await.generation, 2);
}

#[tokio::test(start_paused = true)]
async fn half_of_a_change_is_waited_out() {
    let folder = crate::tests::folder("certs-half");
    write(&folder, "one");
    let certs = open(&folder).unwrap();
    let old = std::fs::read(folder.join("me.key")).unwrap();
    write(&folder, "two");
    let new = std::fs::read(folder.join("me.key")).unwrap();
    for half in [&old[..], &b""[..], &new[..new.len() / 2]] {
        std::fs::write(folder.join("me.key"), half).unwrap();
        certs.doubt();
        assert_eq!(certs.current().await.generation, 0);
    }
    std::fs::remove_file(folder.join("me.key")).unwrap();
    certs.doubt();
    assert_eq!(certs.current().await.generation, 0);
    std::fs::write(folder.join("me.key"), new).unwrap();
    certs.doubt();
    assert_eq!(certs.current().await.generation, 1);
}

#[tokio::test]
async fn no_key_is_in_any_debug_output() {
    let folder = crate::tests::folder("certs-debug");
    write(&folder, "one");
    let key = std::fs::read_to_string(folder.join("me.key")).unwrap();
    let line = key.lines().nth(1).unwrap();
    let certs = open(&folder).unwrap();
    let told = format!("{:?} {:?} {:?}", certs.sources, certs.trusted, certs.current().await);
    assert!(!told.contains(line) && !told.contains("PRIVATE"), "{told}");
    let data = Pem::data("client-key", key.clone().into_bytes());
    assert_eq!(format!("{data:?}"), "client-key-data");
}
