//! Certificates that are renewed in their place.

use std::path::Path;

use super::*;

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("watchkeeper-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn tls(&self) -> Tls {
        Tls::files(self.0.join("tls.crt"), self.0.join("tls.key"))
    }

    /// Puts a new certificate there, and tells what it is.
    fn renew(&self) -> Vec<u8> {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("made");
        write(&self.0.join("tls.crt"), &made.cert.pem());
        write(&self.0.join("tls.key"), &made.signing_key.serialize_pem());
        made.cert.der().to_vec()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("written");
}

fn shown(renewal: &Renewal) -> Arc<CertifiedKey> {
    renewal.current.get().expect("there is one")
}

/// What follows the files, with a certificate of them.
async fn renewal(tls: Tls, reads: &Arc<CertificateReads>) -> Renewal {
    let Tls(Source::Files { certificate, key }) = tls else { panic!("there are no files") };
    let files = Files { certificate, key, reads: Some(Arc::clone(reads)) };
    let (texts, current) = files.read().await.expect("a certificate");
    Renewal { files, texts, current: Arc::new(Current::new(current)) }
}

fn edge() -> Edge {
    Edge { client: Client::unconnected(), clock: Clock::system() }
}

#[tokio::test]
async fn a_renewed_certificate_is_used_and_a_broken_one_is_not() {
    let folder = Folder::new("renewed");
    let reads = Arc::new(CertificateReads::default());
    let first = folder.renew();
    let mut renewal = renewal(folder.tls(), &reads).await;
    assert_eq!(shown(&renewal).cert[0].to_vec(), first);
    let before = shown(&renewal);
    renewal.look().await;
    assert!(Arc::ptr_eq(&before, &shown(&renewal)), "nothing has changed");

    let second = folder.renew();
    renewal.look().await;
    assert_eq!(shown(&renewal).cert[0].to_vec(), second);

    // A new certificate beside the old key, as between two writes.
    let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("made");
    write(&folder.0.join("tls.crt"), &other.cert.pem());
    renewal.look().await;
    assert_eq!(shown(&renewal).cert[0].to_vec(), second);
    write(&folder.0.join("tls.key"), &other.signing_key.serialize_pem());
    renewal.look().await;
    assert_eq!(shown(&renewal).cert[0].to_vec(), other.cert.der().to_vec());
    let counts = [&reads.all, &reads.failed].map(|count| count.load(Ordering::Relaxed));
    assert_eq!(counts, [5, 1]);
}

#[tokio::test(start_paused = true)]
async fn the_files_are_read_each_ten_seconds() {
    let folder = Folder::new("each");
    folder.renew();
    let reads = Arc::new(CertificateReads::default());
    let opened = folder.tls().open(Some(Arc::clone(&reads)), &edge()).await.expect("opened");
    let running = opened.keeping.expect("it may be renewed");
    let _over = tokio::time::timeout(Duration::from_secs(35), running).await;
    assert_eq!(reads.all.load(Ordering::Relaxed), 4, "at the start, and three times after it");
}

#[tokio::test]
async fn what_is_no_certificate_is_told_by_its_file() {
    let folder = Folder::new("wrong");
    let refused = async || match folder.tls().open(None, &edge()).await {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(refused().await.starts_with("cannot read "), "{}", refused().await);
    folder.renew();
    assert_eq!(refused().await, "none");
    let (certificate, key) = (folder.0.join("tls.crt"), folder.0.join("tls.key"));
    write(&key, "secret");
    let said = refused().await;
    assert_eq!(said, format!("there is no PEM private key in {}", key.display()));
    write(&certificate, "");
    let said = refused().await;
    assert_eq!(said, format!("there is no PEM certificate in {}", certificate.display()));
    let shown = format!("{:?}", folder.tls());
    assert!(shown.contains("tls.key") && !shown.contains("secret"), "{shown}");
}
