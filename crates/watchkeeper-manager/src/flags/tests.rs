//! Names, defaults, and what they come to.

use std::fmt::Write as _;

use clap::Command;
use expect_test::expect;

use super::*;

fn read<F: clap::Args>(args: &[&str]) -> Result<F, String> {
    let command = F::augment_args(Command::new("program"));
    let matches = command.try_get_matches_from([&["program"], args].concat());
    let matches = matches.map_err(|error| error.to_string())?;
    F::from_arg_matches(&matches).map_err(|error| error.to_string())
}

/// Each flag, its variable, and its default.
fn listed<F: clap::Args>() -> String {
    let mut text = String::new();
    for arg in F::augment_args(Command::new("program")).get_arguments() {
        let name = arg.get_long().expect("a long name");
        let env = arg.get_env().map_or("-", |env| env.to_str().expect("text"));
        let defaults: Vec<_> =
            arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        writeln!(text, "--{name} {env} {}", defaults.join(" ")).expect("written");
    }
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What the feature of that name adds.
const PROFILES: &str = "--pprof-bind-address PPROF_BIND_ADDRESS 0\n";

#[test]
fn the_flags_have_upstreams_names_and_defaults() {
    expect![[r#"
        --kubeconfig -
        --context -
        --master -
        --metrics-bind-address METRICS_BIND_ADDRESS 0
        --metrics-secure METRICS_SECURE true
        --metrics-cert-path METRICS_CERT_PATH
        --metrics-cert-name METRICS_CERT_NAME tls.crt
        --metrics-cert-key METRICS_CERT_KEY tls.key
        --health-probe-bind-address HEALTH_PROBE_BIND_ADDRESS :8081
        --leader-elect LEADER_ELECT false
        --leader-elect-lease-duration LEADER_ELECT_LEASE_DURATION 15s
        --leader-elect-renew-deadline LEADER_ELECT_RENEW_DEADLINE 10s
        --leader-elect-retry-period LEADER_ELECT_RETRY_PERIOD 2s
        --leader-elect-resource-name LEADER_ELECT_RESOURCE_NAME
        --leader-elect-resource-namespace LEADER_ELECT_RESOURCE_NAMESPACE
    "#]]
    .assert_eq(&listed::<Flags>().replace(PROFILES, ""));
    assert_eq!(listed::<Flags>().contains(PROFILES), cfg!(feature = "profiles"));
}

#[test]
fn a_flag_is_on_by_itself_or_by_a_word() {
    let is_on = |args: &[&str]| {
        let flags: Flags = read(args).expect("flags");
        (flags.leader_elect, flags.metrics_secure)
    };
    assert_eq!(is_on(&[]), (false, true));
    assert_eq!(is_on(&["--leader-elect", "--metrics-secure=false"]), (true, false));
    assert_eq!(is_on(&["--leader-elect=true", "--metrics-secure"]), (true, true));
    assert_eq!(is_on(&["--leader-elect=false"]), (false, true));
    assert!(read::<Flags>(&["--leader-elect=perhaps"]).is_err());
}

#[test]
fn durations_are_those_of_go() {
    let read = |text| duration::read(text).map(|duration| duration.as_millis());
    assert_eq!(read("15s"), Ok(15_000));
    assert_eq!(read("1m30s"), Ok(90_000));
    assert_eq!(read("1.5h"), Ok(5_400_000));
    assert_eq!(read("300ms"), Ok(300));
    assert_eq!(read("2500us"), Ok(2));
    assert_eq!(read("0"), Ok(0));
    for (wrong, said) in [
        ("15", "the unit is missing; for seconds write 15s"),
        ("15d", "\"d\" is no unit; use h, m, s or ms, as in 1m30s"),
        ("s", "it must be a number with a unit, as in 15s"),
        ("", "it must be a number with a unit, as in 15s"),
        ("-1s", "\"-\" is no unit; use h, m, s or ms, as in 1m30s"),
        ("1.2.3s", "it must be a number with a unit, as in 15s"),
        ("99999999999999999999h", "that is too long"),
    ] {
        assert_eq!(read(wrong), Err(said.to_owned()), "{wrong}");
    }
}

#[test]
fn an_election_is_as_the_flags_say() {
    let flags: Flags = read(&[]).expect("flags");
    assert_eq!(flags.election("my-operator"), LeaderElection::new("my-operator"));
    let flags: Result<Flags, _> = read(&[
        "--leader-elect-lease-duration=60s",
        "--leader-elect-renew-deadline=40s",
        "--leader-elect-retry-period=5s",
        "--leader-elect-resource-name=other",
        "--leader-elect-resource-namespace=shop",
    ]);
    let election = flags.expect("flags").election("my-operator");
    let secs = Duration::from_secs;
    let expected =
        LeaderElection::new("other").namespace("shop").times(secs(60), secs(40), secs(5));
    assert_eq!(election, expected);
}

#[test]
fn the_flags_of_logs_have_upstreams_names() {
    expect![[r#"
        --zap-devel ZAP_DEVEL false
        --zap-encoder ZAP_ENCODER
        --zap-log-level ZAP_LOG_LEVEL
        --zap-time-encoding ZAP_TIME_ENCODING
    "#]]
    .assert_eq(&listed::<LogFlags>());
    let encoder = |args: &[&str]| read::<LogFlags>(args).map(|flags| flags.encoder());
    assert_eq!(encoder(&[]), Ok(LogEncoder::Json));
    assert_eq!(encoder(&["--zap-devel"]), Ok(LogEncoder::Console));
    assert_eq!(encoder(&["--zap-devel", "--zap-encoder=logfmt"]), Ok(LogEncoder::Logfmt));
    assert!(encoder(&["--zap-encoder=xml"]).is_err_and(|error| error.contains("logfmt")));
    assert!(read::<LogFlags>(&["--zap-time-encoding=rfc3339nano"]).is_ok());
}

#[test]
fn what_is_logged_is_told_by_a_level_a_number_or_by_place() {
    use tracing::Level;
    let wanted = |args: &[&str], rust_log: Option<&str>| {
        read::<LogFlags>(args).and_then(|flags| {
            flags.wanted(rust_log.map(str::to_owned)).map_err(|error| error.to_string())
        })
    };
    // The most that is told of a place in the program, of our own and of what carries bytes.
    let most = |args: &[&str], rust_log: Option<&str>| {
        let wanted = wanted(args, rust_log).expect("levels");
        let levels = [Level::TRACE, Level::DEBUG, Level::INFO, Level::WARN, Level::ERROR];
        ["my_operator", "h2::frame"].map(|place| {
            levels.into_iter().find(|level| wanted.would_enable(place, level)).expect("a level")
        })
    };
    assert_eq!(most(&[], None), [Level::INFO; 2]);
    assert_eq!(most(&[], Some("")), [Level::INFO; 2]);
    assert_eq!(most(&[], Some("warn")), [Level::WARN; 2]);
    assert_eq!(most(&["--zap-devel"], None), [Level::DEBUG, Level::INFO]);
    assert_eq!(most(&["--zap-devel"], Some("error")), [Level::ERROR; 2]);
    assert_eq!(most(&["--zap-log-level=error"], Some("debug")), [Level::ERROR; 2]);
    assert_eq!(most(&["--zap-log-level=panic"], None), [Level::ERROR; 2]);
    assert_eq!(most(&["--zap-log-level=0"], None), [Level::INFO; 2]);
    assert_eq!(most(&["--zap-log-level=1"], None), [Level::DEBUG, Level::INFO]);
    assert_eq!(most(&["--zap-log-level=7"], None), [Level::TRACE, Level::INFO]);
    let by_place = ["--zap-log-level=info,h2=debug,my_operator=trace"];
    assert_eq!(most(&by_place, None), [Level::TRACE, Level::DEBUG]);
    for wrong in ["--zap-log-level=loud", "--zap-log-level=my_operator=loud", "--zap-log-level="] {
        assert!(wanted(&[wrong], None).is_err_and(|error| error.contains("my_operator=debug")));
    }
    let error = wanted(&[], Some("loud")).expect_err("no level");
    assert!(error.contains("RUST_LOG is \"loud\": write error, warn"), "{error}");
}

#[tokio::test]
async fn a_manager_is_as_the_flags_say() {
    let client = Client::unconnected();
    let manager = |args: &[&str]| {
        read::<Flags>(args).expect("flags").manager(&client, "my-operator", Registry::default())
    };
    let needs = |manager: &Manager| {
        let needs = manager.needs().into_iter().map(|need| need.permission.to_string());
        needs.collect::<Vec<_>>().join(", ")
    };
    let plain = manager(&[]);
    assert!(plain.elector().is_none());
    assert_eq!(needs(&plain), "");
    let secure = manager(&["--metrics-bind-address=:0", "--leader-elect"]);
    assert_eq!(secure.elector().expect("an election").election().lease, "my-operator");
    let said = needs(&secure);
    assert!(said.contains("create tokenreviews") && said.contains("create leases"), "{said}");
    let open = manager(&["--metrics-bind-address=:0", "--metrics-secure=false"]);
    assert_eq!(needs(&open), "");
}

#[tokio::test]
async fn a_kubeconfig_that_is_not_there_is_told() {
    let flags: Flags = read(&["--kubeconfig=/nowhere/config"]).expect("flags");
    let error = flags.connect().await.expect_err("there is none").to_string();
    assert!(error.contains("/nowhere/config"), "{error}");
}

#[cfg(feature = "webhooks")]
mod webhooks {
    use crate::endpoints::Tls;
    use crate::flags::WebhookFlags;
    use crate::webhook::{WebhookServer, Webhooks};

    #[test]
    fn the_flags_of_webhooks_have_upstreams_names_and_defaults() {
        expect_test::expect![[r#"
            --webhook-port WEBHOOK_PORT 9443
            --webhook-cert-path WEBHOOK_CERT_PATH
            --webhook-cert-name WEBHOOK_CERT_NAME tls.crt
            --webhook-cert-key WEBHOOK_CERT_KEY tls.key
        "#]]
        .assert_eq(&super::listed::<WebhookFlags>());
    }

    /// What there is to see of a server: its address, and the files of its certificate.
    fn shown(server: &WebhookServer) -> String {
        format!("{server:?}")
    }

    #[test]
    fn webhooks_are_served_as_the_flags_say() {
        let server = |args: &[&str]| {
            let flags: WebhookFlags = super::read(args).expect("flags");
            shown(&flags.server(Webhooks::new()))
        };
        let expected = |bind: &str, certificate: &str, key: &str| {
            shown(&WebhookServer::new(bind, Tls::files(certificate, key), Webhooks::new()))
        };
        let usual = std::env::temp_dir().join("k8s-webhook-server/serving-certs");
        let usual = usual.to_str().expect("text");
        let (certificate, key) = (format!("{usual}/tls.crt"), format!("{usual}/tls.key"));
        assert_eq!(server(&[]), expected(":9443", &certificate, &key));
        assert!(server(&[]).contains("9443") && server(&[]).contains("tls.crt"), "{}", server(&[]));
        let own =
            ["--webhook-port=8443", "--webhook-cert-path=/certs", "--webhook-cert-name=a.crt"];
        let own = [&own[..], &["--webhook-cert-key=a.key"]].concat();
        assert_eq!(server(&own), expected(":8443", "/certs/a.crt", "/certs/a.key"));
        let wrong = super::read::<WebhookFlags>(&["--webhook-port=70000"]);
        assert!(wrong.is_err_and(|error| error.contains("70000")));
    }
}
