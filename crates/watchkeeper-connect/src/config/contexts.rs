//! Every context of a kubeconfig, for programs that speak with several clusters.

use std::fmt;

use watchkeeper_api::Result;

use super::{Config, chosen, listed, merged, no_kubeconfig, paths};
use crate::Options;
use crate::kubeconfig::{Chosen, Kubeconfig};

/// A context of a kubeconfig with all that it names. Two are equal if they say the same of their cluster, user
/// and namespace, by the same names: a program that reads a kubeconfig again sees so what has changed. What is in files that they
/// name is not compared, as connections read those again by themselves.
///
/// ```no_run
/// # fn f() -> watchkeeper_api::Result<()> {
/// use watchkeeper_connect::{Config, Options};
///
/// for (name, context) in Config::contexts(&Options::default())? {
///     println!("{name} leads to {}", context?.config()?.server());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct KubeconfigContext {
    chosen: Chosen,
    /// For messages.
    files: String,
}

impl KubeconfigContext {
    /// The context of `options` in their kubeconfig, or the current one.
    ///
    /// # Errors
    /// A file that cannot be read or is malformed, a context that is not there or names what is not.
    pub fn read(options: &Options) -> Result<Self> {
        let options = options.said();
        let (kubeconfig, files) = read(&options)?;
        Ok(Self { chosen: chosen(&kubeconfig, &options, &files)?, files })
    }

    /// What the context is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.chosen.context
    }

    /// What it takes to connect.
    ///
    /// # Errors
    /// An address or credentials that are none, as of [`Config::from_kubeconfig`].
    pub fn config(&self) -> Result<Config> {
        Config::of_chosen(self.chosen.clone(), &self.files)
    }
}

impl Config {
    /// Every context of a kubeconfig with its name, in the order in which they stand there; `options` say which
    /// kubeconfig, and what they say of clusters, users and namespaces is said of each. A context that names
    /// what is not there is an error beside the others.
    ///
    /// # Errors
    /// A file that cannot be read or is malformed.
    pub fn contexts(options: &Options) -> Result<Vec<(String, Result<KubeconfigContext>)>> {
        let options = options.said();
        let (kubeconfig, files) = read(&options)?;
        let contexts = kubeconfig.contexts.iter().map(|named| {
            let options = Options { context: Some(named.name.clone()), ..options.clone() };
            let chosen = chosen(&kubeconfig, &options, &files);
            let context = chosen.map(|chosen| KubeconfigContext { chosen, files: files.clone() });
            (named.name.clone(), context)
        });
        Ok(contexts.collect())
    }
}

fn read(options: &Options) -> Result<(Kubeconfig, String)> {
    let (paths, must_exist) = paths(options);
    let (kubeconfig, read) = merged(&paths, must_exist)?;
    if read.is_empty() {
        return Err(no_kubeconfig(&paths));
    }
    Ok((kubeconfig, listed(&read)))
}

/// Tells the name and the files, never the credentials.
impl fmt::Debug for KubeconfigContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KubeconfigContext({:?} of {})", self.name(), self.files)
    }
}
