//! V1: what is said of bodies that cannot be read, word for word that of kube-apiserver 1.36.

use serde_json::json;

use crate::support::*;

fn said(answer: &Answer) -> String {
    let line = answer.line();
    let line = line.split_once("json parse error: ").map_or(&*line, |(_, said)| said);
    line.to_owned()
}

#[tokio::test(start_paused = true)]
async fn v1_2_text_that_is_not_json_is_refused_in_gos_words() {
    let client = client();
    let mut lines = Vec::new();
    for body in [
        "",
        "{",
        "nope",
        r#"{"a":}"#,
        r#"{"a" 1}"#,
        r#"{"a":1 "#,
        "{} x",
        "[1 2]",
        "[]",
        r#"{"kind":5}"#,
        r#"{"a":1,}"#,
        r#"{"a":01}"#,
        "{\"a\":\"\n\"}",
        r#""x""#,
    ] {
        let answer = client.send("POST", CONFIG_MAPS, "application/json", body.to_owned()).await;
        assert_eq!(answer.code, 400);
        lines.push(said(&answer));
    }
    expect_test::expect![[r#"
        unexpected end of JSON input (<empty>)
        unexpected end of JSON input ({)
        invalid character 'o' in literal null (expecting 'u') (6e6f7065)
        invalid character '}' looking for beginning of value ({"a":})
        invalid character '1' after object key ({"a" 1})
        unexpected end of JSON input ({"a":1 )
        invalid character 'x' after top-level value ({} x)
        invalid character '2' after array element (5b3120325d)
        json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (5b5d)
        json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})
        invalid character '}' looking for beginning of object key string ({"a":1,})
        invalid character '1' after object key:value pair ({"a":01})
        invalid character '\n' in string literal ({"a":"
        "})
        json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (227822)"#]]
    .assert_eq(&lines.join("\n"));
    let deep = "[".repeat(20_000);
    let answer = client.send("POST", CONFIG_MAPS, "application/json", deep).await;
    assert!(
        answer.line().contains("invalid character '[' exceeded max depth"),
        "{}",
        answer.line()
    );
}

#[tokio::test(start_paused = true)]
async fn v1_2_patches_and_options_that_are_not_json_are_refused_and_change_nothing() {
    let client = client();
    client.config_map("a", "1").await;
    let cm = format!("{CONFIG_MAPS}/a");
    let text = String::from;
    let lines = [
        client.send("PATCH", &cm, "application/merge-patch+json", text("{")).await,
        client.send("PATCH", &cm, "application/strategic-merge-patch+json", text("{")).await,
        client.send("PATCH", &cm, "application/strategic-merge-patch+json", text("[]")).await,
        client.send("DELETE", &cm, "application/json", text("{")).await,
        client.send("DELETE", &cm, "application/json", text("[]")).await,
        client
            .send("DELETE", &cm, "application/json", text(r#"{"kind":"Foo","apiVersion":"v1"}"#))
            .await,
        client.send("DELETE", &cm, "application/json", text(r#"{"gracePeriodSeconds":"x"}"#)).await,
        client.put(&cm, &json!({})).await,
        client.delete("/api/v1/configmaps").await,
    ]
    .map(|answer| answer.line());
    expect_test::expect![[r#"
        400 BadRequest: error decoding patch: unexpected end of JSON input
        400 BadRequest: unexpected end of JSON input
        400 BadRequest: json: cannot unmarshal array into Go value of type map[string]interface {}
        400 BadRequest: couldn't get version/kind; json parse error: unexpected end of JSON input
        400 BadRequest: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }
        400 BadRequest: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"
        400 BadRequest: json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64
        400 BadRequest: the name of the object (a based on URL) was undeterminable: name must be provided
        405 MethodNotAllowed: the server does not allow this method on the requested resource"#]]
    .assert_eq(&lines.join("\n"));
    client.get(&cm).await.expect(200);
}
