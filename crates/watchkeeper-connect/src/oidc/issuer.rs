//! The issuer: where its token endpoint is (OpenID Connect Discovery 1.0), and how it is asked (RFC 6749, 6).

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Request, StatusCode, Uri};
use serde_json::Value;
use watchkeeper_client::Body;

use crate::connector::{Connector, Via};
use crate::explain::why_no_connection;
use crate::files::variable;
use crate::pem::Pem;
use crate::pool::{Age, Pool, Use};
use crate::proxy::of_environment;
use crate::tls::{Trust, certificates, client_config, proxy_config};

/// How long one question may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Answers are small.
const ANSWER_LIMIT: usize = 1 << 20;

pub(super) struct Issuer {
    pub(super) url: Uri,
    pub(super) client: String,
    pub(super) secret: String,
    pub(super) ca: Option<Pem>,
}

/// What the issuer gave.
pub(super) struct Given {
    pub(super) id: String,
    /// Another refresh token, if the old one is used up.
    pub(super) refresh: Option<String>,
}

impl Issuer {
    pub(super) async fn refresh(&self, token: &str) -> Result<Given, String> {
        let document = format!(
            "{}/.well-known/openid-configuration",
            self.url.to_string().trim_end_matches('/')
        );
        let document = Request::get(document).header(ACCEPT, "application/json");
        let document = document
            .body(Body::empty())
            .map_err(|_| "has no usable URL; is idp-issuer-url right?".to_owned())?;
        let (status, found) = self.ask(document).await?;
        if !status.is_success() {
            return Err(format!("answers {status} to discovery; is idp-issuer-url right?"));
        }
        let endpoint = found.get("token_endpoint").and_then(Value::as_str);
        let endpoint = endpoint.and_then(|url| url.parse::<Uri>().ok());
        let endpoint = endpoint
            .ok_or_else(|| "names no token_endpoint; is idp-issuer-url right?".to_owned())?;
        let mut answer = None;
        // As Go's oauth2: who we are goes into the head, and into the body where that is not taken.
        for in_head in [true, false].into_iter().filter(|head| !head || !self.secret.is_empty()) {
            let (status, given) = self.ask(self.question(&endpoint, token, in_head)?).await?;
            if status.is_success() {
                return read(&given);
            }
            answer = Some(refusal(status, &given));
        }
        Err(answer.unwrap_or_default())
    }

    fn question(
        &self,
        endpoint: &Uri,
        token: &str,
        in_head: bool,
    ) -> Result<Request<Body>, String> {
        let mut form = vec![("grant_type", "refresh_token"), ("refresh_token", token)];
        let mut request = Request::post(endpoint.clone())
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json");
        if in_head {
            let login = format!("{}:{}", escaped(&self.client), escaped(&self.secret));
            let login = format!("Basic {}", BASE64.encode(login));
            let mut login = HeaderValue::from_str(&login)
                .map_err(|_| "cannot be asked with this client-secret; write it anew".to_owned())?;
            login.set_sensitive(true);
            request = request.header(AUTHORIZATION, login);
        } else {
            form.push(("client_id", &self.client));
            if !self.secret.is_empty() {
                form.push(("client_secret", &self.secret));
            }
        }
        let form: Vec<_> =
            form.iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        request.body(form.join("&").into()).map_err(|_| {
            "names a token_endpoint that is no URL; is idp-issuer-url right?".to_owned()
        })
    }

    /// One exchange. What is no JSON is null.
    async fn ask(&self, request: Request<Body>) -> Result<(StatusCode, Value), String> {
        let trust = match &self.ca {
            None => Trust::Machine,
            Some(pem) => {
                let read = certificates(&pem.read_again().await?);
                Trust::Roots(read.map_err(|what| format!("{} is none: {what}", pem.name()))?)
            }
        };
        let via = match of_environment(request.uri(), variable)? {
            None => None,
            Some(proxy) => {
                Some(Via { proxy: Arc::new(proxy), tls: Arc::new(proxy_config(&trust)?) })
            }
        };
        let connector = Connector::new(Arc::new(client_config(&trust, None)?), None, via);
        let pool = Pool::new(connector, Age { run: 0, generation: 0 }, Use::Calls);
        let exchange = async {
            let answer = pool.http.request(request).await;
            let answer = answer
                .map_err(|error| format!("cannot be reached: {}", why_no_connection(&error)))?;
            let (head, body) = answer.into_parts();
            let body = Body::new(body).collect(ANSWER_LIMIT).await;
            let body = body.map_err(|error| format!("broke off: {error}; call again"))?;
            Ok((head.status, serde_json::from_slice(&body).unwrap_or_default()))
        };
        let late = |_| {
            format!("did not answer within {} s; is it reachable from here?", TIMEOUT.as_secs())
        };
        tokio::time::timeout(TIMEOUT, exchange).await.map_err(late)?
    }
}

fn read(given: &Value) -> Result<Given, String> {
    let text = |name: &str| {
        let text = given.get(name).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let id = text("id_token")
        .ok_or_else(|| "gave no id_token; log in again with the scope \"openid\"".to_owned())?;
    Ok(Given { id, refresh: text("refresh_token") })
}

/// Only the error's code is told (RFC 6749, 5.2): the rest may be anything.
fn refusal(status: StatusCode, answer: &Value) -> String {
    let code = answer.get("error").and_then(Value::as_str).filter(|code| {
        code.len() < 64 && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    });
    match code {
        Some("invalid_grant") => {
            "no longer takes the refresh-token (invalid_grant); log in again".to_owned()
        }
        Some("invalid_client") => {
            "does not know the client (invalid_client); are client-id and client-secret right?"
                .to_owned()
        }
        code => format!(
            "refuses the refresh ({status}, {}); log in again",
            code.unwrap_or("no error code")
        ),
    }
}

/// For a form (`application/x-www-form-urlencoded`).
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => escaped.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            _ => escaped.extend(format!("%{byte:02X}").chars()),
        }
    }
    escaped
}
