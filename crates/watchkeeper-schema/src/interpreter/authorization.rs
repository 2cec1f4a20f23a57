//! Who may do what, as expressions ask it: `authorizer` and what is made of it
//! (apiserver, `pkg/cel/library/authz.go`; KEP-3488, KEP-4601).

use std::sync::Arc;

use kube_cel::cel::Value;
use kube_cel::cel::objects::Opaque;

use super::{Failure, Frame, Interpreter, Outcome, cost};

/// What an expression calls who answers.
pub(super) const AUTHORIZER: &str = "authorizer";
/// What it calls, of that, the resource that the request is about.
pub(super) const REQUEST_RESOURCE: &str = "requestResource";

const MEMBERS: [&str; 14] = [
    "path",
    "group",
    "serviceAccount",
    "resource",
    "subresource",
    "namespace",
    "name",
    "fieldSelector",
    "labelSelector",
    "check",
    "allowed",
    "reason",
    "errored",
    "error",
];

/// A check. Two of them fit into what one expression may cost.
const CHECK: u64 = 350_000;
/// What begins the requirements of a selector, and each of them.
const REQUIREMENTS: u64 = 10;
const REQUIREMENT: u64 = 50;

/// Answers whether something may be done, for the expressions about one request.
///
/// ```
/// use watchkeeper_schema::expression::{
///     Authorizer, Check, Decision, Expression, Target, Variables,
/// };
///
/// /// Everybody may get pods.
/// struct Pods;
///
/// impl Authorizer for Pods {
///     fn request_resource(&self) -> Target {
///         Target::resource("apps", "deployments")
///     }
///
///     fn decide(&self, check: &Check) -> Decision {
///         let allowed = check.verb == "get" && check.target == Target::resource("", "pods");
///         Decision { allowed, ..Decision::default() }
///     }
/// }
///
/// let text = "authorizer.group('').resource('pods').check('get').allowed()";
/// let expression = Expression::compile(text).expect("it can be read");
/// assert_eq!(expression.evaluate_with(&Variables::new(), Some(&Pods)), Ok(true.into()));
/// ```
pub trait Authorizer {
    /// What the request is about: `authorizer.requestResource`.
    fn request_resource(&self) -> Target;

    /// Whether something may be done.
    fn decide(&self, check: &Check) -> Decision;
}

/// What is asked of an [`Authorizer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The namespace and the name of the service account that is asked about; none for who makes the request.
    pub account: Option<(String, String)>,
    /// The verb, or the method in lower case.
    pub verb: String,
    /// With what.
    pub target: Target,
}

/// With what something is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A path that leads to no objects.
    Path(String),
    /// Objects.
    Resource {
        /// The API group; empty for core.
        group: String,
        /// The plural.
        resource: String,
        /// What follows the name.
        subresource: String,
        /// The namespace; empty for the whole cluster.
        namespace: String,
        /// The name; empty for a collection.
        name: String,
        /// Which fields they must have, as it was written.
        field_selector: String,
        /// Which labels they must have, as it was written.
        label_selector: String,
    },
}

impl Target {
    /// Objects of a resource, in the whole cluster.
    #[must_use]
    pub fn resource(group: &str, resource: &str) -> Self {
        let none = String::new;
        Self::Resource {
            group: group.to_owned(),
            resource: resource.to_owned(),
            subresource: none(),
            namespace: none(),
            name: none(),
            field_selector: none(),
            label_selector: none(),
        }
    }
}

/// What an [`Authorizer`] answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether it is allowed.
    pub allowed: bool,
    /// Why, or why not.
    pub reason: String,
    /// Why that could not be told; none where it could.
    pub error: Option<String>,
}

/// What `authorizer` is and what is made of it on the way to a decision.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Authorizer(Account),
    Group(Account, String),
    /// What is checked once a verb is told.
    Undecided(Account, Target),
    Decided(Decision),
}

type Account = Option<(String, String)>;

impl Step {
    const fn type_name(&self) -> &'static str {
        match self {
            Self::Authorizer(_) => "kubernetes.authorization.Authorizer",
            Self::Group(..) => "kubernetes.authorization.GroupCheck",
            Self::Undecided(_, Target::Path(_)) => "kubernetes.authorization.PathCheck",
            Self::Undecided(_, Target::Resource { .. }) => "kubernetes.authorization.ResourceCheck",
            Self::Decided(_) => "kubernetes.authorization.Decision",
        }
    }
}

impl Opaque for Step {
    fn runtime_type_name(&self) -> &str {
        self.type_name()
    }
}

fn step(value: &Value) -> Option<&Step> {
    if let Value::Opaque(opaque) = value { opaque.downcast_ref() } else { None }
}

fn made(step: Step) -> Value {
    Value::Opaque(Arc::new(step))
}

/// The name of the type of what is made of `authorizer`. Of such values it cannot be told whether they are equal,
/// and they have no members that are no calls.
pub(super) fn type_name(value: &Value) -> Option<&'static str> {
    step(value).map(Step::type_name)
}

impl<'s> Frame<'s> {
    /// What `authorizer` stands for.
    pub(super) fn authorizer_value(self) -> Outcome {
        self.answering(AUTHORIZER).map(|_| made(Step::Authorizer(None)))
    }

    /// What `authorizer.requestResource` stands for: it is one name with a dot, not a member.
    pub(super) fn request_resource(self) -> Outcome {
        let authorizer = self.answering("authorizer.requestResource")?;
        Ok(made(Step::Undecided(None, authorizer.request_resource())))
    }

    fn answering(self, name: &str) -> Result<&'s dyn Authorizer, Failure> {
        let none = || Failure::wrong(format!("no such attribute(s): {name}"));
        self.authorizer.ok_or_else(none)
    }
}

impl Interpreter {
    /// None for what is no member of what is made of `authorizer`.
    pub(super) fn of_authorization(
        &self,
        name: &str,
        values: &[Value],
        frame: Frame<'_>,
    ) -> Option<Outcome> {
        let (of, args) = values.split_first().filter(|_| MEMBERS.contains(&name))?;
        let of = step(of)?;
        let mut texts = Vec::with_capacity(args.len());
        for arg in args {
            let Value::String(text) = arg else { return Some(Err(Failure::overload())) };
            texts.push(text.as_str());
        }
        let charged = self.charge(price(name, &texts));
        Some(charged.and_then(|()| member(of, name, &texts, frame)))
    }
}

/// What a member costs.
fn price(name: &str, texts: &[&str]) -> u64 {
    match (name, texts) {
        ("check", _) => CHECK,
        ("fieldSelector" | "labelSelector", [text]) => {
            let length = text.chars().count();
            let requirements = (length as u64).div_ceil(2);
            REQUIREMENTS + cost::walk(length) + requirements.saturating_mul(REQUIREMENT)
        }
        _ => cost::CALL,
    }
}

fn member(of: &Step, name: &str, texts: &[&str], frame: Frame<'_>) -> Outcome {
    Ok(match (of, name, texts) {
        (Step::Authorizer(_), "path", [path]) if path.trim().is_empty() => {
            return Err(Failure::wrong("path must not be empty"));
        }
        (Step::Authorizer(who), "path", [path]) => {
            made(Step::Undecided(who.clone(), Target::Path((*path).to_owned())))
        }
        (Step::Authorizer(who), "group", [group]) => {
            made(Step::Group(who.clone(), (*group).to_owned()))
        }
        (Step::Authorizer(_), "serviceAccount", [namespace, name]) => account(namespace, name)?,
        (Step::Group(..), "resource", [resource]) if resource.trim().is_empty() => {
            return Err(Failure::wrong("resource must not be empty"));
        }
        (Step::Group(who, group), "resource", [resource]) => {
            made(Step::Undecided(who.clone(), Target::resource(group, resource)))
        }
        (Step::Undecided(who, target), "check", [verb]) => {
            let authorizer = frame.authorizer.ok_or_else(Failure::overload)?;
            let (account, verb) = (who.clone(), (*verb).to_owned());
            let check = Check { account, verb, target: target.clone() };
            made(Step::Decided(authorizer.decide(&check)))
        }
        (Step::Undecided(who, target), _, [text]) => {
            let narrowed = narrowed(target.clone(), name, text).ok_or_else(Failure::overload)?;
            made(Step::Undecided(who.clone(), narrowed))
        }
        (Step::Decided(decision), _, []) => told(decision, name).ok_or_else(Failure::overload)?,
        _ => return Err(Failure::overload()),
    })
}

fn account(namespace: &str, name: &str) -> Outcome {
    if !is_subdomain(name) {
        return Err(Failure::wrong("Invalid service account name"));
    }
    if !is_label(namespace) {
        return Err(Failure::wrong("Invalid service account namespace"));
    }
    Ok(made(Step::Authorizer(Some((namespace.to_owned(), name.to_owned())))))
}

/// The same target, or less of it.
fn narrowed(mut target: Target, member: &str, text: &str) -> Option<Target> {
    let Target::Resource { subresource, namespace, name, field_selector, label_selector, .. } =
        &mut target
    else {
        return None;
    };
    let place = match member {
        "subresource" => subresource,
        "namespace" => namespace,
        "name" => name,
        "fieldSelector" => field_selector,
        "labelSelector" => label_selector,
        _ => return None,
    };
    text.clone_into(place);
    Some(target)
}

fn told(decision: &Decision, member: &str) -> Option<Value> {
    let text = |text: &str| Value::String(Arc::new(text.to_owned()));
    Some(match member {
        "allowed" => decision.allowed.into(),
        "reason" => text(&decision.reason),
        "errored" => decision.error.is_some().into(),
        "error" => text(decision.error.as_deref().unwrap_or_default()),
        _ => return None,
    })
}

/// RFC 1123, as namespaces are named.
fn is_label(text: &str) -> bool {
    text.len() <= 63 && is_part(text)
}

/// RFC 1123, as service accounts are named.
fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_part)
}

fn is_part(text: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.iter().all(|end| end.is_some_and(|end| is_alphanumeric(*end)))
        && bytes.iter().all(|byte| is_alphanumeric(*byte) || *byte == b'-')
}

#[cfg(test)]
mod tests;
