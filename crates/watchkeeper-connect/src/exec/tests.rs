//! Plugins as shell scripts. Each writes down that it ran.

use std::path::{Path, PathBuf};

use super::*;
use crate::kubeconfig::EnvVar;

/// A plugin that appends a line to `runs`, then does what `script` says. The shell is told to read
/// it: a file just written cannot be executed while another test forks.
fn plugin(test: &str, script: &str) -> (PathBuf, Exec) {
    let folder = crate::tests::folder(test);
    let path = folder.join("login");
    std::fs::write(&path, format!("#!/bin/sh\necho run >> {}/runs\n{script}\n", folder.display()))
        .unwrap();
    let exec = Exec {
        api_version: V1.to_owned(),
        command: "/bin/sh".to_owned(),
        args: vec![path.to_string_lossy().into_owned()],
        interactive_mode: Some("Never".to_owned()),
        ..Exec::default()
    };
    (folder, exec)
}

fn runs(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("runs")).unwrap_or_default().lines().count()
}

fn printing(status: &str) -> String {
    format!(r#"echo '{{"apiVersion":"{V1}","kind":"ExecCredential","status":{status}}}'"#)
}

fn open(exec: &Exec) -> Plugin {
    Plugin::new(exec.clone(), serde_json::json!({ "server": "https://s" })).unwrap()
}

#[tokio::test]
async fn it_runs_once_for_many_callers_until_refused() {
    let (folder, exec) = plugin("exec-once", &printing(r#"{"token":"t"}"#));
    let plugin = open(&exec);
    let (one, two) = tokio::join!(plugin.credentials(), plugin.credentials());
    assert_eq!(one.unwrap().header.unwrap(), "Bearer t");
    let two = two.unwrap();
    assert_eq!(runs(&folder), 1);
    plugin.forget(&two);
    plugin.forget(&two);
    let fresh = plugin.credentials().await.unwrap();
    assert_eq!(runs(&folder), 2);
    plugin.forget(&two);
    assert_eq!(plugin.credentials().await.unwrap().run, fresh.run, "what was refused is older");
    assert_eq!(runs(&folder), 2);
}

#[tokio::test]
async fn those_who_wait_for_a_run_share_its_failure() {
    let (folder, exec) = plugin("exec-fails-once", "exit 3");
    let plugin = open(&exec);
    let (one, two, three) =
        tokio::join!(plugin.credentials(), plugin.credentials(), plugin.credentials());
    for failed in [one, two, three] {
        assert!(failed.err().unwrap().to_string().contains("failed (exit status: 3)"));
    }
    assert_eq!(runs(&folder), 1);
    assert!(plugin.credentials().await.is_err());
    assert_eq!(runs(&folder), 2, "who comes later tries again");
}

/// A log-in in a browser takes longer than a call may.
#[tokio::test]
async fn who_asks_a_person_is_not_killed_when_a_call_gives_up() {
    let waits = "cd \"$(dirname \"$0\")\"\nuntil test -e answered; do sleep 0.02; done\n";
    let script = format!("{waits}{}", printing(r#"{"token":"t"}"#));
    for (mode, expected) in [("IfAvailable", 1), ("Never", 2)] {
        let (folder, mut exec) = plugin(&format!("exec-asks-{mode}"), &script);
        exec.interactive_mode = Some(mode.to_owned());
        let plugin = Plugin::at(exec, serde_json::Value::Null, || true).unwrap();
        let is_running = async {
            while runs(&folder) == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            said = plugin.credentials() => panic!("{:?}", said.map(|_| ())),
            () = is_running => {}
        }
        std::fs::write(folder.join("answered"), "").unwrap();
        assert_eq!(plugin.credentials().await.unwrap().header.unwrap(), "Bearer t");
        assert_eq!(runs(&folder), expected, "{mode}");
    }
}

#[test]
fn a_person_is_asked_only_where_one_is() {
    let asks = |mode: &str, terminal| {
        let interactive_mode = Some(mode.to_owned());
        let command = "x".to_owned();
        let exec =
            Exec { interactive_mode, command, api_version: V1.to_owned(), ..Exec::default() };
        open(&exec).program.interactive(terminal)
    };
    assert_eq!([asks("Never", true), asks("Never", false)], [Ok(false), Ok(false)]);
    assert_eq!([asks("IfAvailable", true), asks("IfAvailable", false)], [Ok(true), Ok(false)]);
    assert_eq!(asks("Always", true), Ok(true));
    assert!(asks("Always", false).unwrap_err().contains("there is no terminal; log in from one"));
    assert!(asks("Sometimes", true).unwrap_err().contains("unknown interactiveMode \"Sometimes\""));
}

#[tokio::test]
async fn what_expires_is_renewed() {
    for (test, time, expected) in
        [("exec-past", "2020-01-01T00:00:00Z", 2), ("exec-future", "2999-01-01T00:00:00Z", 1)]
    {
        let status = format!(r#"{{"token":"t","expirationTimestamp":"{time}"}}"#);
        let (folder, exec) = plugin(test, &printing(&status));
        let plugin = open(&exec);
        plugin.credentials().await.unwrap();
        plugin.credentials().await.unwrap();
        assert_eq!(runs(&folder), expected, "{time}");
    }
}

#[tokio::test]
async fn it_is_told_what_it_asks_for() {
    let script = r#"echo "$KUBERNETES_EXEC_INFO $A $1" > "$(dirname "$0")/told""#;
    let (folder, mut exec) =
        plugin("exec-told", &format!("{script}\n{}", printing(r#"{"token":"t"}"#)));
    exec.args.push("arg".to_owned());
    exec.env = vec![EnvVar { name: "A".to_owned(), value: "b".to_owned() }];
    exec.provide_cluster_info = true;
    open(&exec).credentials().await.unwrap();
    let told = std::fs::read_to_string(folder.join("told")).unwrap();
    let expected = format!(
        r#"{{"apiVersion":"{V1}","kind":"ExecCredential","spec":{{"cluster":{{"server":"https://s"}},"interactive":false}}}} b arg"#
    );
    assert_eq!(told.trim(), expected);
}

/// Plugins in shell and Python print all members, those without a value as empty texts.
#[tokio::test]
async fn what_is_empty_is_not_there() {
    let status = r#"{"token":"t","clientCertificateData":"","clientKeyData":""}"#;
    let (_, exec) = plugin("exec-empty", &printing(status));
    let credentials = open(&exec).credentials().await.unwrap();
    assert_eq!(credentials.header.unwrap(), "Bearer t");
    assert!(credentials.identity.is_none());
}

#[tokio::test]
async fn what_goes_wrong_is_said_without_what_was_printed() {
    for (script, expected) in [
        ("exit 3", "failed (exit status: 3); run it by hand to see why"),
        ("echo hunter2", "printed no ExecCredential (line 1)"),
        (&printing("{}"), "printed neither a token nor a certificate"),
        (&printing("null"), "printed no status"),
        (
            &printing(r#"{"clientCertificateData":"","clientKeyData":""}"#),
            "printed neither a token nor a certificate",
        ),
        (
            r#"echo '{"apiVersion":"hunter2","kind":"hunter2"}'"#,
            "printed something else than an ExecCredential of client.authentication.k8s.io/v1",
        ),
        (&printing(r#"{"clientKeyData":"hunter2"}"#), "printed a certificate without its key"),
        (
            &printing(r#"{"clientKeyData":"hunter2","clientCertificateData":"hunter2"}"#),
            "printed a client certificate",
        ),
        (
            &printing(r#"{"token":"hunter2","expirationTimestamp":"hunter2"}"#),
            "printed an expirationTimestamp that is no time",
        ),
    ] {
        let (_, exec) = plugin("exec-wrong", script);
        let error = open(&exec).credentials().await.err().unwrap().to_string();
        assert!(error.starts_with("the credential plugin ") && error.contains(expected), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

/// What a plugin asks a person to do, and why it fails, is read where the program's own errors are.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_it_says_to_people_goes_to_our_error_output() {
    let told = r#"{"token":"'"$(readlink /proc/$$/fd/2)"'"}"#;
    let (_, exec) = plugin("exec-stderr", &printing(told));
    let credentials = open(&exec).credentials().await.unwrap();
    let ours = std::fs::read_link("/proc/self/fd/2").unwrap();
    assert_eq!(credentials.header.unwrap(), format!("Bearer {}", ours.display()));
}

/// Nobody may wait for it: a program logs in before it makes its first call.
#[tokio::test(start_paused = true)]
async fn one_that_does_not_end_is_given_up() {
    let (_, exec) = plugin("exec-hangs", "exec sleep 100");
    let error = open(&exec).credentials().await.err().unwrap().to_string();
    assert_eq!(
        error,
        "the credential plugin \"/bin/sh\" was not done within 60 seconds; run it by hand to see why"
    );
}

#[tokio::test]
async fn a_plugin_that_is_not_there_tells_how_to_get_it() {
    let exec = Exec {
        api_version: V1BETA1.to_owned(),
        command: "watchkeeper-no-such-plugin".to_owned(),
        install_hint: Some("install\n  it\u{1b}[8m\n".to_owned()),
        ..Exec::default()
    };
    let error = open(&exec).credentials().await.err().unwrap().to_string();
    assert_eq!(
        error,
        "the credential plugin \"watchkeeper-no-such-plugin\" is not installed: install it\u{fffd}[8m"
    );
}

#[test]
fn old_versions_are_refused_at_once() {
    let exec = Exec {
        api_version: "client.authentication.k8s.io/v1alpha1".to_owned(),
        command: "x".to_owned(),
        ..Exec::default()
    };
    let error = Plugin::new(exec, serde_json::Value::Null).err().unwrap();
    assert!(error.contains("v1alpha1") && error.contains("update the plugin"), "{error}");
}

/// As scripts do that fill in a form; kubectl reads both.
#[tokio::test]
async fn what_is_printed_in_yaml_is_read() {
    let script = format!(
        "cat <<'END'\n# mine\napiVersion: {V1}\nkind: ExecCredential\nstatus:\n  token: 007\n  \
         expirationTimestamp: 2999-01-01T00:00:00Z\nEND"
    );
    let (folder, exec) = plugin("exec-yaml", &script);
    let plugin = open(&exec);
    for _ in 0..2 {
        assert_eq!(plugin.credentials().await.unwrap().header.unwrap(), "Bearer 007");
    }
    assert_eq!(runs(&folder), 1);
}
