//! Who makes a request.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::kind_validation::names;

/// The group whose members may do everything.
pub const MASTERS: &str = "system:masters";
/// The group of everybody who said who they are.
pub const AUTHENTICATED: &str = "system:authenticated";
/// The group of everybody else.
pub const UNAUTHENTICATED: &str = "system:unauthenticated";
/// What the users of service accounts begin with; the namespace and the name follow.
const ACCOUNT: &str = "system:serviceaccount:";
/// The user of requests without credentials.
pub const ANONYMOUS: &str = "system:anonymous";

/// A user as authentication finds it (`k8s.io/apiserver/pkg/authentication/user`).
///
/// It is also how a listener tells the server who is at the other end, for instance by a client
/// certificate that it has verified: a `User` among the extensions of a request is believed, and
/// cannot come over the wire.
///
/// ```
/// use watchkeeper_apiserver::User;
///
/// let user = User::new("alice").in_group("devs");
/// assert!(user.is_in("devs"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// What tells users of the same name apart; empty when nothing does.
    pub uid: String,
    /// The groups, in order.
    pub groups: Vec<String>,
    /// What else is known.
    pub extra: BTreeMap<String, Vec<String>>,
}

impl User {
    /// A user in no group.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The same user, in one more group.
    #[must_use]
    pub fn in_group(mut self, group: impl Into<String>) -> Self {
        let group = group.into();
        if !self.is_in(&group) {
            self.groups.push(group);
        }
        self
    }

    /// Who may do everything.
    #[must_use]
    pub fn admin() -> Self {
        Self::new("system:admin").in_group(MASTERS).authenticated()
    }

    /// Who did not say who they are.
    #[must_use]
    pub fn anonymous() -> Self {
        Self::new(ANONYMOUS).in_group(UNAUTHENTICATED)
    }

    /// The user of a service account, in the groups of such users.
    #[must_use]
    pub fn service_account(namespace: &str, name: &str) -> Self {
        Self::new(format!("{ACCOUNT}{namespace}:{name}"))
            .in_group("system:serviceaccounts")
            .in_group(format!("system:serviceaccounts:{namespace}"))
            .authenticated()
    }

    /// Whether the user is in a group.
    #[must_use]
    pub fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|one| one == group)
    }

    /// The same user, in the group of those who said who they are unless it is anonymous.
    #[must_use]
    pub fn authenticated(self) -> Self {
        if self.name == ANONYMOUS { self } else { self.in_group(AUTHENTICATED) }
    }

    /// The namespace and the name of the service account that this is the user of: of a name that
    /// only looks like one, or that no account could have, there is none.
    #[must_use]
    pub fn account(&self) -> Option<(&str, &str)> {
        let (namespace, name) = self.name.strip_prefix(ACCOUNT)?.split_once(':')?;
        let could_be = names::label(namespace).is_empty() && names::subdomain(name).is_empty();
        could_be.then_some((namespace, name))
    }

    /// Whether this is the user of that service account, whatever it is called.
    #[must_use]
    pub fn is_account(&self, namespace: &str, name: &str) -> bool {
        let rest = self.name.strip_prefix(ACCOUNT).and_then(|rest| rest.strip_prefix(namespace));
        rest.and_then(|rest| rest.strip_prefix(':')) == Some(name)
    }

    /// The name of the node that this is the user of.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        let name = self.name.strip_prefix("system:node:")?;
        names::subdomain(name).is_empty().then_some(name)
    }

    /// `UserInfo` of authentication.k8s.io.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut info = Map::new();
        for (member, text) in [("username", &self.name), ("uid", &self.uid)] {
            if !text.is_empty() {
                info.insert(member.to_owned(), text.as_str().into());
            }
        }
        if !self.groups.is_empty() {
            info.insert("groups".to_owned(), self.groups.clone().into());
        }
        if !self.extra.is_empty() {
            let extra = self.extra.iter().map(|(key, values)| (key.clone(), values.clone().into()));
            info.insert("extra".to_owned(), Value::Object(extra.collect()));
        }
        Value::Object(info)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::User;

    #[test]
    fn everybody_who_said_so_is_authenticated_once() {
        let user = User::new("alice").authenticated().authenticated();
        assert_eq!(user.groups, ["system:authenticated"]);
        assert_eq!(User::anonymous().authenticated().groups, ["system:unauthenticated"]);
    }

    #[test]
    fn the_users_of_service_accounts_are_known_by_their_names() {
        let user = User::service_account("shop", "cook");
        assert_eq!(user.account(), Some(("shop", "cook")));
        let groups = ["serviceaccounts", "serviceaccounts:shop", "authenticated"];
        assert_eq!(user.groups, groups.map(|group| format!("system:{group}")));
        assert_eq!(User::new("system:serviceaccount").account(), None);
        assert_eq!(User::new("alice").account(), None);
        for name in ["a:b:c", "a:", ":b", "A:b", "a.b:c", "a:b_c", "a"] {
            assert_eq!(
                User::new(format!("system:serviceaccount:{name}")).account(),
                None,
                "{name}"
            );
        }
        assert!(user.is_account("shop", "cook") && !user.is_account("sho", "p:cook"));
        assert!(User::new("system:serviceaccount:a:b:c").is_account("a", "b:c"));
    }

    #[test]
    fn the_users_of_nodes_are_known_by_their_names() {
        assert_eq!(User::new("system:node:a.b").node(), Some("a.b"));
        for name in ["system:node:", "system:node:A_B", "system:node", "a"] {
            assert_eq!(User::new(name).node(), None, "{name}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_told() {
        assert_eq!(User::new("alice").to_json(), json!({"username": "alice"}));
        let mut user = User::new("bob").in_group("devs");
        "7".clone_into(&mut user.uid);
        user.extra.insert("team".to_owned(), vec!["blue".to_owned()]);
        let told = json!({
            "username": "bob", "uid": "7", "groups": ["devs"], "extra": {"team": ["blue"]},
        });
        assert_eq!(user.to_json(), told);
    }
}
