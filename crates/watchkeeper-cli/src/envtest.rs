//! The programs of envtest: this one by other names (docs/testing.md).
//!
//! `sigs.k8s.io/controller-runtime/pkg/envtest` starts an `etcd` and a `kube-apiserver` out of the folder
//! that `KUBEBUILDER_ASSETS` names. Links of these names lead here, and what a call does follows from the
//! name that it was made by.

use std::ffi::OsString;
use std::path::Path;

use crate::Outcome;

pub(crate) mod assets;
mod etcd;
mod flags;
mod kube_apiserver;

use flags::{Asked, Known};

/// A program that this one is by another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Etcd,
    KubeApiserver,
}

impl Program {
    const ALL: [Self; 2] = [Self::Etcd, Self::KubeApiserver];

    /// The program that goes by the name which a call begins with.
    pub(crate) fn called(call: Option<OsString>) -> Option<Self> {
        let call = call?;
        let name = Path::new(&call).file_stem()?.to_str()?;
        Self::ALL.into_iter().find(|program| program.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Etcd => "etcd",
            Self::KubeApiserver => "kube-apiserver",
        }
    }

    const fn known(self) -> Known {
        match self {
            Self::Etcd => etcd::KNOWN,
            Self::KubeApiserver => kube_apiserver::KNOWN,
        }
    }

    /// What `--help` says before the flags.
    const fn about(self) -> &'static str {
        match self {
            Self::Etcd => etcd::ABOUT,
            Self::KubeApiserver => kube_apiserver::ABOUT,
        }
    }

    fn version(self) -> String {
        match self {
            Self::Etcd => format!("etcd Version: {}", etcd::VERSION),
            Self::KubeApiserver => format!("Kubernetes {}", kube_apiserver::version()),
        }
    }
}

/// Runs the program with the arguments that follow its name.
///
/// # Errors
/// What is asked for cannot be had, or what broke down.
#[expect(clippy::print_stdout, reason = "help and version are what was asked for")]
pub(crate) fn run(program: Program, arguments: impl Iterator<Item = OsString>) -> Outcome {
    let flags = match flags::parse(program.known(), arguments)? {
        Asked::Help => {
            print!("{}\n\nFlags:\n\n{}", program.about(), program.known().help());
            return Ok(());
        }
        Asked::Version => {
            println!("{}", program.version());
            return Ok(());
        }
        Asked::Run(flags) => flags,
    };
    crate::log::begin()?;
    let runtime = crate::serve::runtime()?;
    match program {
        Program::Etcd => runtime.block_on(etcd::run(&flags)),
        Program::KubeApiserver => runtime.block_on(kube_apiserver::run(&flags)),
    }
}

/// Tells on standard error what was said and means nothing here.
fn tell(program: Program, notes: &[String]) {
    for note in notes {
        eprintln!("{}: {note}", program.name());
    }
}

#[cfg(test)]
mod tests {
    use super::Program;

    #[test]
    fn the_name_of_a_call_says_which_program_it_is() {
        let called = |call: &str| Program::called(Some(call.into()));
        assert_eq!(called("/opt/assets/etcd"), Some(Program::Etcd));
        assert_eq!(called("kube-apiserver"), Some(Program::KubeApiserver));
        assert_eq!(called("/usr/bin/watchkeeper"), None);
        assert_eq!(called("/etcd/watchkeeper"), None);
        assert_eq!(Program::called(None), None);
    }
}
