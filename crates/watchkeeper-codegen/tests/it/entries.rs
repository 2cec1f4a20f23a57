//! What fuzzers feed, and what must hold whatever they feed: no panic, an error that names the
//! source, and where there are types, the same ones each time, in a text that is Rust.

use watchkeeper_codegen::{Generator, Place};

/// Definitions or an OpenAPI document, as YAML or JSON.
pub(crate) fn definitions(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let generator = match Generator::new().text("fuzzed", text) {
        Ok(generator) => generator,
        Err(error) => {
            let place = error.place();
            let error = error.to_string();
            has_a_place(place, text, &error);
            assert!(error.starts_with("fuzzed: ") && !error.contains('\n'), "{error}");
            return;
        }
    };
    let generated = generator.generate();
    let rust = generated.text();
    assert_eq!(rust, generator.generate().text());
    if let Err(error) = syn::parse_file(&rust) {
        panic!("{error}:\n{rust}");
    }
    for part in generated.raw_parts() {
        assert!(!part.why.is_empty());
    }
}

/// Only of a text that holds nothing of what is looked for all of it is to blame.
fn has_a_place(place: &Place, text: &str, told: &str) {
    let most =
        |breaks: &[&str]| breaks.iter().map(|of| text.matches(of).count()).sum::<usize>() + 1;
    match place {
        // A text that ends too early is wrong behind its last line.
        Place::Line(line) => {
            let lines = most(&["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]);
            assert!((1..=lines).contains(line), "{told}");
        }
        Place::Member { document, path } => {
            assert!((1..=most(&["---", "..."])).contains(document), "{told}");
            assert!(!path.is_empty(), "{told}");
        }
        _ => assert!(told.starts_with("fuzzed: there is neither"), "{told}"),
    }
}
