use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};
use watchkeeper_schema::expression::{Authorizer as _, Check, Target};

use super::Permissions;
use crate::access::Authorization;
use crate::admission::attributes::{Attributes, Operation};
use crate::config::Config;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::storage::Store;
use crate::user::User;

/// Asks on behalf of a user who is nobody's subject.
fn ask(authorization: Authorization, account: Option<(String, String)>) -> (bool, String) {
    let maps = builtin("", "v1", "ConfigMap").expect("config maps");
    let mut call = own_call(Method::POST, maps, "shop", "");
    call.user = Arc::new(User::new("ann"));
    let attributes = Attributes::write(&call, Operation::Create, "x", json!({}), None::<Value>);
    let (store, config) = (Store::new(0), Config { authorization, ..Config::default() });
    let permissions = Permissions { store: &store, config: &config, attributes: &attributes };
    let (verb, target) = ("create".to_owned(), permissions.request_resource());
    let Target::Resource { resource, namespace, name, .. } = &target else { panic!("objects") };
    assert_eq!((&**resource, &**namespace, &**name), ("configmaps", "shop", "x"));
    let decision = permissions.decide(&Check { account, verb, target });
    assert_eq!(decision.error, None);
    (decision.allowed, decision.reason)
}

#[test]
fn whoever_is_in_may_do_everything_unless_roles_hold() {
    let account = || Some(("shop".to_owned(), "cook".to_owned()));
    for who in [None, account()] {
        assert_eq!(ask(Authorization::AlwaysAllow, who.clone()), (true, String::new()));
        assert_eq!(ask(Authorization::Rbac, who), (false, String::new()));
    }
}
