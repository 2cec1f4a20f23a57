//! What holds for every request of a client, whoever makes it (upstream: controller-runtime's
//! `NewDryRunClient`, `NewNamespacedClient`, `WithFieldValidation`).

use std::borrow::Cow;
use std::sync::Arc;

use http::Method;
use serde_json::{Map, Value, json};
use watchkeeper_api::meta::v1::DeleteOptions;
use watchkeeper_api::{IStr, pb};

use crate::client::Client;
use crate::codec::is_protobuf;
use crate::fail::{Failed, Why};
use crate::options::FieldValidation;
use crate::request::Call;
use crate::rest::Info;

/// The rules of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) dry_run: bool,
    field_validation: Option<FieldValidation>,
    pub(crate) namespace: Option<Arc<str>>,
}

impl Client {
    /// Lets every write go through everything and store nothing: objects, their status, scale and other parts,
    /// bindings, evictions. A token is made and stored nowhere, as ever.
    ///
    /// What servers cannot do so is refused before it is sent: exec, attach and connections to ports, which would
    /// reach what runs; writes through a proxy; writes by hand to a path that is no resource. Each is an error of
    /// the caller's ([`Why::Usage`](watchkeeper_api::error::Why::Usage)).
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::Pod, Result};
    /// # use watchkeeper_client::{Client, DeleteOptions};
    /// # async fn f(client: Client) -> Result<()> {
    /// // Nothing is deleted; whether it would be is told.
    /// client.dry_run().api::<Pod>().namespace("shop").delete("web-0", &DeleteOptions::default()).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn dry_run(self) -> Self {
        self.set(|settings| settings.rules.dry_run = true)
    }

    /// What the server does with unknown fields of what this client writes, unless a call says otherwise.
    #[must_use]
    pub fn field_validation(self, validation: FieldValidation) -> Self {
        self.set(|settings| settings.rules.field_validation = Some(validation))
    }

    /// Keeps this client to one namespace: it is where its namespaced kinds are looked for, and a request
    /// about another one fails before it is sent. Kinds of the cluster are reached as ever. A request by hand
    /// ([`rest`](Self::rest)) says its namespace itself: without one it is about all of them.
    #[must_use]
    pub fn namespaced(self, namespace: impl Into<String>) -> Self {
        let namespace: String = namespace.into();
        self.set(|settings| settings.rules.namespace = Some(namespace.into()))
    }
}

impl Rules {
    /// The request as the rules want it.
    pub(crate) fn over<'a>(&self, call: &'a Call) -> Result<Cow<'a, Call>, Failed> {
        let mut call = Cow::Borrowed(call);
        if self.is_empty() {
            return Ok(call);
        }
        let refused = |what| Failed::unsent(Why::Asked(what));
        let info = Info::of(&call.uri);
        self.check_dry(&call.method, info.as_ref()).map_err(refused)?;
        let Some(info) = info else { return Ok(call) };
        self.check_namespace(&info).map_err(refused)?;
        let (post, delete) = (
            matches!(call.method, Method::POST | Method::PUT | Method::PATCH),
            call.method == Method::DELETE,
        );
        if self.dry_run && (post || delete) {
            dry(call.to_mut()).map_err(refused)?;
        }
        if let Some(validation) = self.field_validation.filter(|_| post) {
            add(call.to_mut(), "fieldValidation", validation.as_str());
        }
        Ok(call)
    }

    fn is_empty(&self) -> bool {
        !self.dry_run && self.field_validation.is_none() && self.namespace.is_none()
    }

    /// Servers look for `dryRun` where they store. What starts as a read and reaches a container they carry out.
    fn check_dry(&self, method: &Method, info: Option<&Info>) -> Result<(), String> {
        let is_read = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        let effect = match info.map(|info| info.subresource.as_str()) {
            _ if !self.dry_run => return Ok(()),
            Some("exec") => "exec would run the program",
            Some("attach") => "attach would reach the program that runs",
            Some("portforward") => "portforward would reach the program that runs",
            Some("proxy") if !is_read => "a write through a proxy would reach what is behind it",
            None if !is_read => "a write to what is no resource would be carried out",
            _ => return Ok(()),
        };
        Err(format!("this client makes nothing but dry runs, and {effect}"))
    }

    fn check_namespace(&self, info: &Info) -> Result<(), String> {
        match self.namespace.as_deref() {
            Some(only) if !info.namespace.is_empty() && info.namespace != only => Err(format!(
                "this client is kept to namespace {only:?}, and the request is about {:?}",
                info.namespace
            )),
            _ => Ok(()),
        }
    }
}

/// A delete with options says it there: the server then does not look at the query. Options that cannot be
/// read are refused, as the delete would be carried out.
fn dry(call: &mut Call) -> Result<(), String> {
    if call.method != Method::DELETE || call.body.is_empty() {
        add(call, "dryRun", "All");
    } else if is_protobuf(&call.body) {
        let options = pb::from_body::<DeleteOptions>(&call.body);
        let mut options = options.map_err(|error| unreadable(&error))?;
        options.dry_run = [IStr::from("All")].into();
        call.body = pb::to_body(&options).into();
    } else {
        let options = serde_json::from_slice(&call.body);
        let mut options: Map<String, Value> = options.map_err(|error| unreadable(&error))?;
        options.insert("dryRun".to_owned(), json!(["All"]));
        call.body = Value::Object(options).to_string().into();
    }
    Ok(())
}

fn unreadable(error: &dyn std::fmt::Display) -> String {
    format!("the options of the delete cannot be read, so it cannot be a dry run: {error}")
}

/// Adds to the query what it does not say yet.
fn add(call: &mut Call, name: &str, value: &str) {
    let query = call.uri.split_once('?').map_or("", |(_, query)| query);
    if query.split('&').any(|pair| pair.split('=').next() == Some(name)) {
        return;
    }
    let sign = if call.uri.contains('?') { '&' } else { '?' };
    call.uri.push_str(&format!("{sign}{name}={value}"));
}

#[cfg(test)]
mod tests {
    //! A dry run is one in both codecs.

    use watchkeeper_api::core::v1::Pod;
    use watchkeeper_api::{List, json};

    use super::*;
    use crate::options;
    use crate::request::Target;

    #[test]
    fn a_delete_with_options_says_there_that_it_is_dry() {
        let kind = Pod::KIND;
        let target = Target::object(&kind, "a", "b").unwrap();
        let rules = Rules { dry_run: true, ..Rules::default() };
        for protobuf in [false, true] {
            let options = options::DeleteOptions::only("u").grace_period(0);
            let call = Call::delete(&target, &options, protobuf);
            let dry = rules.over(&call).unwrap();
            let said: DeleteOptions = if protobuf {
                pb::from_body(&dry.body).unwrap()
            } else {
                json::from_slice(&dry.body).unwrap()
            };
            assert_eq!(said.dry_run, List::from([IStr::from("All")]));
            assert_eq!(said.grace_period_seconds, Some(0));
        }
        let plain = Call::delete(&target, &options::DeleteOptions::default(), true);
        let dry = rules.over(&plain).unwrap().into_owned();
        assert!(dry.uri.ends_with("?dryRun=All"));
        let odd = Call { body: b"no options".to_vec().into(), ..plain };
        assert!(rules.over(&odd).is_err());
    }
}
