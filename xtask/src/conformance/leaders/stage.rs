//! What the rounds are played on: a server, changes that make work, and replicas.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use watchkeeper_generator::Dice;

use serde_json::{Value, json};

use super::replica::{LEASE, Replica, Side, Times};
use crate::conformance::http;
use crate::conformance::proxy::Proxy;
use crate::process::{self, Lifetime, Server};
use crate::programs::at_hand;
use crate::{Outcome, real, step};

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const FOOS: &str = "/apis/samplecontroller.k8s.io/v1alpha1/namespaces/default/foos";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
/// How many there are.
const OBJECTS: u64 = 4;
/// How long a leader, or the end of the work, is waited for on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Stage {
    proxy: Proxy,
    folder: PathBuf,
    pub(super) dice: Dice,
    actors: Server,
    replicas: Vec<Replica>,
    times: Times,
    started: u32,
    changes: u64,
    /// How many lost their lease without having been told to.
    pub(super) fallen: u32,
}

impl Stage {
    /// A server with Foos, and what makes their pods.
    ///
    /// # Errors
    /// When something cannot be started or made.
    pub(super) fn open(seed: u64, times: Times) -> Outcome<Self> {
        let folder = real::own_folder()?;
        let mut actors = Command::new(at_hand("examples/actors"));
        actors.arg("--kubeconfig").arg(real::path_of("REAL_KUBECONFIG")?);
        let stage = Self {
            proxy: Proxy::start()?,
            dice: Dice::new(seed),
            actors: Server::start(actors, &folder.join("actors.log"), Lifetime::Ours)?,
            folder,
            replicas: Vec::new(),
            times,
            started: 0,
            changes: 0,
            fallen: 0,
        };
        stage.make_foos()?;
        Ok(stage)
    }

    fn make_foos(&self) -> Outcome<()> {
        let crd = process::output(Command::new(at_hand("sample-controller")).arg("--print-crd"))?;
        self.made("POST", CRDS, &String::from_utf8_lossy(&crd))?;
        step::until(PATIENCE, || Ok(self.ask("GET", FOOS, "")?.code == 200))?;
        for name in names() {
            let foo = json!({
                "apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo",
                "metadata": {"name": name}, "spec": {"deploymentName": name, "replicas": 1},
            });
            self.made("POST", FOOS, &foo.to_string())?;
        }
        Ok(())
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Outcome<http::Answer> {
        let kind =
            if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let headers = [("content-type".to_owned(), kind.to_owned())];
        http::send(&self.proxy.address, method, path, &headers, body)
    }

    fn made(&self, method: &str, path: &str, body: &str) -> Outcome<Value> {
        let answer = self.ask(method, path, body)?;
        match answer.code {
            200 | 201 => Ok(answer.body),
            code => Err(format!("{method} {path}: {code} {}", answer.body)),
        }
    }

    /// Another candidate.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn add(&mut self, side: Side) -> Outcome<()> {
        self.started += 1;
        self.replicas.push(Replica::start(side, self.started, self.times, &self.folder)?);
        Ok(())
    }

    /// Changes a Foo, and waits for a moment.
    fn change(&mut self) -> Outcome<()> {
        let name = format!("foo-{}", self.dice.below(OBJECTS));
        // Mostly other than before, so that there is work.
        self.changes += 1;
        let spec = json!({"spec": {"replicas": 1 + self.changes % 3}});
        self.made("PATCH", &format!("{FOOS}/{name}"), &spec.to_string())?;
        step::pause(Duration::from_millis(10 + self.dice.below(40)));
        Ok(())
    }

    /// Changes Foos for a random time.
    ///
    /// # Errors
    /// When the server does not take a change.
    pub(super) fn go_on(&mut self, millis: std::ops::Range<u64>) -> Outcome<()> {
        let time = millis.start + self.dice.below(millis.end - millis.start);
        step::within(Duration::from_millis(time), || self.change().map(|()| false))?;
        // In the midst of what the last change brought.
        step::pause(Duration::from_micros(self.dice.below(10_000)));
        Ok(())
    }

    /// Whom the lease names of those that are here.
    fn holder(&self) -> Outcome<Option<usize>> {
        let answer = self.ask("GET", &format!("{LEASES}/{LEASE}"), "")?;
        let holder = answer.body.pointer("/spec/holderIdentity").and_then(Value::as_str);
        Ok(self.replicas.iter().position(|replica| replica.is(holder.unwrap_or_default())))
    }

    /// Who leads, when somebody does that is not `but`; Foos are changed meanwhile.
    ///
    /// # Errors
    /// When nobody does in time.
    pub(super) fn leader(&mut self, but: &str) -> Outcome<&mut Replica> {
        let mut found = None;
        step::within(PATIENCE, || {
            self.change()?;
            self.tend(but)?;
            found = self.holder()?.filter(|index| self.replicas[*index].name != but);
            Ok(found.is_some())
        })?;
        let index = found.ok_or("nobody takes the lease")?;
        Ok(&mut self.replicas[index])
    }

    /// Who leads, when somebody of this side does: others are stopped until one does.
    ///
    /// # Errors
    /// When nobody does in time.
    pub(super) fn leader_of(&mut self, side: Side) -> Outcome<&mut Replica> {
        let name = self.leader("")?.name.clone();
        if !side.has(&name) {
            self.end(&name, Replica::stop)?;
            return self.leader("");
        }
        self.leader("")
    }

    /// Others, with other times, in the place of those that are there.
    ///
    /// # Errors
    /// When they cannot be started.
    pub(super) fn recast(&mut self, times: Times, sides: [Side; 2]) -> Outcome<()> {
        self.replicas.clear();
        self.times = times;
        sides.into_iter().try_for_each(|side| self.add(side))
    }

    pub(super) fn replica(&mut self, name: &str) -> Outcome<&mut Replica> {
        let mut all = self.replicas.iter_mut();
        all.find(|replica| replica.name == name).ok_or_else(|| format!("{name} is gone"))
    }

    /// Ends one, and starts another of its side when somebody else leads.
    ///
    /// # Errors
    /// When nobody else does in time.
    pub(super) fn end(&mut self, name: &str, how: fn(&mut Replica)) -> Outcome<()> {
        let replica = self.replica(name)?;
        let side = replica.side;
        how(replica);
        self.leader(name)?;
        self.forget(name);
        self.add(side)
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.replicas.retain(|replica| replica.name != name);
    }

    /// Starts others for those that ended by themselves, `but` excepted.
    ///
    /// # Errors
    /// When that is not possible.
    pub(super) fn tend(&mut self, but: &str) -> Outcome<()> {
        for index in 0..self.replicas.len() {
            let replica = &mut self.replicas[index];
            if replica.name == but || replica.runs() {
                continue;
            }
            let (side, said) = (replica.side, replica.said());
            if !said.contains("leader election lost") {
                return Err(format!("{} ended: {said}", replica.name));
            }
            self.fallen += 1;
            self.replicas.remove(index);
            return self.add(side);
        }
        Ok(())
    }

    /// Waits until what the Foos ask for is there.
    ///
    /// # Errors
    /// When that takes too long.
    pub(super) fn converge(&mut self) -> Outcome<()> {
        self.actors.check()?;
        let mut missing = String::new();
        let done = step::until(PATIENCE, || {
            self.tend("")?;
            missing = self.missing()?;
            Ok(missing.is_empty())
        });
        done.map_err(|problem| format!("{problem}: {missing}"))
    }

    /// The Foos that do not have what they ask for.
    fn missing(&self) -> Outcome<String> {
        let mut missing = Vec::new();
        for name in names() {
            let foo = self.made("GET", &format!("{FOOS}/{name}"), "")?;
            let deployment = self.ask("GET", &format!("{DEPLOYMENTS}/{name}"), "")?.body;
            let wanted = foo["spec"]["replicas"].as_i64();
            // Fields that are zero may be left out.
            let has = foo["status"]["availableReplicas"].as_i64().or(Some(0));
            if wanted != deployment["spec"]["replicas"].as_i64() || wanted != has {
                missing.push(name);
            }
        }
        Ok(missing.join(", "))
    }

    /// Ends everything, so that the log is whole.
    pub(super) fn close(&mut self) {
        self.replicas.clear();
        self.actors.stop();
        // What the server received of them is answered.
        step::pause(Duration::from_secs(1));
    }
}

impl Drop for Stage {
    /// A round that failed leaves nobody behind.
    fn drop(&mut self) {
        self.actors.kill();
    }
}

fn names() -> impl Iterator<Item = String> {
    (0..OBJECTS).map(|number| format!("foo-{number}"))
}
