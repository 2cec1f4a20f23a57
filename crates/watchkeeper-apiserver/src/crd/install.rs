//! Definitions shown to a server that is there for nothing else: what a test of an operator asks.

use std::fmt;

use http::{Method, Request};
use serde_json::{Value, json};
use watchkeeper_schema::yaml::{self, Limits};

use super::definition;
use crate::clock::Now;
use crate::config::Config;
use crate::deep;
use crate::rng::Rng;
use crate::step::{Core, Input, Output, Ticket};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Definitions nest deep, and are long.
const LIMITS: Limits = Limits { depth: 160, nodes: usize::MAX };

/// What a server says against definitions, in its own words. A line each when it is displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub Vec<Refusal>);

/// One thing that a server says against a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The name of the definition, `sites.example.com`; empty where the text as a whole is wrong.
    pub definition: String,
    /// The place in it, `spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule`.
    /// What all versions have alike a server looks for in `spec.validation`. Empty where it names no place.
    pub field: String,
    /// What is wrong; of a rule, the rule and what the compiler says of it.
    pub message: String,
}

impl Refusal {
    fn new(definition: &str, field: &str, message: impl Into<String>) -> Self {
        Self { definition: definition.to_owned(), field: field.to_owned(), message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.definition, &self.field].into_iter().filter(|part| !part.is_empty()) {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Refusal::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Refused {}

/// Installs the definitions of a text, YAML or JSON, on a server of its own, and names them. It compiles
/// every rule in CEL (`x-kubernetes-validations`) as it does when somebody else creates the definition: see
/// [`watchkeeper_schema::rules`] for what of them is checked. Members that no
/// definition has are errors, as with `kubectl apply`; other documents of the text are passed over.
///
/// For a test of an operator, which has this crate among its dev-dependencies: so the program has no parser
/// of CEL. `watchkeeper crds --test` writes such a test.
///
/// ```
/// use watchkeeper_apiserver::crd;
///
/// let definition = |rule: &str| {
///     format!(
///         "
/// apiVersion: apiextensions.k8s.io/v1
/// kind: CustomResourceDefinition
/// metadata: {{ name: lamps.example.com }}
/// spec:
///   group: example.com
///   scope: Namespaced
///   names: {{ kind: Lamp, plural: lamps }}
///   versions:
///   - name: v1
///     served: true
///     storage: true
///     schema:
///       openAPIV3Schema:
///         type: object
///         properties:
///           spec:
///             type: object
///             properties: {{ watts: {{ type: integer }} }}
///             x-kubernetes-validations: [{{ rule: '{rule}' }}]
/// "
///     )
/// };
/// assert_eq!(crd::install(&definition("self.watts > 0"))?, ["lamps.example.com"]);
///
/// let refused = crd::install(&definition("self.wats > 0")).expect_err("no such member");
/// let [refusal] = refused.0.as_slice() else { panic!("{refused}") };
/// assert!(refusal.field.ends_with(".properties[spec].x-kubernetes-validations[0].rule"));
/// assert!(refusal.message.contains("undefined field 'wats'"));
/// # Ok::<(), crd::Refused>(())
/// ```
///
/// # Errors
///
/// The text cannot be read or holds no definition; otherwise everything that the server says against any of
/// them, also that another one has its names already.
pub fn install(text: &str) -> Result<Vec<String>, Refused> {
    let whole = |message: String| Refused(vec![Refusal::new("", "", message)]);
    let documents = documents(text).map_err(whole)?;
    let mut definitions = Vec::new();
    documents.into_iter().for_each(|document| collect(document, &mut definitions));
    if definitions.is_empty() {
        return Err(whole("there is no CustomResourceDefinition".to_owned()));
    }
    let mut server = Server::new();
    let mut names = Vec::new();
    let mut refused = Vec::new();
    for definition in &definitions {
        let name = definition.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        match server.create(name, definition) {
            Ok(()) => names.push(name.to_owned()),
            Err(refusals) => refused.extend(refusals),
        }
    }
    if refused.is_empty() { Ok(names) } else { Err(Refused(refused)) }
}

fn documents(text: &str) -> Result<Vec<Value>, String> {
    let read = deep::run(|| yaml::documents(text, &LIMITS)).ok_or("there is no memory for it")?;
    read.map_err(|error| format!("this is not YAML: {error}"))
}

/// The definitions of a document: itself, or those of a list.
fn collect(mut document: Value, found: &mut Vec<Value>) {
    let kind = document["kind"].as_str().unwrap_or_default();
    match kind {
        "CustomResourceDefinition" => found.push(document),
        "List" | "CustomResourceDefinitionList" => {
            let of_definitions = kind != "List";
            let Value::Array(items) = document["items"].take() else { return };
            for mut item in items {
                if of_definitions && item.is_object() {
                    item["apiVersion"] = "apiextensions.k8s.io/v1".into();
                    item["kind"] = "CustomResourceDefinition".into();
                }
                collect(item, found);
            }
        }
        _ => {}
    }
}

/// A server that takes one request after the other.
struct Server {
    core: Core,
    rng: Rng,
    tickets: u64,
}

impl Server {
    fn new() -> Self {
        let mut rng = Rng::new(0);
        let core = Core::new(Config::default(), Now::default(), &mut rng);
        Self { core, rng, tickets: 0 }
    }

    /// Creates it, and looks at what became of it.
    fn create(&mut self, name: &str, definition: &Value) -> Result<(), Vec<Refusal>> {
        let path = format!("{DEFINITIONS}?fieldValidation=Strict");
        self.answer(Method::POST, &path, definition.to_string())
            .map_err(|it| refusals(name, &it))?;
        let installed = self
            .answer(Method::GET, &format!("{DEFINITIONS}/{name}"), String::new())
            .map_err(|it| refusals(name, &it))?;
        match definition::clash_of_names(&installed) {
            Some(clash) => Err(vec![Refusal::new(name, "spec.names", clash)]),
            None => Ok(()),
        }
    }

    /// The object, or the Status that was answered instead. Nothing that is asked here waits for anybody.
    fn answer(&mut self, method: Method, path: &str, body: String) -> Result<Value, Value> {
        self.tickets += 1;
        let request = Request::builder().method(method).uri(path);
        let request = request.header("content-type", "application/json").body(body.into());
        let request = request.map_err(|error| json!({ "message": error.to_string() }))?;
        let input = Input::Request(Ticket(self.tickets), Box::new(request));
        let outputs = self.core.step(input, Now::default(), &mut self.rng);
        let answer = outputs.into_iter().find_map(|output| match output {
            Output::Reply(_, answer) => Some(answer),
            _ => None,
        });
        let answer = answer.ok_or_else(|| json!({ "message": "the server does not answer" }))?;
        let said = serde_json::from_slice(answer.body()).unwrap_or_default();
        if answer.status().is_success() { Ok(said) } else { Err(said) }
    }
}

/// The causes of a Status, or all that it says.
fn refusals(name: &str, status: &Value) -> Vec<Refusal> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let causes = status.pointer("/details/causes").and_then(Value::as_array);
    let causes = causes.into_iter().flatten();
    let mut refusals: Vec<Refusal> = causes
        .map(|cause| Refusal::new(name, &text(&cause["field"]), text(&cause["message"])))
        .collect();
    if refusals.is_empty() {
        refusals.push(Refusal::new(name, "", text(&status["message"])));
    }
    refusals
}
