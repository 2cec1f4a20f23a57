//! Schemas made up: the same ones that the tests of `watchkeeper-codegen` only parse are compiled here.

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use watchkeeper_codegen::Generator;

use super::{File, Objects};
use crate::Outcome;

#[path = "../../../../crates/watchkeeper-codegen/tests/it/schemas.rs"]
mod schemas;

/// A file for each definition and each OpenAPI document of so many schemas.
///
/// # Errors
/// A text is refused, though its names are such as servers take.
pub(super) fn files(schemas: usize, seed: u64) -> Outcome<Vec<File>> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = schemas::texts();
    let mut files = Vec::new();
    for schema in 0..schemas {
        let texts = strategy.new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        let of = [("definition", Objects::Valid), ("document", Objects::None)];
        for (text, (of, objects)) in texts.iter().zip(of) {
            let name = format!("random_{schema}_{of}");
            let generator = Generator::new().library("crate::library").text(&name, text);
            let generated = generator.map_err(|error| error.to_string())?.generate();
            files.push(File { name, generated, objects });
        }
    }
    Ok(files)
}
