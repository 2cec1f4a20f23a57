//! What becomes of a request for a certificate.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;
use crate::kind_validation::{approval, validate};

/// A sequence with nothing in it, between lines that say what it is.
fn block(kind: &str) -> String {
    format!("-----BEGIN {kind}-----\nMAA=\n-----END {kind}-----\n")
}

fn request() -> Value {
    let request = STANDARD.encode(block("CERTIFICATE REQUEST"));
    json!({"spec": {
        "request": request, "signerName": "example.com/a.b", "usages": ["client auth"],
    }})
}

fn decided(of: &str) -> Value {
    json!({"type": of, "status": "True"})
}

fn with(status: Value) -> Value {
    patch::merge(&request(), &json!({"status": status}))
}

const GROUP: &str = "certificates.k8s.io";
const KIND: &str = "CertificateSigningRequest";

fn check_status(before: Value, change: Value, expected: Expect) {
    check_object(GROUP, KIND, &with(before), change, expected);
}

fn check_approval(before: Value, change: Value, expected: Expect) {
    let old = with(before);
    let new = completed(GROUP, KIND, patch::merge(&old, &json!({"status": change})));
    expected.assert_eq(&text(&approval(&new, &completed(GROUP, KIND, old))));
}

#[test]
fn approvals() {
    let yes = json!({"conditions": [decided("Approved")]});
    check_approval(json!({}), yes.clone(), expect![[""]]);
    check_approval(
        json!({}),
        json!({"conditions": [decided("Approved"), decided("Denied"), {"type": "", "status": "Maybe"}, {"type": "Failed", "status": "False"}, {"type": "Failed"}]}),
        expect![[r#"
            status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive
            status.conditions[2].type: Required value
            status.conditions[2].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"
            status.conditions[3].status: Unsupported value: "False": supported values: "True"
            status.conditions[4].status: Required value
            status.conditions[4].type: Duplicate value: "Failed""#]],
    );
    check_approval(
        yes,
        json!({"conditions": [], "certificate": "eA=="}),
        expect![[r#"
            status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block
            status.conditions: Forbidden: updates may not remove a condition of type "Approved"
            status.certificate: Forbidden: updates may not set certificate content"#]],
    );
}

#[test]
fn certificates() {
    let yes = json!({"conditions": [decided("Approved")]});
    let certificate = |text: &str| json!({"certificate": STANDARD.encode(text)});
    check_status(yes.clone(), certificate(&block("CERTIFICATE").repeat(2)), expect![[""]]);
    for (text, why) in [
        (
            block("CERTIFICATE REQUEST"),
            "only CERTIFICATE PEM blocks are allowed, found \"CERTIFICATE REQUEST\"",
        ),
        (
            block("CERTIFICATE").replace("MAA=", "a: b\n\nMAA="),
            "no PEM block headers are permitted",
        ),
        (block("CERTIFICATE").replace("MAA=", "MAE="), "x509: malformed certificate"),
        (
            block("CERTIFICATE").replace("END", "STOP"),
            "must contain at least one CERTIFICATE PEM block",
        ),
    ] {
        let old = completed(GROUP, KIND, with(yes.clone()));
        let status_ = json!({"status": certificate(&text)});
        let new = completed(GROUP, KIND, patch::merge(&with(yes.clone()), &status_));
        let told = format!("status.certificate: Invalid value: \"<certificate data>\": {why}");
        assert_eq!(super::super::text(&status(GROUP, KIND, &new, &old)), told);
    }
    let mut had = yes.clone();
    had["certificate"] = STANDARD.encode(block("CERTIFICATE")).into();
    check_status(
        had,
        certificate(&block("CERTIFICATE").repeat(2)),
        expect![
            "status.certificate: Forbidden: updates may not modify existing certificate content"
        ],
    );
    check_status(
        yes,
        json!({"conditions": [decided("Approved"), decided("Denied"), decided("Failed")]}),
        expect![[r#"
            status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive
            status.conditions: Forbidden: updates may not add a condition of type "Denied""#]],
    );
}

/// What was borne once is borne on.
#[test]
fn what_was_wrong_before() {
    let twice = json!({"conditions": [decided("Approved"), decided("Denied"), decided("Denied")], "certificate": "eA=="});
    check_status(twice, json!({}), expect![[""]]);
}

/// What a server of an older version has taken can still be labelled, approved and let go.
#[test]
fn requests_that_an_older_server_has_taken() {
    let mut old = with(json!({"conditions": [{"type": "Approved"}, {"type": "a", "status": "x"}]}));
    old["spec"]["request"] = "Zm9v".into();
    let old = completed(GROUP, KIND, old);
    assert_eq!(text(&validate(GROUP, KIND, &old, Some(&old))), "");
    assert_eq!(text(&approval(&old, &old)), "");
    assert_eq!(text(&status(GROUP, KIND, &old, &old)), "");
    let mut new = old.clone();
    new["spec"]["request"] = "YmFy".into();
    new["status"]["conditions"][1]["status"] = "y".into();
    expect![[r#"
        spec.request: Invalid value: "YmFy": PEM block type must be CERTIFICATE REQUEST
        status.conditions[1].status: Unsupported value: "y": supported values: "False", "True", "Unknown""#]]
    .assert_eq(&text(&validate(GROUP, KIND, &new, Some(&old))));
}

/// `openssl` and YAML break the lines of base64, and some encoders leave bits behind it.
#[test]
fn bytes_may_be_written_in_several_ways() {
    let lines = |text: &str| {
        text.as_bytes().chunks(20).map(String::from_utf8_lossy).collect::<Vec<_>>().join("\r\n")
    };
    let loose = block("CERTIFICATE REQUEST").replace("MAA=", "MAB=");
    for request_ in [lines(&STANDARD.encode(block("CERTIFICATE REQUEST"))), STANDARD.encode(loose)]
    {
        let mut new = completed(GROUP, KIND, request());
        new["spec"]["request"] = request_.into();
        assert_eq!(text(&validate(GROUP, KIND, &new, None)), "");
    }
    let old = completed(GROUP, KIND, request());
    let mut new = old.clone();
    // Two certificates in one block, as some signers send a chain.
    let chain = block("CERTIFICATE").replace("MAA=", "MAAwAA==");
    new["status"]["certificate"] = lines(&STANDARD.encode(chain)).into();
    assert_eq!(text(&status(GROUP, KIND, &new, &old)), "");
    let twice = STANDARD.encode(block("CERTIFICATE REQUEST").replace("MAA=", "MAAwAA=="));
    new["spec"]["request"] = twice.into();
    let told = text(&validate(GROUP, KIND, &new, None));
    assert!(told.contains("asn1: structure error"), "{told}");
}

#[test]
fn requests() {
    let told = |change: Value| {
        let new = completed(GROUP, KIND, patch::merge(&request(), &json!({"spec": change})));
        text(&validate(GROUP, KIND, &new, None))
    };
    assert_eq!(told(json!({"expirationSeconds": 600})), "");
    let told_of_all = told(json!({
        "request": STANDARD.encode(block("CERTIFICATE")), "usages": ["signing", "x", "signing"],
        "signerName": "kubernetes.io/legacy-unknown", "expirationSeconds": 599,
    }));
    expect![[r#"
        spec.request: Invalid value: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BQT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=": PEM block type must be CERTIFICATE REQUEST
        spec.usages[1]: Unsupported value: "x": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"
        spec.usages[2]: Duplicate value: "signing"
        spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version
        spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)"#]]
    .assert_eq(&told_of_all);
    let signers = ["", "a", "a/b/c", "a/b", "A.b/c", "a.b/c_", "a.b/c..d"];
    let lines = signers.map(|signer| told(json!({"signerName": signer})));
    expect![[r#"
        spec.signerName: Required value
        spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the form 'example.com/signer-name'
        spec.signerName: Invalid value: "a/b/c": must be a fully qualified domain and path of the form 'example.com/signer-name'
        spec.signerName: Invalid value: "a": should be a domain with at least two segments separated by dots
        spec.signerName: Invalid value: "A.b": validating label "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
        spec.signerName: Invalid value: "c_": validating label "c_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
        spec.signerName: Invalid value: "c..d": validating label "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#]]
    .assert_eq(&lines.join("\n"));
}
