//! What clients read before they sign in: the challenge at the address that was entered, and the two documents that it leads to.

use serde_json::{Value, json};
use sextant_connectors::guard::PublicProbe;
use url::Url;

use super::asking::{PublicAnswer, PublicQuestion, quoted, unanswered};
use super::finding::{Seen, StepVerdict, Trouble};
use super::tools::{AGENT_PATH, calling};
use crate::exposure::PublicAddress;

/// Where the document of the resource lies, for each way in which people write the address (RFC 9728 §3.1).
const RESOURCE_PATHS: [&str; 3] = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/",
];
/// Where that of the authorization server lies (RFC 8414 §3.1).
const SERVER_PATH: &str = "/.well-known/oauth-authorization-server";

pub(super) async fn is_right(probe: &PublicProbe, address: &PublicAddress) -> StepVerdict {
    let unauthorized = calling(probe, None).ask().await;
    let unauthorized = unauthorized.map_err(|failure| unanswered(&failure))?;
    let path = challenged(&unauthorized, address)?;
    let mut paths = vec![path.as_str()];
    paths.extend(RESOURCE_PATHS.into_iter().filter(|known| *known != path));
    for path in paths {
        let document = fetched(probe, path).await?;
        // As the address was written that leads there.
        let slash = if path.ends_with('/') { "/" } else { "" };
        let resource = format!("{}{slash}", address.agent_url());
        names(&document, "resource", &resource, path)?;
    }
    let server = fetched(probe, SERVER_PATH).await?;
    names(&server, "issuer", &address.origin(), SERVER_PATH)?;
    Ok(Seen::well(format!(
        "A client that is given {} or only {} finds where to sign in.",
        address.agent_url(),
        address.origin()
    )))
}

async fn fetched(probe: &PublicProbe, path: &str) -> Result<PublicAnswer, Trouble> {
    let asked = PublicQuestion::get(probe, path).ask().await;
    asked.map_err(|failure| unanswered(&failure))
}

/// The path of the document that the challenge of an answer names.
fn challenged(answer: &PublicAnswer, address: &PublicAddress) -> Result<String, Trouble> {
    if answer.status != 401 {
        return Err(Trouble::new(
            format!(
                "A call to {AGENT_PATH} without a key is answered with {}, not with 401.",
                answer.described()
            ),
            "Have whatever stands in front of the agent port pass requests and answers on as they are.",
        ));
    }
    let named = answer.challenge.as_deref().and_then(resource_metadata);
    let Some(named) = named else {
        return Err(Trouble::new(
            "A refusal does not say where to sign in: the header WWW-Authenticate is lost on the way back.",
            "Have the proxy pass that header on.",
        ));
    };
    let url = Url::parse(&named).ok();
    let is_own = |url: &Url| url.origin().ascii_serialization() == address.origin();
    match url.filter(is_own) {
        Some(url) => Ok(url.path().to_owned()),
        None => Err(of_another(&named, &address.origin())),
    }
}

/// The parameter of a challenge (RFC 9728 §5.1).
fn resource_metadata(challenge: &str) -> Option<String> {
    let (_, rest) = challenge.split_once("resource_metadata=\"")?;
    let (url, _) = rest.split_once('"')?;
    Some(url.to_owned())
}

fn names(answer: &PublicAnswer, member: &str, expected: &str, path: &str) -> Result<(), Trouble> {
    match answer.member(member) {
        Some(named) if named == expected => Ok(()),
        Some(named) => Err(of_another(&named, expected)),
        None => Err(Trouble::new(
            format!(
                "{path} is answered with {}, without what clients read there.",
                answer.described()
            ),
            "Have the address lead to the agent port with all its paths, /.well-known too.",
        )),
    }
}

fn of_another(named: &str, expected: &str) -> Trouble {
    Trouble::new(
        format!(
            "What clients read before they sign in names {} in place of {expected}.",
            quoted(named)
        ),
        "Have the address lead to the agent port of this Sextant with all its paths, and let nothing in front of it keep answers.",
    )
}

/// What a client says of itself when it registers (RFC 7591 §2).
pub(super) fn registration(redirect: &str) -> Value {
    json!({
        "client_name": "Sextant doctor",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge(status: u16, challenge: Option<&str>) -> Result<String, String> {
        let answer = PublicAnswer {
            status,
            challenge: challenge.map(str::to_owned),
            ..PublicAnswer::default()
        };
        let address = PublicAddress::parse("https://box.example").unwrap();
        challenged(&answer, &address).map_err(|trouble| trouble.what)
    }

    #[test]
    fn a_challenge_leads_to_the_document_of_this_address() {
        let named = |url: &str| format!(r#"Bearer error="x", resource_metadata="{url}""#);
        let own = named("https://box.example/.well-known/oauth-protected-resource/mcp");
        assert_eq!(
            challenge(401, Some(&own)).as_deref(),
            Ok("/.well-known/oauth-protected-resource/mcp")
        );
        let foreign = named("https://evil.example/x");
        for (status, header, words) in [
            (401, None, "WWW-Authenticate"),
            (401, Some("Bearer"), "WWW-Authenticate"),
            (401, Some(foreign.as_str()), "https://evil.example/x"),
            (200, Some(own.as_str()), "200"),
        ] {
            let trouble = challenge(status, header).unwrap_err();
            assert!(trouble.contains(words), "{trouble}");
        }
    }

    #[test]
    fn a_document_names_this_address_exactly() {
        let judged = |text: &str| {
            let text = text.to_owned();
            let answer = PublicAnswer {
                text,
                ..PublicAnswer::default()
            };
            names(&answer, "issuer", "https://box.example", SERVER_PATH).is_ok()
        };
        assert!(judged(r#"{"issuer":"https://box.example"}"#));
        for text in [
            "",
            "{}",
            r#"{"issuer":"https://box.example/"}"#,
            r#"{"issuer":7}"#,
        ] {
            assert!(!judged(text), "{text}");
        }
    }
}
