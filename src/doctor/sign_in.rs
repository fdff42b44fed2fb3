//! A client that registers and signs in as hosted agents do: with PKCE, by the page on which a person shows a key.

use sextant_actors::random::{self, Unavailable};
use sextant_connectors::guard::PublicProbe;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::asking::{PublicAnswer, PublicQuestion, encoded, unanswered};
use super::finding::{Seen, StepVerdict, Trouble};
use super::limits::NONCE_BYTES;
use super::metadata::registration;
use crate::exposure::PublicAddress;

/// Where the browser would be sent with the code. It is read from the answer; nothing is ever sent there.
const REDIRECT: &str = "http://127.0.0.1/callback";
const PASS_ALL_ON: &str = "Have whatever stands in front of the agent port pass requests and answers on as they are, with all their headers.";

/// What one sign-in is known by.
struct SignInSecrets {
    state: String,
    verifier: String,
}

/// Registers a client; its id.
pub(super) async fn registers(probe: &PublicProbe) -> StepVerdict<String> {
    let asked = PublicQuestion::post_json(probe, "/register", &registration(REDIRECT));
    let answer = asked.ask().await.map_err(|failure| unanswered(&failure))?;
    let id = answer.member("client_id").filter(|_| answer.status == 201);
    let id = id.ok_or_else(|| refused("A client cannot register", &answer))?;
    Ok(Seen::well("A client has registered.").with(id))
}

/// Signs in with this key; the access token.
///
/// # Errors
/// When the system gives no randomness.
pub(super) async fn signs_in(
    probe: &PublicProbe,
    address: &PublicAddress,
    client: &str,
    key: &str,
) -> Result<StepVerdict<String>, Unavailable> {
    let draw = || random::bytes::<NONCE_BYTES>().map(|bytes| random::base64url(&bytes));
    let secrets = SignInSecrets {
        state: draw()?,
        // A verifier has 43 characters at least (RFC 7636 §4.1).
        verifier: draw()? + &draw()?,
    };
    Ok(signed_in(probe, address, client, key, &secrets).await)
}

async fn signed_in(
    probe: &PublicProbe,
    address: &PublicAddress,
    client: &str,
    key: &str,
    secrets: &SignInSecrets,
) -> StepVerdict<String> {
    let resource = address.agent_url();
    let challenge = random::base64url(&Sha256::digest(&secrets.verifier));
    let query = encoded(&[
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT),
        ("state", &secrets.state),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("resource", &resource),
    ]);
    let page = PublicQuestion::get(probe, format!("/authorize?{query}"));
    let page = page.ask().await.map_err(|failure| unanswered(&failure))?;
    let form = hidden_field(&page.text, "form").filter(|_| page.status == 200);
    let form = form.ok_or_else(|| refused("The sign-in page is not shown", &page))?;
    let shown = PublicQuestion::post_form(probe, "/authorize", &[("form", &form), ("key", key)])
        .header("origin", &address.origin());
    let shown = shown.ask().await.map_err(|failure| unanswered(&failure))?;
    let code = code_in(&shown, &secrets.state);
    let code =
        code.ok_or_else(|| refused("The sign-in page does not take an agent's key", &shown))?;
    let exchange = PublicQuestion::post_form(
        probe,
        "/token",
        &[
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", REDIRECT),
            ("client_id", client),
            ("code_verifier", &secrets.verifier),
            ("resource", &resource),
        ],
    );
    let issued = exchange
        .ask()
        .await
        .map_err(|failure| unanswered(&failure))?;
    let token = issued
        .member("access_token")
        .filter(|_| issued.status == 200);
    let token = token.ok_or_else(|| refused("A code is not exchanged for a token", &issued))?;
    Ok(Seen::well("A client has signed in with an agent's key.").with(token))
}

fn refused(what: &str, answer: &PublicAnswer) -> Trouble {
    let said = answer.member("error");
    let said = said.map(|error| format!(", {}", super::asking::quoted(&error)));
    Trouble::new(
        format!(
            "{what} ({}{}).",
            answer.described(),
            said.unwrap_or_default()
        ),
        match answer.status {
            429 => "Too many have signed in within a minute: check again in one.",
            _ => PASS_ALL_ON,
        },
    )
}

/// The value of a hidden field of a page of ours, which writes the attributes in this order.
fn hidden_field(page: &str, name: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("type=\"hidden\" name=\"{name}\" value=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value.to_owned())
}

/// The code that a redirect holds, if it leads to the client and answers this sign-in.
fn code_in(answer: &PublicAnswer, state: &str) -> Option<String> {
    let location = answer
        .location
        .as_deref()
        .filter(|_| answer.status == 303)?;
    let url = Url::parse(location).ok()?;
    let told = |name: &str| {
        let mut pairs = url.query_pairs();
        pairs.find_map(|(own, value)| (own == name).then(|| value.into_owned()))
    };
    let is_ours = location.starts_with(REDIRECT) && told("state").as_deref() == Some(state);
    told("code").filter(|_| is_ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_taken_of_a_redirect_to_the_client_alone() {
        let read = |status: u16, location: &str| {
            let location = Some(location.to_owned());
            code_in(
                &PublicAnswer {
                    status,
                    location,
                    ..PublicAnswer::default()
                },
                "s",
            )
        };
        let own = "http://127.0.0.1/callback?code=c&state=s&iss=x";
        assert_eq!(read(303, own).as_deref(), Some("c"));
        for (status, location) in [
            (200, own),
            (303, "http://127.0.0.1/callback?code=c&state=other"),
            (303, "https://evil.example/callback?code=c&state=s"),
            (303, "http://127.0.0.1/callback?error=access_denied&state=s"),
        ] {
            assert_eq!(read(status, location), None, "{status} {location}");
        }
    }

    #[test]
    fn the_hidden_field_of_a_page_is_found() {
        let page = r#"<form><input type="hidden" name="form" value="abc-_"><input name="key">"#;
        assert_eq!(hidden_field(page, "form").as_deref(), Some("abc-_"));
        assert_eq!(hidden_field(page, "key"), None);
    }
}
