//! The two routes a push calls: the Console's list of connections, and ingest.
//!
//! Sends, waits and sends again; what an answer means is decided in `verdict`. A secret goes to the address that
//! was given and nowhere else: no redirect is followed and no proxy asked.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};

use super::PushError;
use super::batch::Batch;
use super::routes::Listing;
use super::verdict::{ATTEMPTS_MAX, Reply, Step, Verdict, judge, wait_before};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);

pub struct Server {
    client: Client,
    url: String,
}

impl Server {
    pub fn new(url: &str) -> Result<Self, PushError> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(REQUEST_TIMEOUT)
            .build();
        let client = client
            .map_err(|error| PushError::Server(format!("no HTTP client can be made: {error}")))?;
        Ok(Self {
            client,
            url: url.trim_end_matches('/').to_owned(),
        })
    }

    /// The list of connections, if the Console answers us.
    pub async fn connections(&self) -> Option<Listing> {
        let answer = self
            .client
            .get(format!("{}/api/connections", self.url))
            .send()
            .await
            .ok()?;
        answer.error_for_status().ok()?.json().await.ok()
    }

    /// Sends a batch until it is answered, at most `ATTEMPTS_MAX` times.
    pub async fn push(
        &self,
        connection: &str,
        secret: &str,
        batch: &Batch,
    ) -> Result<Verdict, PushError> {
        let body = bytes::Bytes::from(batch.body()?);
        let mut attempt = 0;
        loop {
            let step = match self.post(connection, secret, body.clone()).await {
                Ok(reply) => judge(&reply, connection, attempt),
                Err(error) => Step::Again(wait_before(attempt), unreachable(&self.url, &error)),
            };
            attempt += 1;
            match step {
                Step::Done(verdict) => return Ok(verdict),
                Step::Stop(error) => return Err(error),
                Step::Again(_, error) if attempt >= ATTEMPTS_MAX => return Err(error),
                Step::Again(wait, _) => tokio::time::sleep(wait).await,
            }
        }
    }

    async fn post(
        &self,
        connection: &str,
        secret: &str,
        body: bytes::Bytes,
    ) -> reqwest::Result<Reply> {
        let request = self
            .client
            .post(format!("{}/api/ingest/{connection}?partial=true", self.url))
            .header(AUTHORIZATION, format!("Bearer {secret}"))
            .header(CONTENT_TYPE, "application/x-ndjson")
            .header(CONTENT_ENCODING, "gzip")
            .body(body);
        let response = request.send().await?;
        Ok(Reply {
            status: response.status().as_u16(),
            retry_after: retry_after(&response),
            body: response.bytes().await?.to_vec(),
        })
    }
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response
        .headers()
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds))
}

fn unreachable(url: &str, error: &reqwest::Error) -> PushError {
    let why = match () {
        () if error.is_builder() => "that is no address",
        () if error.is_connect() => "nothing answers there",
        () if error.is_timeout() => "it took too long to answer",
        () => "the connection was lost",
    };
    PushError::Server(format!(
        "the server at {url} cannot be reached: {why}. Is Sextant running? What was sent is stored; run the same push again, \
         nothing is stored twice"
    ))
}
