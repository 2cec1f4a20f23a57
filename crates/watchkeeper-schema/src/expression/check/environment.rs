//! What expressions may name, by what they are about.

use std::collections::BTreeMap;

use super::functions::{self, Overload};
use super::objects;
use super::types::{Form, Type};

/// What expressions about the same thing may name.
#[derive(Debug)]
pub struct Environment {
    of: Of,
    has_params: bool,
    /// What has been given names to, if such may be named at all.
    variables: Option<BTreeMap<String, Type>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Admission,
    Devices,
}

/// What only some expressions of an environment may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct With {
    /// Ask who may do what.
    pub authorizer: bool,
    /// Make objects and patches.
    pub patches: bool,
}

/// An expression that was found right, by what it gives.
#[derive(Clone, Debug)]
pub struct Checked {
    pub(super) gives: Type,
    pub(super) most: Option<u64>,
}

impl Checked {
    /// The name of the type that the expression gives: `bool`, `list(string)`, or `dyn` where that shows when it runs.
    #[must_use]
    pub fn type_name(&self) -> String {
        self.gives.full_name()
    }

    /// What the expression costs at most. Servers ask that of selectors of devices only, and so it is only told of them.
    #[must_use]
    pub const fn most(&self) -> Option<u64> {
        self.most
    }
}

/// The name of the object whose fields are the variables of a policy.
const VARIABLES: &str = "kubernetes.variables";

impl Environment {
    /// What conditions of admission and expressions of policies may name: the request and its objects.
    #[must_use]
    pub const fn admission() -> Self {
        Self { of: Of::Admission, has_params: false, variables: None }
    }

    /// What selectors of devices may name.
    #[must_use]
    pub const fn devices() -> Self {
        Self { of: Of::Devices, has_params: false, variables: None }
    }

    /// Whether there are parameters.
    #[must_use]
    pub fn params(mut self, has_params: bool) -> Self {
        self.has_params = has_params;
        self
    }

    /// Whether there may be variables.
    #[must_use]
    pub fn variables(mut self, may_be: bool) -> Self {
        self.variables = may_be.then(BTreeMap::new);
        self
    }

    /// Gives a name to what an expression gives; none if it gives nothing that can be told.
    pub fn declare(&mut self, name: &str, given: Option<&Checked>) {
        if let Some(variables) = &mut self.variables {
            let of = given.map_or(Type::Dyn, |given| composed(&given.gives));
            variables.insert(name.to_owned(), of);
        }
    }

    /// What a name stands for: a variable, or a type.
    pub(super) fn named(&self, name: &str, with: With) -> Option<Type> {
        self.variable(name, with).or_else(|| self.type_named(name, with).map(Type::itself))
    }

    fn variable(&self, name: &str, with: With) -> Option<Type> {
        let is_admission = self.of == Of::Admission;
        Some(match name {
            "object" | "oldObject" if is_admission => Type::Dyn,
            "request" if is_admission => Type::object("kubernetes.AdmissionRequest"),
            "namespaceObject" if is_admission => Type::object("kubernetes.Namespace"),
            "authorizer" if with.authorizer => Type::object("kubernetes.authorization.Authorizer"),
            "authorizer.requestResource" if with.authorizer => {
                Type::object("kubernetes.authorization.ResourceCheck")
            }
            "params" if self.has_params => Type::Dyn,
            "variables" if self.variables.is_some() => Type::object(VARIABLES),
            "device" if !is_admission => Type::object(objects::DEVICE),
            _ => return None,
        })
    }

    fn type_named(&self, name: &str, with: With) -> Option<Type> {
        Some(match name {
            "bool" => Type::Bool,
            "bytes" => Type::Bytes,
            "double" => Type::Double,
            "google.protobuf.Duration" => Type::Duration,
            "google.protobuf.Timestamp" => Type::Timestamp,
            "int" => Type::Int,
            "list" => Type::list(Type::Dyn),
            "map" => Type::map(Type::Dyn, Type::Dyn),
            "net.CIDR" | "net.IP" => Type::Opaque(name.into()),
            "null_type" => Type::Null,
            "optional_type" => Type::optional(Type::Dyn),
            "string" => Type::String,
            "type" => Type::of(Form::Type, Vec::new()),
            "uint" => Type::Uint,
            name if self.knows(name, with) => Type::object(name),
            _ => return None,
        })
    }

    /// Whether objects of that name have fields here.
    fn knows(&self, object: &str, with: With) -> bool {
        match object {
            VARIABLES => self.variables.is_some(),
            objects::DEVICE => self.of == Of::Devices,
            name if with.patches && objects::is_patch(name) => true,
            name => self.of == Of::Admission && objects::fields(name).is_some(),
        }
    }

    /// The type of a field.
    ///
    /// # Errors
    ///
    /// What is said if it has none.
    pub(super) fn field(&self, object: &str, field: &str, with: With) -> Result<Type, String> {
        if !self.knows(object, with) {
            return Err(format!("unexpected failed resolution of '{object}'"));
        }
        let known = match (&self.variables, objects::fields(object)) {
            (Some(variables), _) if object == VARIABLES => variables.get(field),
            (_, Some(fields)) => fields.get(field),
            _ => return Ok(objects::field_of_patch(object, field)),
        };
        known.cloned().ok_or_else(|| format!("undefined field '{field}'"))
    }

    /// The overloads of a function.
    pub(super) fn function(&self, name: &str, with: With) -> Option<&'static [Overload]> {
        functions::named(name, with.patches)
    }

    /// Whether expressions are selectors of devices, which may call `cel.bind` and are asked what they cost.
    pub(super) fn is_of_devices(&self) -> bool {
        self.of == Of::Devices
    }
}

/// What is left of a type when it has been given a name: of values of servers' own types it only shows when they
/// run what they are (`convertCelTypeToDeclType`).
fn composed(of: &Type) -> Type {
    match of {
        Type::Of(made) => match (made.form, made.parts.as_slice()) {
            (Form::List, [items]) => Type::list(composed(items)),
            (Form::Map, [keys, values]) => Type::map(composed(keys), composed(values)),
            _ => Type::Dyn,
        },
        Type::Object(_) | Type::Opaque(_) | Type::Parameter(_) | Type::Free(_) => Type::Dyn,
        other => other.clone(),
    }
}
