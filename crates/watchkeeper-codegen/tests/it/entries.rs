//! What fuzzers feed, and what must hold whatever they feed: no panic, an error that names the
//! source, and where there are types, the same ones each time, in a text that is Rust.

use watchkeeper_codegen::Generator;

/// Definitions or an OpenAPI document, as YAML or JSON.
pub(crate) fn definitions(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let generator = match Generator::new().text("fuzzed", text) {
        Ok(generator) => generator,
        Err(error) => {
            let error = error.to_string();
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
