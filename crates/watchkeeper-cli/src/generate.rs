//! `watchkeeper generate`: types of custom resources, from definitions or an OpenAPI document.

use std::io;
use std::path::PathBuf;

use watchkeeper_codegen::{Generated, Generator, Stale, StaleFile, differences};

use crate::{Outcome, header, input};

mod cluster;

/// The arguments of `watchkeeper generate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Definitions (YAML or JSON, any number in a file) or OpenAPI v3 documents of a server; `-` is standard
    /// input
    #[arg(required_unless_present = "from_cluster")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    cluster: cluster::Args,
    /// The Rust file to write; without --single it names the groups, which go into a folder beside it
    #[arg(long)]
    out: PathBuf,
    /// Write everything into the one file, as a build.rs does
    #[arg(long)]
    single: bool,
    /// Write nothing, and fail with the difference when a file is not what would be written
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    header: header::Args,
    /// The path of the library in the program
    #[arg(long, default_value = "watchkeeper")]
    library: String,
    /// Leave out the typed clients
    #[arg(long)]
    no_clients: bool,
    /// Leave out the informers
    #[arg(long)]
    no_informers: bool,
    /// Leave out the definitions, with which a type can install its own
    #[arg(long)]
    no_definitions: bool,
    /// Leave out the `with_…` methods
    #[arg(long)]
    no_builders: bool,
    /// Make enums of texts of which the schema names all values; others survive in a variant of their own
    #[arg(long)]
    enums: bool,
}

/// Writes what is stale, or tells it.
///
/// # Errors
/// An input cannot be read, or with `--check` what is stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let generated = generated(args)?;
    let stale: io::Result<Vec<StaleFile>> = match (args.check, args.single) {
        (true, true) => generated.stale_text(&args.out).map(|stale| stale.into_iter().collect()),
        (true, false) => generated.stale_files(&args.out),
        (false, true) => {
            let text = generated.stale_text(&args.out);
            text.and_then(|stale| {
                generated.write_text(&args.out)?;
                Ok(stale.into_iter().collect())
            })
        }
        (false, false) => generated.write_files(&args.out),
    };
    let stale = stale.map_err(|error| error.to_string())?;
    if args.check {
        return differences(&stale).map_or(Ok(()), Err);
    }
    for file in &stale {
        let done = if matches!(file.how, Stale::Extra { .. }) { "removed" } else { "wrote" };
        eprintln!("{done} {}", file.path.display());
    }
    tell(&generated);
    Ok(())
}

fn generated(args: &Args) -> Outcome<Generated> {
    let mut generator = Generator::new()
        .library(&args.library)
        .clients(!args.no_clients)
        .informers(!args.no_informers)
        .definitions(!args.no_definitions)
        .builders(!args.no_builders)
        .enums(args.enums)
        .header(&args.header.text()?);
    for path in &args.inputs {
        let with = match path == "-" {
            true => generator.text("standard input", &input::read(path)?),
            false => generator.file(path),
        };
        generator = with.map_err(|error| error.to_string())?;
    }
    if args.cluster.from_cluster {
        for document in cluster::documents(&args.cluster)? {
            let source = format!("openapi/v3/{}", document.name);
            match generator.clone().text(&source, &document.text) {
                Ok(with) => generator = with,
                Err(error) => eprintln!("passed over: {error}"),
            }
        }
    }
    Ok(generator.generate())
}

fn tell(generated: &Generated) {
    for part in generated.raw_parts().iter().filter(|part| !part.open) {
        eprintln!("{} {} is raw JSON: {}", part.kind, part.path, part.why);
    }
    let counts = generated.counts();
    eprintln!("{} kinds, {} structs, {counts}", generated.kinds().len(), counts.structs);
}
