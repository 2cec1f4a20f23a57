//! Containers with programs, files and ports, for `kubectl exec`, `attach`, `cp` and `port-forward`.
//!
//! An embedded cluster runs nothing: whoever keeps it says what its containers do. [`Toolbox`] does so for all of
//! them, with programs as short as a test needs them. `kubectl cp` is `tar` at either end, so that is one of them.
//!
//! ```text
//! kubectl ──WebSocket──▶ server ──Run, Terminal──▶ Toolbox ──words, input──▶ programs ──▶ Files
//!                          └───Forward, PortStream──▶ ports
//! ```

mod archive;
mod files;
mod ports;
mod programs;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper::cluster::containers::{Container, Containers, Exit, Run, Terminal};

pub use files::{Files, Problem};
pub use programs::{Said, answer};

/// How much is written at once.
const PIECE: usize = 32 << 10;

/// The programs and the files of all containers of a cluster. Clones share them.
///
/// ```
/// use containers::Toolbox;
/// use watchkeeper::cluster::Cluster;
///
/// let cluster = Cluster::builder().build();
/// Toolbox::default().answer_for(cluster.containers());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Toolbox(Arc<Mutex<BTreeMap<Place, Disk>>>);

/// The namespace of a pod, its name, and that of its container.
type Place = (String, String, String);

/// What is in one run of a container, whose id is told with it.
#[derive(Debug)]
struct Disk {
    id: String,
    files: Files,
}

impl Toolbox {
    /// Answers for the programs and the ports of these containers from now on.
    pub fn answer_for(&self, containers: &Containers) {
        containers.on_port(ports::ECHO, ports::echo);
        containers.on_port(ports::HTTP, ports::http);
        let toolbox = self.clone();
        containers.on_run(move |run, terminal| {
            let toolbox = toolbox.clone();
            async move { toolbox.run(run, terminal).await }
        });
    }

    /// Looks at the files of a container, or changes them. A run that is new has those that it begins with.
    pub fn with<T>(&self, container: &Container, act: impl FnOnce(&mut Files) -> T) -> T {
        let Container { namespace, pod, name, id } = container.clone();
        let begun = |id: &str| Disk { id: id.to_owned(), files: Files::of_container(&pod) };
        let mut disks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let disk = disks.entry((namespace, pod.clone(), name)).or_insert_with(|| begun(&id));
        if disk.id != id {
            *disk = begun(&id);
        }
        act(&mut disk.files)
    }

    async fn run(&self, run: Run, mut terminal: Terminal) -> Exit {
        let words: Vec<&str> = run.command.iter().flatten().map(String::as_str).collect();
        // A container's own program repeats what it hears, as `cat` does.
        if matches!(*words, [] | ["cat"]) {
            return repeat(&mut terminal).await;
        }
        let input = if programs::reads(&words) { all(&mut terminal).await } else { Vec::new() };
        let said = self.with(&run.container, |files| answer(&words, &input, files));
        let Some(Said { out, err, code }) = said else {
            let why = format!("exec: {:?}: executable file not found in $PATH", words[0]);
            return Exit::Failed(format!("error executing command in container: {why}"));
        };
        for piece in out.chunks(PIECE) {
            terminal.print(piece.to_vec()).await;
        }
        if !err.is_empty() {
            terminal.print_error(err).await;
        }
        Exit::Code(code)
    }
}

/// As it comes, so that a person sees it at once.
async fn repeat(terminal: &mut Terminal) -> Exit {
    while let Some(piece) = terminal.read().await {
        terminal.print(piece).await;
    }
    Exit::Code(0)
}

async fn all(terminal: &mut Terminal) -> Vec<u8> {
    let mut input = Vec::new();
    while let Some(piece) = terminal.read().await {
        input.extend_from_slice(&piece);
    }
    input
}
