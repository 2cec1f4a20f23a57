//! What is handed on.

use syn::parse_quote;

use super::derive;

#[test]
fn the_struct_and_its_status_are_handed_on() {
    let tokens = derive(&parse_quote! {
        struct Lamp { metadata: ObjectMeta, spec: LampSpec, status: Option<LampStatus> }
    });
    expect_test::expect![
        ":: watchkeeper_kube :: __derived ! (Lamp , status = Option < LampStatus >) ;"
    ]
    .assert_eq(&tokens.unwrap().to_string());
}

#[test]
fn without_a_status_there_is_none_and_the_library_may_have_another_name() {
    let tokens = derive(&parse_quote! {
        #[object(crate = "beside::kube")]
        struct Lamp { metadata: ObjectMeta, spec: LampSpec }
    });
    expect_test::expect!["beside :: kube :: __derived ! (Lamp) ;"]
        .assert_eq(&tokens.unwrap().to_string());
}

#[test]
fn the_specification_alone_is_no_object() {
    let error = derive(&parse_quote!(
        struct LampSpec {
            colour: String,
        }
    ))
    .unwrap_err();
    assert!(
        error.to_string().contains("#[kube(derive = \"watchkeeper_kube::Object\")]"),
        "{error}"
    );
    let error = derive(&parse_quote! {
        #[object(group = "example.com")]
        struct Lamp { metadata: ObjectMeta }
    });
    assert_eq!(error.unwrap_err().to_string(), "only `crate` is known here");
}
