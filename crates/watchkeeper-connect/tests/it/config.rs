//! What a kubeconfig says, and what is wrong with it.

use std::path::PathBuf;

use watchkeeper_connect::{Config, ConfigBuilder, KubeconfigContext, Options};

use crate::live::{open, secure};
use crate::server::{Authority, Server};
use crate::{folder, kubeconfig};

pub(crate) fn options(path: PathBuf) -> Options {
    Options { path: Some(path), ..Options::default() }
}

#[test]
fn a_context_is_read() {
    let path = kubeconfig(&folder("read"), "server: 'https://10.0.0.1:6443/k8s'", "token: hunter2");
    let config = Config::from_kubeconfig(&options(path)).unwrap();
    assert_eq!(config.server(), "https://10.0.0.1:6443/k8s");
    assert_eq!(config.default_namespace(), "shop");
    assert!(!format!("{config:?}").contains("hunter2"));
}

#[test]
fn the_text_of_a_kubeconfig_will_do() {
    let path = kubeconfig(&folder("text"), "server: 'https://a'", "token: hunter2");
    let text = std::fs::read_to_string(path).unwrap();
    let read =
        |text: &str| Config::from_kubeconfig_text(text, "Secret shop/east", &Options::default());
    assert_eq!(read(&text).unwrap().origin(), "context \"here\" of Secret shop/east");
    let error = read(&text.replace("contexts: [", "contexts: {")).unwrap_err().to_string();
    assert!(error.starts_with("the kubeconfig of Secret shop/east is malformed: line"), "{error}");
    assert!(!error.contains("hunter2"), "{error}");
}

/// A program that reads a kubeconfig again sees which contexts say something else than before.
#[test]
fn every_context_is_read_and_those_that_changed_are_others() {
    let path = folder("contexts").join("config");
    let read = |token: &str| {
        let text = format!(
            "contexts: [{{name: a, context: {{cluster: one, user: me}}}}, \
                        {{name: b, context: {{cluster: one, user: you}}}}, \
                        {{name: c, context: {{cluster: two, user: me}}}}]\n\
             clusters: [{{name: one, cluster: {{server: 'https://one'}}}}]\n\
             users: [{{name: me, user: {{token: {token}}}}}, {{name: you, user: {{token: t}}}}]\n"
        );
        std::fs::write(&path, text).unwrap();
        let mut contexts = Config::contexts(&options(path.clone())).unwrap();
        let (name, lost) = contexts.pop().unwrap();
        assert_eq!(name, "c");
        let error = lost.unwrap_err().to_string();
        assert!(error.contains("names the cluster \"two\", which is not there"), "{error}");
        contexts.into_iter().map(|(_, context)| context.unwrap()).collect::<Vec<_>>()
    };
    let first = read("hunter2");
    assert_eq!(first.iter().map(KubeconfigContext::name).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(first[0].config().unwrap().server(), "https://one");
    assert_eq!(read("hunter2"), first);
    let second = read("hunter3");
    assert!(second[0] != first[0] && second[1] == first[1]);
    assert!(!format!("{second:?}").contains("hunter3"));
    let current = KubeconfigContext::read(&options(path.clone())).unwrap_err().to_string();
    assert!(current.contains("sets no current-context"), "{current}");
    let options = Options { context: Some("b".to_owned()), ..options(path.clone()) };
    assert_eq!(KubeconfigContext::read(&options).unwrap(), first[1]);
}

#[test]
fn a_program_may_say_it_all() {
    let builder = Config::builder("https://me:hunter2@10.0.0.1:6443").token("hunter2");
    assert_eq!(format!("{builder:?}"), "ConfigBuilder(https://10.0.0.1:6443)");
    let config = Config::builder("https://10.0.0.1:6443").token("hunter2").namespace("shop");
    let config = config.build().unwrap();
    assert_eq!((config.default_namespace(), config.user()), ("shop", ""));
    assert_eq!(config.origin(), "the program's configuration");
    assert!(!format!("{config:?}").contains("hunter2"));

    let error = |builder: ConfigBuilder| {
        let error = builder.build().and_then(Config::client).unwrap_err().to_string();
        assert!(error.starts_with("the program's configuration: "), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
        error
    };
    assert!(error(Config::builder("ftp://a")).ends_with("write it as https://HOST:PORT"));
    assert!(error(Config::builder("https://a").token("hunter2\n\u{1}")).contains("token"));
    assert!(error(Config::builder("https://a").ca_file("/no/such")).contains("/no/such"));
    assert!(error(Config::builder("https://a").ca_pem("nonsense")).contains("certificate"));
    error(Config::builder("https://a").client_certificate_pem("a", "hunter2"));
}

#[test]
fn the_server_can_be_another() {
    let path = kubeconfig(&folder("master"), "server: 'https://a'", "token: t");
    let master = Some("127.0.0.1:8001".to_owned());
    let config = Config::from_kubeconfig(&Options { master, ..options(path) }).unwrap();
    assert_eq!(config.server(), "http://127.0.0.1:8001/");
    let path = kubeconfig(&folder("master-wrong"), "server: 'https://a'", "");
    let options = Options { master: Some("ftp://b".to_owned()), ..options(path) };
    let error = Config::from_kubeconfig(&options).unwrap_err().to_string();
    let told =
        "--master: the server \"ftp://b\" is no http or https URL; write it as https://HOST:PORT";
    assert_eq!(error, told, "it is no cluster's");
}

/// The name of a certificate is that of the server that it was said of.
#[tokio::test]
async fn another_server_is_not_asked_for_the_name_of_the_first() {
    let (server, folder, _) = secure("master-name").await;
    let cluster = "server: 'https://a', certificate-authority: ca.crt, tls-server-name: a.example";
    let path = kubeconfig(&folder, cluster, "");
    let master = Some(format!("https://{}", server.address));
    let config = Config::from_kubeconfig(&Options { master, ..options(path) }).unwrap();
    config.client().unwrap().server_version().await.unwrap();
}

#[test]
fn an_address_without_a_scheme_is_https_where_there_is_tls_to_speak() {
    let folder = folder("scheme");
    let authority = Authority::new("ca");
    let me = authority.sign("me");
    std::fs::write(folder.join("ca.crt"), &authority.pem).unwrap();
    std::fs::write(folder.join("me.crt"), &me.certificate).unwrap();
    std::fs::write(folder.join("me.key"), &me.key).unwrap();
    for (cluster, user, scheme) in [
        ("", "", "http"),
        ("certificate-authority: ca.crt", "", "https"),
        ("insecure-skip-tls-verify: true", "", "https"),
        ("", "client-certificate: me.crt, client-key: me.key", "https"),
    ] {
        let path = kubeconfig(&folder, &format!("server: '10.0.0.1:6443', {cluster}"), user);
        let config = Config::from_kubeconfig(&options(path)).unwrap();
        assert_eq!(config.server(), &*format!("{scheme}://10.0.0.1:6443/"), "{cluster} {user}");
    }
    let scheme =
        |builder: ConfigBuilder| builder.build().unwrap().server().scheme_str().map(str::to_owned);
    let bare = || Config::builder("10.0.0.1:6443");
    assert_eq!(scheme(bare().token("t")).unwrap(), "http");
    assert_eq!(scheme(bare().ca_pem(&authority.pem)).unwrap(), "https");
    assert_eq!(scheme(bare().insecure()).unwrap(), "https");
    assert_eq!(scheme(bare().client_certificate_pem(&me.certificate, &me.key)).unwrap(), "https");
}

/// What everybody on the way can read is told to nobody.
#[tokio::test]
async fn credentials_leave_the_machine_only_over_tls() {
    let server = Server::plain().await;
    let proxy = crate::proxy::leads_to(server.address).await;
    let folder = folder("clear");
    let ran = folder.join("ran");
    let exec = format!(
        "exec: {{apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, \
         args: [-c, 'echo x >> {}'], interactiveMode: Never}}",
        ran.display()
    );
    for user in ["token: hunter2", "username: me, password: hunter2", &exec] {
        let cluster =
            format!("server: 'http://cluster.invalid', proxy-url: 'http://{}'", proxy.address());
        let user = format!("{user}, as: jane");
        open(&folder, &cluster, &user).server_version().await.unwrap();
        let seen = server.seen().remove(0);
        assert_eq!(seen.authorization, None);
        assert_eq!(seen.told, ["impersonate-user: jane"]);
    }
    assert!(!ran.exists());
    let cluster = format!("server: 'http://{}'", server.address);
    open(&folder, &cluster, "token: t").server_version().await.unwrap();
    assert_eq!(server.seen().remove(0).authorization.as_deref(), Some("Bearer t"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let path = folder("absent").join("config");
    let error = Config::from_kubeconfig(&options(path.clone())).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("cannot read the kubeconfig {}: ", path.display())),
        "{error}"
    );
    let context =
        Options { context: Some("prod".to_owned()), ..options(kubeconfig(&folder("ctx"), "", "")) };
    let error = Config::from_kubeconfig(&context).unwrap_err().to_string();
    assert!(error.contains("has no context \"prod\" (it knows here)"), "{error}");
}

/// Programs have flags whose default is an empty text.
#[test]
fn what_is_empty_says_nothing() {
    let path = kubeconfig(&folder("empty"), "server: 'https://a'", "token: t");
    let [context, master, cluster, user, namespace] = [(); 5].map(|()| Some(String::new()));
    let options = Options { path: Some(path), context, master, cluster, user, namespace };
    let config = Config::from_kubeconfig(&options).unwrap();
    assert_eq!((config.server().to_string().as_str(), config.user()), ("https://a/", "me"));
    assert_eq!(config.default_namespace(), "shop");
    let text = "clusters: [{name: a, cluster: {server: 'https://a'}}]";
    let options = Options { path: None, master: Some("https://b".to_owned()), ..options };
    let config = Config::from_kubeconfig_text(text, "a Secret", &options).unwrap();
    assert_eq!((config.server().to_string().as_str(), config.origin()), ("https://b/", "a Secret"));
}
