//! What is written back, what stays, and what other programs see of it.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

use super::rewrite::rewrite_by;
use super::*;

fn place(test: &str) -> ProviderPlace {
    let file = crate::tests::folder(test).join("config");
    fs::write(&file, KUBECONFIG).unwrap();
    ProviderPlace { file, user: "me".to_owned() }
}

const KUBECONFIG: &str = "# mine\nusers: # two\n- {name: me, user: {auth-provider: {name: oidc, config: \
                          {id-token: old.id, refresh-token: \"old+refresh\", client-id: a, idp-issuer-url: https://i}}}}\n";

fn fields(id: &str, refresh: &str) -> [(&'static str, String); 2] {
    [("id-token", id.to_owned()), ("refresh-token", refresh.to_owned())]
}

/// What [`KUBECONFIG`] says.
fn said() -> Said {
    Said::of(&provider(KUBECONFIG, "me").unwrap())
}

async fn keep_at(place: &ProviderPlace) -> io::Result<Kept> {
    keep(place, &said(), &fields("_new.id", "-new/refresh==")).await
}

fn read_at(place: &ProviderPlace) -> String {
    fs::read_to_string(&place.file).unwrap()
}

/// The names in the folder of the file.
fn names(file: &Path) -> Vec<String> {
    let entries = fs::read_dir(file.parent().unwrap()).unwrap();
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    names
}

#[tokio::test]
async fn only_the_tokens_own_text_changes() {
    let place = place("keep");
    let Kept::Written(now) = keep_at(&place).await.unwrap() else { panic!("nobody logged in") };
    let expected =
        KUBECONFIG.replace("old.id", "\"_new.id\"").replace("old+refresh", "-new/refresh==");
    assert_eq!(read_at(&place), expected);
    assert_eq!(names(&place.file), ["config"], "no lock is left, nor another file");
    assert!(now == Said::of(&read(&place).await.unwrap()) && now != said());
}

#[tokio::test]
async fn a_log_in_that_was_written_meanwhile_stays() {
    for (old, new) in [
        ("old+refresh", "another"),
        ("refresh-token: \"old+refresh\", ", ""),
        ("https://i", "https://j"),
        ("client-id: a", "client-id: b"),
    ] {
        let place = place("keep-newer");
        let newer = KUBECONFIG.replace(old, new);
        fs::write(&place.file, &newer).unwrap();
        assert!(matches!(keep_at(&place).await.unwrap(), Kept::Newer), "{new}");
        assert_eq!(read_at(&place), newer);
        assert_eq!(names(&place.file), ["config"]);
    }
    let place = place("keep-gone");
    for (old, new, told) in [
        ("name: oidc", "name: other", "the user \"me\" has no auth-provider \"oidc\" any more"),
        ("name: me", "name: you", "the user \"me\" is not there any more"),
    ] {
        let gone = KUBECONFIG.replace(old, new);
        fs::write(&place.file, &gone).unwrap();
        assert_eq!(keep_at(&place).await.err().unwrap().to_string(), told);
        assert_eq!(read_at(&place), gone);
    }
}

#[tokio::test(start_paused = true)]
async fn another_program_that_writes_the_kubeconfig_is_waited_for() {
    let place = place("keep-locked");
    let lock = place.file.with_file_name("config.lock");
    fs::write(&lock, "").unwrap();
    let error = keep_at(&place).await.err().unwrap().to_string();
    assert!(
        error.ends_with("config.lock is there: another program writes it, or died at it"),
        "{error}"
    );
    assert_eq!(read_at(&place), KUBECONFIG);
    let freed = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        fs::remove_file(&lock).unwrap();
    };
    let (kept, ()) = tokio::join!(keep_at(&place), freed);
    kept.unwrap();
    assert!(read_at(&place).contains("id-token: \"_new.id\""));
}

/// client-go locks the name that it was told, other programs perhaps the file to which that leads.
#[tokio::test(start_paused = true)]
async fn a_link_leads_to_the_same_file_after_as_before() {
    let real = place("keep-link");
    let folder = real.file.parent().unwrap().join("home");
    fs::create_dir(&folder).unwrap();
    let link = ProviderPlace { file: folder.join("config"), ..real.clone() };
    symlink("../config", &link.file).unwrap();
    for place in [&link, &real] {
        let lock = place.file.with_file_name("config.lock");
        fs::write(&lock, "").unwrap();
        assert!(keep_at(&link).await.is_err(), "{}", lock.display());
        fs::remove_file(lock).unwrap();
    }
    assert_eq!(read_at(&real), KUBECONFIG);
    keep_at(&link).await.unwrap();
    assert_eq!(fs::read_link(&link.file).unwrap(), Path::new("../config"));
    assert!(read_at(&real).contains("id-token: \"_new.id\""));
    assert_eq!(names(&link.file), ["config"]);
    assert_eq!(names(&real.file), ["config", "home"]);
}

/// Its reader would wait for a writer, and with it every call.
#[tokio::test]
async fn a_pipe_is_not_read_again() {
    let place = place("keep-pipe");
    fs::remove_file(&place.file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&place.file).status().unwrap();
    assert!(made.success());
    assert_eq!(read(&place).await.err().unwrap().to_string(), "it is no regular file");
    assert_eq!(keep_at(&place).await.err().unwrap().to_string(), "it is no regular file");
    assert_eq!(names(&place.file), ["config"]);
}

/// Run by root, as `sudo` does, it stays the file of its owner.
#[test]
fn owner_and_mode_stay() {
    let file = place("keep-owner").file;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root gives files away.
    let _as_root = chown(&file, Some(4711), Some(4712));
    let of = |is: fs::Metadata| (is.uid(), is.gid(), is.mode());
    let before = of(fs::metadata(&file).unwrap());
    let number = fs::metadata(&file).unwrap().ino();
    rewrite(&file, KUBECONFIG, "new").unwrap();
    assert_eq!(of(fs::metadata(&file).unwrap()), before);
    assert_ne!(fs::metadata(&file).unwrap().ino(), number, "by a rename");
    assert_eq!(names(&file), ["config"]);
}

#[test]
fn where_a_rename_fails_it_is_written_in_place() {
    let file = place("keep-mount").file;
    let number = fs::metadata(&file).unwrap().ino();
    // As on a mount of its own.
    let busy = |_: &Path, _: &Path| Err(io::ErrorKind::ResourceBusy.into());
    let longer = format!("{KUBECONFIG}# longer\n");
    for (old, new) in [(KUBECONFIG, &*longer), (&longer, "new"), ("new", KUBECONFIG)] {
        rewrite_by(&file, old, new, busy).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), new);
        assert_eq!(names(&file), ["config"], "the copy is gone");
    }
    assert_eq!(fs::metadata(&file).unwrap().ino(), number);
}

#[test]
fn where_there_cannot_be_a_copy_it_is_written_in_place() {
    let folder = crate::tests::folder("keep-long");
    // Room for `.lock`, and no more.
    let file = folder.join("c".repeat(250));
    fs::write(&file, KUBECONFIG).unwrap();
    rewrite(&file, KUBECONFIG, "new").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
}

#[test]
fn a_file_with_two_names_has_the_new_text_under_both() {
    let file = place("keep-hard").file;
    let other = file.with_file_name("other");
    fs::hard_link(&file, &other).unwrap();
    rewrite(&file, KUBECONFIG, "new").unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "new");
    assert_eq!(names(&file), ["config", "other"]);
}

/// Nor does it follow a link that somebody put where the copy comes.
#[test]
fn nobody_elses_file_is_written() {
    let file = place("keep-theirs").file;
    let theirs = file.with_file_name("config.new");
    fs::write(&theirs, "theirs").unwrap();
    symlink(&theirs, file.with_file_name("config.watchkeeper")).unwrap();
    rewrite(&file, KUBECONFIG, "new").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    assert_eq!(names(&file), ["config", "config.new"]);
}
