//! Requests to Graph, with the token of a sign-in.

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::failure::failure_of;
use super::object::GraphObject;
use crate::bearer::BearerClient;
use crate::failure::{FailureKind, SourceFailure};

/// The one host that gets a token. A name that is led elsewhere is the guard's to know.
const HOST: &str = "graph.microsoft.com";

/// Ids that stay when an item moves (<https://learn.microsoft.com/graph/outlook-immutable-id>), and times in UTC.
const PREFERENCES: &str = "IdType=\"ImmutableId\", outlook.timezone=\"UTC\"";

/// Asks Graph as one person.
#[derive(Clone)]
pub(super) struct GraphClient {
    bearer: BearerClient,
}

impl GraphClient {
    pub(super) const fn new(bearer: BearerClient) -> Self {
        Self { bearer }
    }

    /// An object at a path below the person, as `contacts/delta`, whose parts [`segment`] has made safe.
    pub(super) async fn of_mine(&self, path: &str) -> Result<GraphObject, SourceFailure> {
        self.follow(&address_of_mine(path), None).await
    }

    /// An object at a link of an answer: judged before a token goes along. A page holds at most `page_items`.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`] for a link that leads anywhere but to Graph; [`FailureKind::PositionLost`] for one that
    /// Graph has forgotten.
    pub(super) async fn follow(
        &self,
        link: &str,
        page_items: Option<usize>,
    ) -> Result<GraphObject, SourceFailure> {
        let address = judged(link)?;
        let answer = self.bearer.get(&address, headers(page_items)?).await?;
        if !answer.status.is_success() {
            return Err(failure_of(&answer));
        }
        serde_json::from_slice(&answer.body).map_err(|_| {
            let message = "the source's answer is no object";
            SourceFailure::new(FailureKind::Malformed, message)
        })
    }
}

/// The address of what is the person's own.
pub(super) fn address_of_mine(path: &str) -> String {
    format!("https://{HOST}/v1.0/me/{path}")
}

/// An id as a part of a path or the value of a parameter.
pub(super) fn segment(id: &str) -> String {
    let mut encoded = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The address of a link, if it leads to Graph and nowhere else.
fn judged(link: &str) -> Result<Url, SourceFailure> {
    let forbidden = || {
        let message = "the source named a link that leads elsewhere";
        SourceFailure::new(FailureKind::ForbiddenAddress, message)
    };
    let address = Url::parse(link).map_err(|_| forbidden())?;
    let is_own = address.scheme() == "https"
        && address.host_str() == Some(HOST)
        && address.port().is_none()
        && address.username().is_empty()
        && address.password().is_none();
    is_own.then_some(address).ok_or_else(forbidden)
}

/// Refuses a link that leads anywhere but to Graph, before it is stored.
pub(super) fn judge_link(link: &str) -> Result<(), SourceFailure> {
    judged(link).map(drop)
}

fn headers(page_items: Option<usize>) -> Result<HeaderMap, SourceFailure> {
    let page = page_items.map(|items| format!(", odata.maxpagesize={items}"));
    let preferences = format!("{PREFERENCES}{}", page.unwrap_or_default());
    let preferences = HeaderValue::try_from(preferences).map_err(|_| {
        let message = "the preferences cannot be sent";
        SourceFailure::new(FailureKind::Rejected, message)
    })?;
    Ok(HeaderMap::from_iter([(
        HeaderName::from_static("prefer"),
        preferences,
    )]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_graph_or_nowhere() {
        assert!(judged("https://graph.microsoft.com/v1.0/me/contacts/delta?$skiptoken=a").is_ok());
        for elsewhere in [
            "http://graph.microsoft.com/v1.0/me",
            "https://graph.microsoft.com.evil.example/v1.0/me",
            "https://evil.example/graph.microsoft.com",
            "https://graph.microsoft.com@evil.example/",
            "https://a:b@graph.microsoft.com/",
            "https://graph.microsoft.com:8443/",
            "https://login.microsoftonline.com/",
            "//graph.microsoft.com/",
            "",
        ] {
            let failure = judged(elsewhere).unwrap_err();
            assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{elsewhere}");
        }
    }

    #[test]
    fn an_id_is_one_part_of_a_path() {
        assert_eq!(segment("AA-b_c=="), "AA-b_c%3D%3D");
        assert_eq!(segment("../x?y#z/ü"), "%2E%2E%2Fx%3Fy%23z%2F%C3%BC");
    }
}
