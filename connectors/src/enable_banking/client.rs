//! Requests to the interface, each with a token of the application.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::application::BankApplication;
use super::refusal::BankRefusal;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{HttpGuard, HttpRequest};
use crate::limits::ANSWER_BYTES_MAX;

/// Where the interface is.
pub(crate) const HOST: &str = "api.enablebanking.com";

/// Asks as one application, for as long as a token lasts.
pub(crate) struct BankClient {
    http: HttpGuard,
    authorization: HeaderValue,
}

impl BankClient {
    /// With a token that is signed now.
    pub(crate) fn new(
        http: HttpGuard,
        application: &BankApplication,
        now: DateTime<Utc>,
    ) -> Result<Self, SourceFailure> {
        let token = application.token(now)?;
        let bearer = HeaderValue::try_from(format!("Bearer {}", token.reveal()));
        let mut authorization = bearer.map_err(|_| {
            let message = "the application's token cannot be sent";
            SourceFailure::new(FailureKind::CredentialMissing, message)
        })?;
        authorization.set_sensitive(true);
        Ok(Self {
            http,
            authorization,
        })
    }

    /// What lies at a path.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<T, BankRefusal> {
        let mut address = address(path)?;
        if !query.is_empty() {
            address.query_pairs_mut().extend_pairs(query);
        }
        parse(&self.send(Method::GET, &address, None).await?)
    }

    /// What is answered to an object.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &Value,
    ) -> Result<T, BankRefusal> {
        let address = address(path)?;
        parse(&self.send(Method::POST, &address, Some(body)).await?)
    }

    pub(super) async fn delete(&self, path: &[&str]) -> Result<(), BankRefusal> {
        let address = address(path)?;
        self.send(Method::DELETE, &address, None).await.map(drop)
    }

    async fn send(
        &self,
        method: Method,
        address: &Url,
        body: Option<&Value>,
    ) -> Result<Bytes, BankRefusal> {
        let to = self.http.rule().judge(address)?;
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([
            (AUTHORIZATION, self.authorization.clone()),
            (ACCEPT, json.clone()),
        ]);
        if body.is_some() {
            headers.insert(CONTENT_TYPE, json);
        }
        let request = HttpRequest {
            method,
            headers,
            body: body.map(|body| body.to_string().into()).unwrap_or_default(),
            answer_bytes_max: ANSWER_BYTES_MAX,
        };
        let answer = self.http.send(&to, &request).await?;
        match answer.status.is_success() {
            true => Ok(answer.body),
            false => Err(BankRefusal::of_answer(&answer)),
        }
    }
}

/// What lies at a path of the interface; each part of it is one, whatever it holds.
fn address(path: &[&str]) -> Result<Url, SourceFailure> {
    let refused = || SourceFailure::new(FailureKind::ForbiddenAddress, "no address to ask");
    let mut address = Url::parse(&format!("https://{HOST}/")).map_err(|_| refused())?;
    address
        .path_segments_mut()
        .map_err(|()| refused())?
        .pop_if_empty()
        .extend(path);
    Ok(address)
}

fn parse<T: DeserializeOwned>(body: &Bytes) -> Result<T, BankRefusal> {
    serde_json::from_slice(body)
        .map_err(|_| BankRefusal::malformed("an answer that cannot be read"))
}
