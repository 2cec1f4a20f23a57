use super::page::{Block, blocks, missing};

#[test]
fn a_block_says_what_it_is() {
    let page = "a\n```rust src/a.rs\nfn a() {}\n```\nb\n```sh\nls\n```\n";
    let file = Block { language: "rust", label: "src/a.rs", text: "fn a() {}\n" };
    let call = Block { language: "sh", label: "", text: "ls\n" };
    assert_eq!(blocks(page), [file, call]);
}

#[test]
fn lines_are_wanted_in_their_order_and_numbers_may_differ() {
    let told = "NAME   READY\nweb-1     2/2\nheld by laptop_7\n";
    assert_eq!(missing("NAME READY\n\nheld by …\n", told), Ok(()));
    assert_eq!(missing("web-12 1/1\n", told), Ok(()));
    let wrong = missing("web-1 2/2\nNAME READY\n", told).unwrap_err();
    assert!(wrong.starts_with("the page says\nNAME READY\n"), "{wrong}");
    assert!(missing("web-1 2/2 more\n", told).is_err());
}
