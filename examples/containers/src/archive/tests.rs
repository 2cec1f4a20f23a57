use super::{Asked, asked, reads, run};
use crate::files::Files;
use crate::programs::Said;

fn files() -> Files {
    let mut files = Files::default();
    for (path, text) in [("/from/a", "one"), ("/from/b/c", "two")] {
        files.write(path, text).expect("written");
    }
    files.make_folder("/to").expect("made");
    files
}

#[test]
fn the_flags_of_kubectl_cp_are_known() {
    let unpacks = Asked { unpacks: true, archive: Some("-"), folder: "/", ..Asked::default() };
    assert_eq!(asked(&["-xmf", "-"]), Ok(unpacks));
    let within = ["--no-same-permissions", "--no-same-owner", "-xmf", "-", "-C", "/to"];
    assert_eq!(asked(&within).map(|asked| asked.folder), Ok("/to"));
    assert!(reads(&within) && !reads(&["cf", "-", "/from"]));
    let packs = asked(&["cf", "-", "/from"]).expect("flags");
    assert_eq!((packs.packs, packs.archive, packs.paths), (true, Some("-"), vec!["/from"]));
}

#[test]
fn what_is_packed_is_unpacked_elsewhere() {
    let mut files = files();
    let packed = run(&["cf", "-", "/from"], &[], &mut files);
    assert_eq!((&*packed.err, packed.code), ("tar: Removing leading `/' from member names\n", 0));
    let unpacked = run(&["-xmf", "-", "-C", "/to"], &packed.out, &mut files);
    assert_eq!(unpacked, Said::default());
    assert_eq!(files.read("/to/from/a"), Ok(&b"one"[..]));
    assert_eq!(files.read("/to/from/b/c"), Ok(&b"two"[..]));
}

#[test]
fn names_that_lead_up_stay_below_the_folder() {
    let mut header = tar::Header::new_gnu();
    header.set_size(3);
    // The builder refuses such names, so it is written by hand.
    header.as_mut_bytes()[..8].copy_from_slice(b"../../up");
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(b"bad");
    bytes.resize(512 * 4, 0);
    let mut files = files();
    assert_eq!(run(&["xf", "-", "-C", "/to"], &bytes, &mut files), Said::default());
    assert_eq!(files.read("/to/up"), Ok(&b"bad"[..]));
}

#[test]
fn what_cannot_be_done_is_told() {
    let mut files = files();
    for (arguments, told) in [
        (&["cf", "-", "/none"][..], "tar: /none: Cannot stat: No such file or directory\n"),
        (&["-xmf", "-", "-C", "/none"], "tar: /none: Cannot open: No such file or directory\n"),
        (&["-xzf", "-"], "tar: invalid option -- 'z'\n"),
        (&["-xf"], "tar: f wants a word\n"),
        (&["-cxf", "-"], "tar: it takes either c or x, and f with -\n"),
        (&["-xf", "a.tar"], "tar: it takes either c or x, and f with -\n"),
    ] {
        let said = run(arguments, &[], &mut files);
        assert_eq!((&*said.err, said.code), (told, 2), "{arguments:?}");
    }
    let cut = run(&["cf", "-", "/from"], &[], &mut files).out;
    let said = run(&["-xf", "-"], &cut[..600], &mut files);
    assert_eq!(said.code, 2, "{said:?}");
}
