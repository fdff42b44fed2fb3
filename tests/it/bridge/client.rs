//! A client of the bridge that can do each step by itself, and wrongly.

use std::collections::HashMap;
use std::net::SocketAddr;

use reqwest::{Method, RequestBuilder, redirect};
use serde_json::{Value, json};
use sextant_actors::random;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::support::app::Answer;
use crate::support::stateless_call::stateless_call;
use crate::support::{TestApp, http};

/// The public name, as a proxy passes it on.
pub const HOST: &str = "box.example";
pub const CALLBACK: &str = "https://client.example/callback";
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const RESOURCE: &str = "https://box.example/mcp";

/// A client that has registered.
pub struct RemoteClient {
    agents: SocketAddr,
    http: reqwest::Client,
    pub id: String,
}

/// What a client is given.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
    pub expires_in: i64,
}

/// What a request for tokens is refused with.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused(pub u16, pub String);

impl RemoteClient {
    pub async fn register(app: &TestApp) -> Self {
        Self::unregistered(app).registered().await
    }

    /// The same client with an id of its own.
    pub async fn registered(mut self) -> Self {
        let body = json!({ "client_name": "Hosted <b>Agent</b>", "redirect_uris": [CALLBACK] });
        let answer = self.send(self.post("/register").json(&body)).await;
        self.id = answer.expect(201)["client_id"].as_str().unwrap().to_owned();
        self
    }

    /// One that has no id yet.
    pub fn unregistered(app: &TestApp) -> Self {
        Self::at(app.agents)
    }

    /// This client before the service as it runs now.
    pub fn before(self, app: &TestApp) -> Self {
        self.moved_to(app.agents)
    }

    /// This client before the agent port at another address.
    pub fn moved_to(self, agents: SocketAddr) -> Self {
        Self { agents, ..self }
    }

    /// The status of a call with this token or key.
    pub async fn calls(&self, bearer: &str) -> u16 {
        self.send(stateless_call(self.post("/mcp"), bearer))
            .await
            .status
            .as_u16()
    }

    pub fn at(agents: SocketAddr) -> Self {
        let http = http::builder().redirect(redirect::Policy::none());
        Self {
            agents,
            http: http.build().unwrap(),
            id: String::new(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.agents);
        self.http.request(method, url).header("host", HOST)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
    }

    pub fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = self.post(path).body(body);
        request.header("content-type", "application/x-www-form-urlencoded")
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        Answer::of(request.send().await.unwrap()).await
    }

    /// The parameters of a whole request for a code, with these changed or, where empty, left out.
    pub fn asked(&self, changes: &[(&str, &str)]) -> String {
        let challenge = random::base64url(&Sha256::digest(VERIFIER));
        let mut all: Vec<(&str, &str)> = vec![
            ("client_id", &self.id),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("resource", RESOURCE),
            ("state", "st&te"),
        ];
        all.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        all.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(all)
            .finish();
        format!("/authorize?{query}")
    }

    pub async fn ask(&self, changes: &[(&str, &str)]) -> Answer {
        self.send(self.get(&self.asked(changes))).await
    }

    /// The hidden field of a sign-in page.
    pub async fn form(&self) -> String {
        form_in(&self.ask(&[]).await.text)
    }

    pub async fn submit(&self, fields: &[(&str, &str)]) -> Answer {
        self.send(self.post_form("/authorize", fields)).await
    }

    /// A code for this key.
    pub async fn code(&self, key: &str) -> String {
        let form = self.form().await;
        let answer = self.submit(&[("form", &form), ("key", key)]).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        let told = told(&answer);
        assert_eq!(
            (told["state"].as_str(), told["iss"].as_str()),
            ("st&te", "https://box.example")
        );
        told["code"].clone()
    }

    pub async fn token(&self, fields: &[(&str, &str)]) -> Result<Tokens, Refused> {
        let answer = self.send(self.post_form("/token", fields)).await;
        assert_eq!(answer.headers["cache-control"], "no-store");
        let told: Value = serde_json::from_str(&answer.text).unwrap();
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        if answer.status != 200 {
            return Err(Refused(answer.status.as_u16(), text("error")));
        }
        assert_eq!(told["token_type"], "Bearer");
        Ok(Tokens {
            access: text("access_token"),
            refresh: text("refresh_token"),
            expires_in: told["expires_in"].as_i64().unwrap(),
        })
    }

    pub async fn exchange(&self, code: &str) -> Result<Tokens, Refused> {
        self.exchange_with(code, &[]).await
    }

    /// The exchange of a code with some fields changed.
    pub async fn exchange_with(
        &self,
        code: &str,
        changes: &[(&str, &str)],
    ) -> Result<Tokens, Refused> {
        let mut fields: Vec<(&str, &str)> = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("client_id", &self.id),
            ("code_verifier", VERIFIER),
            ("resource", RESOURCE),
        ];
        fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        fields.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        self.token(&fields).await
    }

    pub async fn refresh(&self, refresh: &str) -> Result<Tokens, Refused> {
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh),
            ("client_id", &self.id),
            ("resource", RESOURCE),
        ];
        self.token(&fields).await
    }

    pub async fn sign_in(&self, key: &str) -> Tokens {
        let code = self.code(key).await;
        self.exchange(&code).await.unwrap()
    }
}

pub fn refused(status: u16, error: &str) -> Refused {
    Refused(status, error.to_owned())
}

/// The hidden field of a page.
pub fn form_in(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"form\" value=\"").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

/// What a redirect tells the client.
pub fn told(answer: &Answer) -> HashMap<String, String> {
    let location = answer.headers["location"].to_str().unwrap();
    assert!(location.starts_with(CALLBACK), "{location}");
    let url = Url::parse(location).unwrap();
    url.query_pairs().into_owned().collect()
}
