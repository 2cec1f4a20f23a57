//! `authorizer` of expressions: who may do what is what the server would let them do.

use watchkeeper_schema::expression::{Authorizer, Check, Decision, Target};

use super::attributes::Attributes;
use crate::access;
use crate::config::Config;
use crate::storage::Store;
use crate::user::User;

/// Answers the expressions about one write.
pub(super) struct Permissions<'a> {
    pub(super) store: &'a Store,
    pub(super) config: &'a Config,
    pub(super) attributes: &'a Attributes<'a>,
}

impl Authorizer for Permissions<'_> {
    fn request_resource(&self) -> Target {
        let call = self.attributes.call;
        Target::Resource {
            group: call.resource.group.clone(),
            resource: call.resource.plural.clone(),
            subresource: call.subresource.clone(),
            namespace: self.attributes.namespace().to_owned(),
            name: self.attributes.name.clone(),
            field_selector: String::new(),
            label_selector: String::new(),
        }
    }

    fn decide(&self, check: &Check) -> Decision {
        let account = check.account.as_ref();
        let account = account.map(|(namespace, name)| User::service_account(namespace, name));
        let user = account.as_ref().unwrap_or(&self.attributes.call.user);
        let asked = access::Attributes { verb: check.verb.clone(), target: target(&check.target) };
        let access::Decision { allowed, reason } =
            access::judge(self.store, self.config, user, &asked);
        // Roles that cannot be looked at are told as a reason, as upstream tells them.
        Decision { allowed, reason, error: None }
    }
}

/// No rule of a role looks at selectors, so they narrow nothing.
fn target(target: &Target) -> access::Target {
    match target.clone() {
        Target::Path(path) => access::Target::Path(path),
        Target::Resource { group, resource, subresource, namespace, name, .. } => {
            access::Target::Resource { group, resource, subresource, namespace, name }
        }
    }
}

#[cfg(test)]
mod tests;
