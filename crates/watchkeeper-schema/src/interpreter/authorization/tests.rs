use std::cell::RefCell;

use serde_json::{Value as Json, json};

use super::{Authorizer, Check, Decision, Target};
use crate::expression::{Expression, Variables};

/// Lets everybody get everything, and keeps what it was asked.
#[derive(Default)]
struct Getting(RefCell<Vec<Check>>);

impl Authorizer for Getting {
    fn request_resource(&self) -> Target {
        Target::resource("apps", "deployments")
    }

    fn decide(&self, check: &Check) -> Decision {
        self.0.borrow_mut().push(check.clone());
        match &*check.verb {
            "fail" => Decision { error: Some("broken".to_owned()), ..Decision::default() },
            verb => Decision {
                allowed: verb == "get",
                reason: format!("because of {verb}"),
                error: None,
            },
        }
    }
}

fn ask(text: &str) -> Result<Json, String> {
    let expression = Expression::compile(text)?;
    expression.evaluate_with(&Variables::new(), Some(&Getting::default()))
}

/// What is asked of the authorizer, in all.
fn asked(text: &str) -> Vec<Check> {
    let getting = Getting::default();
    let expression = Expression::compile(text).expect("readable");
    expression.evaluate_with(&Variables::new(), Some(&getting)).expect(text);
    getting.0.into_inner()
}

#[test]
fn a_check_is_asked_as_it_was_put_together() {
    let text = "authorizer.serviceAccount('shop', 'a.cook').group('apps').resource('deployments')\
                .subresource('scale').namespace('shop').name('web').fieldSelector('a=b')\
                .labelSelector('c').check('get').allowed()";
    let target = Target::Resource {
        group: "apps".to_owned(),
        resource: "deployments".to_owned(),
        subresource: "scale".to_owned(),
        namespace: "shop".to_owned(),
        name: "web".to_owned(),
        field_selector: "a=b".to_owned(),
        label_selector: "c".to_owned(),
    };
    let account = Some(("shop".to_owned(), "a.cook".to_owned()));
    assert_eq!(asked(text), [Check { account, verb: "get".to_owned(), target }]);
    let path = Target::Path("/healthz".to_owned());
    let asked = asked("authorizer.path('/healthz').check('head').allowed()");
    assert_eq!(asked, [Check { account: None, verb: "head".to_owned(), target: path }]);
}

#[test]
fn the_resource_of_the_request_is_one_name() {
    let text = "authorizer.requestResource.check('get').allowed()";
    let asked = asked(text);
    assert_eq!(asked[0].target, Target::resource("apps", "deployments"));
    // A loop may call something else so.
    assert_eq!(
        ask("[{'requestResource': 1}].all(authorizer, authorizer.requestResource == 1)"),
        Ok(json!(true))
    );
}

#[test]
fn decisions_tell_what_was_decided() {
    for (text, told) in [
        ("authorizer.path('/x').check('get').allowed()", json!(true)),
        ("authorizer.path('/x').check('put').allowed()", json!(false)),
        ("authorizer.path('/x').check('put').reason()", json!("because of put")),
        ("authorizer.path('/x').check('put').errored()", json!(false)),
        ("authorizer.path('/x').check('put').error()", json!("")),
        ("authorizer.path('/x').check('fail').errored()", json!(true)),
        ("authorizer.path('/x').check('fail').error()", json!("broken")),
        ("type(authorizer) == type(authorizer.group(''))", json!(false)),
        ("[authorizer] == [authorizer]", json!(true)),
        ("authorizer in [authorizer]", json!(false)),
    ] {
        assert_eq!(ask(text), Ok(told), "{text}");
    }
}

#[test]
fn what_cannot_be_asked_is_told_in_upstreams_words() {
    for (text, why) in [
        ("authorizer.path(' ').check('get').allowed()", "path must not be empty"),
        ("authorizer.group('').resource(' ').check('get').allowed()", "resource must not be empty"),
        ("authorizer.serviceAccount('a', 'B').path('/')", "Invalid service account name"),
        ("authorizer.serviceAccount('a.b', 'c').path('/')", "Invalid service account namespace"),
        ("authorizer.serviceAccount('', 'c').path('/')", "Invalid service account namespace"),
        ("authorizer.check('get').allowed()", "no such overload"),
        ("authorizer.path(1)", "no such overload"),
        ("authorizer.path('/x').name('a')", "no such overload"),
        ("authorizer == authorizer", "no such overload"),
        ("dyn(authorizer).x == 1", "no such key: x"),
        (
            "string(dyn(authorizer)) == ''",
            "no such overload: string(kubernetes.authorization.Authorizer)",
        ),
        ("authorizer", "a Opaque is no JSON"),
    ] {
        assert_eq!(ask(text), Err(why.to_owned()), "{text}");
    }
    for (text, name) in [
        ("authorizer.path('/x')", "authorizer"),
        ("authorizer.requestResource.check('get')", "authorizer.requestResource"),
    ] {
        let alone = Expression::compile(text).expect("readable");
        let why = format!("no such attribute(s): {name}");
        assert_eq!(alone.evaluate(&Variables::new()), Err(why));
    }
}

#[test]
fn two_checks_are_what_an_expression_may_cost() {
    let check = "authorizer.path('/x').check('get').allowed()";
    assert_eq!(ask(&format!("{check} && {check}")), Ok(json!(true)));
    let refused = Err("operation cancelled: actual cost limit exceeded".to_owned());
    assert_eq!(ask(&format!("{check} && {check} && {check}")), refused);
    // The requirements of a selector cost something, each.
    let selected = |count: usize| {
        let mut variables = Variables::new();
        variables.set("selector", &"k,".repeat(count).into());
        let text = "authorizer.requestResource.labelSelector(selector).check('get').allowed()";
        let expression = Expression::compile(text).expect("readable");
        expression.evaluate_with(&variables, Some(&Getting::default()))
    };
    assert_eq!(selected(12_000), Ok(json!(true)));
    assert_eq!(selected(13_000), refused);
}

#[test]
fn what_is_declared_need_not_be_json() {
    let getting = Getting::default();
    let mut variables = Variables::new();
    let mut declare = |name: &str, text: &str| {
        let expression = Expression::compile(text).expect("readable");
        variables.declare(("variables", name), &expression, Some(&getting))
    };
    assert_eq!(declare("decided", "authorizer.path('/x').check('get')"), Ok(()));
    assert_eq!(declare("wrong", "1 / 0"), Err("division by zero".to_owned()));
    assert_eq!(declare("soon", "optional.of(variables.decided)"), Ok(()));
    let ask = |text: &str| Expression::compile(text).expect("readable").evaluate(&variables);
    assert_eq!(
        ask("variables.decided.allowed() && variables.soon.value().allowed()"),
        Ok(json!(true))
    );
    assert_eq!(ask("variables.wrong"), Err("no such key: wrong".to_owned()));
}

#[test]
fn what_all_cost_together_ends_all_of_them() {
    let mut variables = Variables::new();
    variables.allow(1_000_000);
    let getting = Getting::default();
    let check = "authorizer.path('/x').check('get').allowed()";
    let expression = Expression::compile(&format!("{check} && {check}")).expect("readable");
    let ask = || expression.evaluate_with(&variables, Some(&getting));
    assert_eq!(ask(), Ok(json!(true)));
    let why = "validation failed due to running out of cost budget, no further validation rules will be run";
    assert_eq!((ask(), ask()), (Err(why.to_owned()), Err(why.to_owned())));
    assert!(variables.is_spent());
}
