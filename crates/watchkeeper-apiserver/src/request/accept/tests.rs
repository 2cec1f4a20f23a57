//! Which of its wishes a client gets.

use std::sync::Arc;

use http::HeaderValue;

use super::*;
use crate::registry::builtin;

fn headers(accept: &str) -> HeaderMap {
    let value = HeaderValue::from_str(accept).expect("a header");
    if accept.is_empty() {
        HeaderMap::new()
    } else {
        [(header::ACCEPT, value)].into_iter().collect()
    }
}

#[test]
fn the_best_codec_that_there_is_is_taken() {
    for (accept, taken) in [
        ("", Some(Codec::Json)),
        ("*/*", Some(Codec::Json)),
        ("application/yaml", Some(Codec::Yaml)),
        ("application/vnd.kubernetes.protobuf, application/json", Some(Codec::Protobuf)),
        ("application/json;q=0.5, application/yaml", Some(Codec::Yaml)),
        ("application/json;q=0.5, application/yaml;q=0.4", Some(Codec::Json)),
        ("application/*;q=0.9, application/yaml;q=0.1", Some(Codec::Yaml)),
        ("*/*, application/*;q=0.1", Some(Codec::Json)),
        ("text/html, application/yaml;q=0.1", Some(Codec::Yaml)),
        ("application/yaml;stream=watch", None),
        ("application/json;stream=watch", Some(Codec::Json)),
        ("application/json;stream=other", None),
        ("application/json;as=Table;g=meta.k8s.io;v=v1", None),
        ("text/html", None),
    ] {
        assert_eq!(codec(&headers(accept)), taken, "{accept}");
    }
}

#[test]
fn of_several_media_types_the_one_that_the_client_likes_best_is_picked() {
    let offered = ["a/x", "a/y"];
    for (accept, picked) in [
        ("", Some("a/x")),
        ("a/y", Some("a/y")),
        ("a/y;q=0.5, a/x;q=0.6", Some("a/x")),
        ("a/x;q=0.5, a/y;q=0.6", Some("a/y")),
        ("a/x;q=2, a/y;q=0.9", Some("a/x")),
        ("*/*", Some("a/x")),
        ("b/z", None),
    ] {
        assert_eq!(pick(&headers(accept), &offered), picked, "{accept}");
    }
}

#[test]
fn json_comes_in_lines_where_the_entry_that_it_satisfies_says_so() {
    for (accept, lines) in [
        ("application/json;pretty=1", true),
        ("application/json;pretty=0", false),
        ("application/json", false),
        ("application/yaml;pretty=1", false),
        ("application/yaml;pretty=1, application/json", false),
        ("application/json;q=0.5, */*;pretty=1", true),
        ("*/*;pretty=1, application/json;q=0.5", false),
    ] {
        assert_eq!(wants_lines(&headers(accept)), lines, "{accept}");
    }
    assert!(json(&headers("")).is_ok() && json(&headers("text/html, */*")).is_ok());
    assert_eq!(json(&headers("application/yaml")).map_err(|error| error.code), Err(406));
}

#[test]
fn an_entry_is_read_with_what_is_behind_it() {
    let read =
        accepted(&headers("application/json;as=Table;v=v1;g=meta.k8s.io;q=0.25;stream=watch, ,b"));
    let table = Accept {
        media_type: "application/json".to_owned(),
        kind: "Table".to_owned(),
        group: "meta.k8s.io".to_owned(),
        version: "v1".to_owned(),
        converts: true,
        stream: "watch".to_owned(),
        pretty: false,
        quality: 250,
    };
    let other = Accept { media_type: "b".to_owned(), quality: 1000, ..Accept::default() };
    assert_eq!(read, [table, other]);
    for (text, thousandths) in [
        ("0", 0),
        ("1", 1000),
        ("0.001", 1),
        ("0.0015", 2),
        ("1.1", 1000),
        ("-1", 1000),
        ("x", 1000),
    ] {
        assert_eq!(quality(text), thousandths, "{text}");
    }
    let many = ["a/b"; 101].join(",");
    assert_eq!(accepted(&headers(&many)).len(), 100);
}

/// How objects of a kind are written for a client that takes this.
fn formed(accept: &str, kind: &str, collection: bool, watch: bool) -> Result<Form> {
    let (group, kind) = kind.split_once('/').unwrap_or(("", kind));
    let kind = kind.strip_prefix("custom ").map_or((kind, false), |kind| (kind, true));
    let mut resource = (*builtin(group, "v1", kind.0).expect("a kind")).clone();
    resource.custom = kind.1.then(Arc::default);
    let asked = Asked { resource: &resource, collection, watch };
    form(&headers(accept), &Query::default(), asked)
}

const PARTIAL: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

#[test]
fn objects_are_converted_to_what_there_is_in_the_versions_that_there_are() {
    let partial = |codec, version: &str| {
        let representation = Representation::Partial { version: version.to_owned() };
        Ok(Form { codec, representation })
    };
    let table = |codec, version: &str| {
        let include = Include::Metadata;
        let representation = Representation::Table { version: version.to_owned(), include };
        Ok(Form { codec, representation })
    };
    let plain = |codec| Ok(Form { codec, representation: Representation::Object });
    let (json, yaml, protobuf) = (Codec::Json, Codec::Yaml, Codec::Protobuf);
    for (accept, expected) in [
        ("", plain(json)),
        ("application/json", plain(json)),
        ("application/vnd.kubernetes.protobuf", plain(protobuf)),
        ("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", partial(json, "v1")),
        (
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1",
            partial(json, "v1beta1"),
        ),
        ("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v2", Err(406)),
        ("application/json;as=PartialObjectMetadata;g=example.com;v=v1", Err(406)),
        ("application/json;as=PartialObjectMetadata;v=v1", Err(406)),
        ("application/json;as=PartialObjectMetadata;g=meta.k8s.io", Err(406)),
        (
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
            partial(protobuf, "v1"),
        ),
        ("application/json;as=Table;g=meta.k8s.io;v=v1", table(json, "v1")),
        ("application/yaml;as=Table;g=meta.k8s.io;v=v1beta1", table(yaml, "v1beta1")),
        ("application/json;as=Table;g=meta.k8s.io;v=v2", Err(406)),
        ("application/json;as=Table;g=example.com;v=v1", Err(406)),
        ("application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1", Err(406)),
        ("application/json;as=Other;g=meta.k8s.io;v=v1", Err(406)),
        ("application/json;g=meta.k8s.io", Err(406)),
        ("application/json;v=v1", Err(406)),
        ("application/json;as=Table;g=meta.k8s.io;v=v2, application/json", plain(json)),
        ("application/json;stream=watch", plain(json)),
        ("application/json;stream=other", Err(406)),
    ] {
        let made = formed(accept, "Pod", false, false).map_err(|error| error.code);
        assert_eq!(made, expected, "{accept}");
    }
}

#[test]
fn the_metadata_of_a_list_is_a_list() {
    let many = PARTIAL.replace("Metadata;", "MetadataList;");
    let told = |accept: &str, kind, collection| {
        formed(accept, kind, collection, false).map_err(|error| error.message).err()
    };
    let of_list = |ty: &str| {
        let what = "you requested PartialObjectMetadata, but the requested object is a list";
        Some(format!("{what} (*{ty})"))
    };
    let of_one = |ty: &str| {
        let what =
            "you requested PartialObjectMetadataList, but the requested object is not a list";
        Some(format!("{what} (*{ty})"))
    };
    for (kind, one, list) in [
        ("Pod", "core.Pod", "core.PodList"),
        ("apps/Deployment", "apps.Deployment", "apps.DeploymentList"),
        ("storage.k8s.io/CSINode", "storage.CSINode", "storage.CSINodeList"),
        ("custom Pod", "unstructured.Unstructured", "unstructured.UnstructuredList"),
    ] {
        assert_eq!(told(PARTIAL, kind, false), None, "{kind}");
        assert_eq!(told(PARTIAL, kind, true), of_list(list), "{kind}");
        assert_eq!(told(&many, kind, true), None, "{kind}");
        assert_eq!(told(&many, kind, false), of_one(one), "{kind}");
    }
    for accept in [PARTIAL, &many] {
        assert!(formed(accept, "Pod", true, true).is_ok(), "a watch tells one after the other");
    }
}

#[test]
fn a_watch_comes_in_no_yaml() {
    let told = |accept, watch| formed(accept, "Pod", true, watch).map_err(|error| error.message);
    assert!(told("application/yaml", false).is_ok());
    let refused = told("application/yaml", true).expect_err("no frames of YAML");
    assert_eq!(refused, format!("only the following media types are accepted: {STREAMED}"));
    let refused = told("application/json;stream=no", true).expect_err("no such frames");
    assert_eq!(refused, format!("only the following media types are accepted: {OFFERED}"));
    assert!(told("application/json, application/yaml;q=0.5", true).is_ok());
}

#[test]
fn the_paths_of_built_in_kinds_want_a_media_type_that_is_spelled_out() {
    let told = |accept, kind, collection| {
        formed(accept, kind, collection, false).map_err(|error| error.message)
    };
    let available = "406: Not Acceptable\n\nAvailable representations: ";
    let one = told("application/*", "Pod", false).expect_err("what the router knows not");
    assert_eq!(one, format!("{available}{OFFERED}"));
    let many = told("text/html", "Pod", true).expect_err("what the router knows not");
    assert_eq!(many, format!("{available}{OFFERED}, {STREAMED}"));
    assert!(told("application/*, application/yaml;q=0.1", "Pod", false).is_ok());
    assert!(told("text/html, */*;q=0.1", "Pod", false).is_ok());
    assert!(told("application/*", "custom Pod", false).is_ok());
    let custom = told("text/html", "custom Pod", false).expect_err("nothing there");
    assert_eq!(custom, format!("only the following media types are accepted: {OFFERED}"));
}

#[test]
fn of_custom_resources_only_the_metadata_comes_as_protobuf() {
    let protobuf = "application/vnd.kubernetes.protobuf";
    let code =
        |accept: &str| formed(accept, "custom Pod", false, false).map_err(|error| error.code);
    assert_eq!(code(protobuf), Err(406));
    let partial = PARTIAL.replace("application/json", protobuf);
    assert_eq!(code(&partial).map(|form| form.codec), Ok(Codec::Protobuf));
    let either = format!("{protobuf}, application/json;q=0.1");
    assert_eq!(code(&either).map(|form| form.codec), Ok(Codec::Json));
    assert_eq!(code("*/*").map(|form| form.codec), Ok(Codec::Json));
}

#[test]
fn rows_bring_what_is_asked_for() {
    let pods = builtin("", "v1", "Pod").expect("pods");
    let included = |query: &str| {
        let asked = Asked { resource: &pods, collection: true, watch: false };
        let table = "application/json;as=Table;g=meta.k8s.io;v=v1";
        match form(&headers(table), &Query::parse(query), asked).map(|form| form.representation) {
            Ok(Representation::Table { include, .. }) => Ok(include),
            Ok(_) => Err("another form".to_owned()),
            Err(error) => Err(format!("{} {}", error.code, error.message)),
        }
    };
    assert_eq!(included(""), Ok(Include::Metadata));
    assert_eq!(included("includeObject=Object"), Ok(Include::Object));
    assert_eq!(included("includeObject=None"), Ok(Include::None));
    let why = "400 Unable to convert to Table as requested: includeObject: Invalid value: \"All\": \
               must be 'Metadata', 'Object', 'None', or empty";
    assert_eq!(included("includeObject=All"), Err(why.to_owned()));
}

#[test]
fn a_codec_has_a_media_type_of_whole_answers_and_one_of_streams() {
    let types = Codec::ALL.map(|codec| (codec.media_type(), codec.stream_type()));
    let protobuf = "application/vnd.kubernetes.protobuf";
    let stream = "application/vnd.kubernetes.protobuf;stream=watch";
    let json = "application/json";
    assert_eq!(types, [(json, json), ("application/yaml", json), (protobuf, stream)]);
}

#[test]
fn what_is_spelled_out_comes_before_a_wildcard_and_that_of_more_quality_before_all() {
    for (accept, taken) in [
        ("*/*, application/yaml", Codec::Yaml),
        ("application/*, application/yaml", Codec::Yaml),
        ("application/yaml, */*", Codec::Yaml),
        ("application/yaml;q=0.2, application/vnd.kubernetes.protobuf;q=0.3", Codec::Protobuf),
        ("application/yaml, application/vnd.kubernetes.protobuf", Codec::Yaml),
    ] {
        assert_eq!(codec(&headers(accept)), Some(taken), "{accept}");
    }
}
