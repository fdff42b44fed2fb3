//! The routes a push calls: the Console's connections (listed, made, given a new secret, and a failed one removed), and ingest.
//!
//! Sends, waits and sends again; what an answer means is decided in `verdict`.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use serde::Deserialize;
use serde_json::json;

use super::PushError;
use super::listing::Listing;
use super::verdict::{ATTEMPTS_MAX, NextStep, PushReply, judge, wait_before};
use crate::catalog::Table;
use crate::cli::client::client;
use crate::host::Host;
use crate::intake::connection_id;
use crate::intake::{BatchOutcome, PushBatch};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);

/// A connection that has just been made, or given a new secret.
pub(super) struct Created {
    pub id: String,
    pub secret: String,
}

#[derive(Deserialize)]
struct Made {
    connections: Vec<MadeConnection>,
    secret: String,
}

#[derive(Deserialize)]
struct Rotated {
    secret: String,
}

#[derive(Deserialize)]
struct MadeConnection {
    id: String,
}

impl Made {
    fn only(self) -> Option<Created> {
        let id = self.connections.into_iter().next()?.id;
        Some(Created {
            id: connection_id(&id).ok()?,
            secret: self.secret,
        })
    }
}

pub(super) struct PushServer {
    client: Client,
    url: String,
}

impl PushServer {
    pub(super) fn new(url: &str) -> Result<Self, PushError> {
        let client = client(|limits| {
            limits
                .connect_timeout(CONNECT_TIMEOUT)
                .timeout(REQUEST_TIMEOUT)
        })
        .map_err(PushError::Server)?;
        Ok(Self {
            client,
            url: url.trim_end_matches('/').to_owned(),
        })
    }

    /// That a route which is needed did not answer.
    pub(super) fn silent(&self, what: &str) -> PushError {
        PushError::Server(format!(
            "{what}: is Sextant running, and is {} the address of its Console port?",
            self.url
        ))
    }

    /// The list of connections; `None` if the Console does not answer, as to a device that may push but not administrate. The
    /// caller then says what it could not find out.
    pub(super) async fn connections(&self) -> Option<Listing> {
        let answer = self
            .client
            .get(format!("{}/api/connections", self.url))
            .send()
            .await
            .ok()?;
        answer.error_for_status().ok()?.json().await.ok()
    }

    /// Whether the address is this computer's own.
    pub(super) fn is_here(&self) -> bool {
        let url = reqwest::Url::parse(&self.url).ok();
        let host = url.as_ref().and_then(reqwest::Url::host_str);
        match host.and_then(Host::parse) {
            Some(Host::Address(address)) => address.is_loopback(),
            Some(Host::Name(name)) => name == "localhost",
            None => false,
        }
    }

    /// Makes a push connection for a table (docs/pushing.md#connections).
    pub(super) async fn create(&self, table: &Table, label: &str) -> Result<Created, PushError> {
        let sector = table.sector.name();
        let wanted =
            json!({"provider": "push", "sector": sector, "table": table.name, "label": label});
        let request = self.client.post(format!("{}/api/connections", self.url));
        let answer = request.json(&wanted).send().await;
        let answer = answer.map_err(|error| unreachable(&self.url, &error))?;
        if answer.status() != StatusCode::CREATED {
            return Err(PushError::Connection(format!(
                "the server answered {} when it was to make a connection for {}: is this the address of Sextant's Console port?",
                answer.status().as_u16(),
                table.target()
            )));
        }
        let made: Option<Made> = answer.json().await.ok();
        made.and_then(Made::only).ok_or_else(|| {
            PushError::Server(format!(
                "the server made a connection for {} but its answer cannot be read: disconnect it in the Console",
                table.target()
            ))
        })
    }

    /// Gives a connection a new secret; the one it had is refused from then on (r085).
    pub(super) async fn rotate(&self, connection: &str) -> Result<Created, PushError> {
        let path = format!("{}/api/connections/{connection}/rotate-secret", self.url);
        let answer = self.client.post(path).json(&json!({})).send().await;
        let answer = answer.map_err(|error| unreachable(&self.url, &error))?;
        let status = answer.status();
        let rotated: Option<Rotated> = match status.is_success() {
            true => answer.json().await.ok(),
            false => None,
        };
        let rotated = rotated.ok_or_else(|| {
            PushError::Connection(format!(
                "the server answered {} when it was to give connection {connection} a new secret",
                status.as_u16()
            ))
        })?;
        Ok(Created {
            id: connection.to_owned(),
            secret: rotated.secret,
        })
    }

    /// Removes a connection again that nothing was pushed to; whether it is gone.
    pub(super) async fn remove(&self, connection: &str) -> bool {
        let path = format!("{}/api/connections/{connection}/disconnect", self.url);
        let answer = self.client.post(path).json(&json!({})).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }

    /// Sends a batch until it is answered, at most `ATTEMPTS_MAX` times.
    pub(super) async fn push(
        &self,
        connection: &str,
        secret: &str,
        batch: &PushBatch,
    ) -> Result<BatchOutcome, PushError> {
        let body = bytes::Bytes::from(batch.body()?);
        let mut attempt = 0;
        loop {
            let step = match self.post(connection, secret, body.clone()).await {
                Ok(reply) => judge(&reply, connection, attempt),
                Err(error) => NextStep::Again(wait_before(attempt), unreachable(&self.url, &error)),
            };
            attempt += 1;
            match step {
                NextStep::Done(verdict) => return Ok(verdict),
                NextStep::Stop(error) => return Err(error),
                NextStep::Again(_, error) if attempt >= ATTEMPTS_MAX => return Err(error),
                NextStep::Again(wait, _) => tokio::time::sleep(wait).await,
            }
        }
    }

    async fn post(
        &self,
        connection: &str,
        secret: &str,
        body: bytes::Bytes,
    ) -> reqwest::Result<PushReply> {
        let request = self
            .client
            .post(format!(
                "{}/api/ingest/{connection}?partial=true&outcomes=true",
                self.url
            ))
            .header(AUTHORIZATION, format!("Bearer {secret}"))
            .header(CONTENT_TYPE, "application/x-ndjson")
            .header(CONTENT_ENCODING, "gzip")
            .body(body);
        let response = request.send().await?;
        Ok(PushReply {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_computer_is_known_by_its_address() {
        for (url, is_here) in [
            ("http://127.0.0.1:8787", true),
            ("http://localhost:8787/", true),
            ("http://[::1]:8787", true),
            ("https://127.8.9.1", true),
            ("http://192.168.1.5:8787", false),
            ("http://localhost.example.com", false),
            ("http://127.0.0.1@example.com", false),
            ("localhost", false),
        ] {
            assert_eq!(PushServer::new(url).unwrap().is_here(), is_here, "{url}");
        }
    }
}
