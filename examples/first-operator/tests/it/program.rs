//! The program, with the role that the guide makes for it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper::api::coordination::v1::Lease;
use watchkeeper::api::json;
use watchkeeper::api::rbac::v1::{
    ClusterRole, ClusterRoleBinding, Role, RoleBinding, RoleRef, Subject,
};
use watchkeeper::apiserver::User;
use watchkeeper::client::ApplyOptions;
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::prelude::*;
use watchkeeper_codegen::{Crds, Rbac};

use crate::site::Site;

const NAME: &str = "first-operator";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_first-operator"));
    command.env_remove("KUBECONFIG").env("HOME", "/nonexistent").stdin(Stdio::null());
    command
}

/// The definition, as the program prints it.
fn definition() -> String {
    let output = program().arg("--print-crd").output().expect("the program");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn roles() -> Rbac {
    Rbac::new(NAME).file(path("config/access.json")).expect("what was recorded")
}

#[test]
fn the_files_for_a_cluster_are_what_the_command_makes() {
    let crds = Crds::new().text("Site", &definition()).expect("a definition");
    let (files, test) = ([path("config/crd.yaml")], path("tests/crds.rs"));
    if std::env::var_os("UPDATE").is_some() {
        crds.write(&files[0]).expect("it can be written");
        crds.write_test(&files, &test).expect("it can be written");
        roles().write(&path("config/role.yaml")).expect("it can be written");
    }
    let stale = crds.stale(&files[0]).expect("crd.yaml");
    assert!(stale.is_none(), "set UPDATE=1:\n{}", stale.expect("stale").diff());
    let stale = crds.stale_test(&files, &test).expect("crds.rs");
    assert!(stale.is_none(), "set UPDATE=1:\n{}", stale.expect("stale").diff());
    let stale = roles().stale(&path("config/role.yaml")).expect("role.yaml");
    assert!(stale.is_none(), "set UPDATE=1:\n{}", stale.expect("stale").diff());
}

/// A running program, ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already, if the test has failed.
        let _gone = self.0.kill();
        let _status = self.0.wait();
    }
}

/// Binds the roles of the guide to its service account.
async fn bind(client: &Client) -> watchkeeper::Result<()> {
    let options = ApplyOptions::forced();
    let text = std::fs::read_to_string(path("config/role.yaml")).expect("role.yaml");
    let documents = text.split("---\n").filter(|document| !document.trim().is_empty());
    let values = documents.map(|text| serde_saphyr::from_str(text).expect("YAML"));
    for value in values.collect::<Vec<serde_json::Value>>() {
        if value["kind"] == "ClusterRole" {
            let role: ClusterRole = json::from_str(&value.to_string()).expect("a role");
            client.api_for(&role).apply(&role, &options).await?;
        } else {
            let role: Role = json::from_str(&value.to_string()).expect("a role");
            client.api_for(&role).apply(&role, &options).await?;
        }
    }
    let account = object!(Subject { kind: "ServiceAccount", name: NAME, namespace: "default" });
    let role =
        |kind| object!(RoleRef { api_group: "rbac.authorization.k8s.io", kind: kind, name: NAME });
    let everywhere = object!(ClusterRoleBinding {
        metadata: { name: NAME },
        role_ref: role("ClusterRole"),
        subjects: [account.clone()],
    });
    client.api_for(&everywhere).apply(&everywhere, &options).await?;
    let here = object!(RoleBinding {
        metadata: { name: NAME, namespace: "default" },
        role_ref: role("Role"),
        subjects: [account],
    });
    client.api_for(&here).apply(&here, &options).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_becomes_ready_by_a_program_that_may_do_what_its_roles_say() {
    let cluster = Cluster::builder().rbac().build();
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let account = User::service_account("default", NAME);
    let kubeconfig = endpoint.kubeconfig_as(&cluster, &account).expect("a kubeconfig");
    let (mut parts, actors, served) = (JoinSet::new(), cluster.clone(), cluster.clone());
    parts.spawn(async move { actors.run(std::future::pending()).await });
    parts.spawn(async move { endpoint.serve(&served, std::future::pending()).await });

    let client = cluster.client("test");
    let definition: CustomResourceDefinition = json::from_str(&definition()).expect("JSON");
    client.api_for(&definition).create(&definition, &Default::default()).await.expect("created");
    bind(&client).await.expect("roles");
    let mut command = program();
    command.arg("--kubeconfig").arg(&kubeconfig).arg("--leader-elect");
    command.args(["--health-probe-bind-address", "0"]);
    let running = Running(command.spawn().expect("the program"));

    let blog = std::fs::read_to_string(path("config/blog.yaml")).expect("blog.yaml");
    let blog: serde_json::Value = serde_saphyr::from_str(&blog).expect("YAML");
    let blog: Site = json::from_str(&blog.to_string()).expect("a Site");
    let sites = client.api::<Site>().namespace("default");
    sites.create(&blog, &Default::default()).await.expect("created");
    let ready = async {
        while sites.get("blog").await.expect("it is there").status.ready != 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), ready).await.expect("it becomes ready");
    let lease = client.api::<Lease>().namespace("default").get(NAME).await.expect("a lease");
    assert!(lease.spec.holder_identity.is_some_and(|holder| !holder.is_empty()));
    drop(running);
}
