//! Makes the types of `crds/kettles.yaml`, as docs/code-generation.md says.

use std::path::Path;

use watchkeeper_codegen::Generator;

#[expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script where to write by a variable"
)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=crds/kettles.yaml");
    let out = std::env::var("OUT_DIR")?;
    let generated = Generator::new().enums(true).file("crds/kettles.yaml")?.generate();
    generated.write_text(&Path::new(&out).join("crds.rs"))?;
    Ok(())
}
