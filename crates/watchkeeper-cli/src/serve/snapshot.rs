//! A cluster that begins with a file, and ends in one.

use std::path::PathBuf;

use watchkeeper_cluster::{Builder, Cluster};

use crate::{Outcome, input};

/// The files that a cluster comes from and goes to.
#[derive(Debug, clap::Args)]
pub(super) struct Snapshots {
    /// Begin with the objects of this file, as --export or a test that failed wrote it
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Write all objects to this file at the end, as YAML
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
}

impl Snapshots {
    /// The cluster with what it begins with.
    ///
    /// # Errors
    /// The file is not what a cluster held, or the one for the end cannot be had then.
    pub(super) fn begin(&self, builder: Builder) -> Outcome<Builder> {
        if let Some(file) = &self.export {
            let folder = std::path::absolute(file).map_err(|error| error.to_string())?;
            // After hours it would be too late to say so.
            if file.is_dir() || !folder.parent().is_some_and(|folder| folder.is_dir()) {
                return Err(format!("{} cannot be written: it needs a folder", file.display()));
            }
        }
        let Some(file) = &self.import else { return Ok(builder) };
        let begun = builder.import(&input::read(file)?);
        begun.map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Writes what the cluster held at the end.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn end(&self, cluster: &Cluster) -> Outcome {
        let Some(file) = &self.export else { return Ok(()) };
        cluster.export_to(file).map_err(|error| error.to_string())
    }
}
