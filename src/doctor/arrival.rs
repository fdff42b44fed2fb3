//! Whether what is sent to the address arrives at this Sextant: a nonce goes out, and is expected at the agent port.

use sextant_actors::random::{self, Unavailable};
use sextant_connectors::guard::PublicProbe;

use super::arrivals::{ARRIVAL_PATH, Arrivals, ArrivedBy};
use super::asking::{PublicAnswer, PublicQuestion, unanswered};
use super::console::{self, is_console};
use super::finding::{Seen, StepVerdict, Trouble};
use super::limits::NONCE_BYTES;

/// What the agent port of a Sextant says of a nonce that it does not expect.
pub(crate) const UNEXPECTED: &str = "no such nonce is expected here";
/// The code under which a Sextant refuses the name that a request came by.
const FOREIGN_HOST: &str = "forbidden_host";

const PASS_THE_HOST: &str = "Have the proxy pass on the name that was asked for (in nginx: proxy_set_header Host $http_host; Caddy does so by itself).";

/// Sends one out.
///
/// # Errors
/// When the system gives no randomness.
pub(super) async fn arrives(
    probe: &PublicProbe,
    arrivals: &Arrivals,
) -> Result<StepVerdict, Unavailable> {
    let nonce = random::base64url(&random::bytes::<NONCE_BYTES>()?);
    arrivals.announce(&nonce);
    let asked = PublicQuestion::get(probe, format!("{ARRIVAL_PATH}{nonce}"))
        .ask()
        .await;
    let arrived = arrivals.take();
    let answer = match asked {
        Ok(answer) => answer,
        Err(failure) => return Ok(Err(unanswered(&failure))),
    };
    let health = match arrived {
        Some(_) => None,
        None => PublicQuestion::get(probe, console::HEALTH).ask().await.ok(),
    };
    let is_console = health.is_some_and(|health| is_console(console::HEALTH, &health));
    Ok(judge(arrived, &answer, is_console))
}

fn judge(arrived: Option<ArrivedBy>, answer: &PublicAnswer, is_console: bool) -> StepVerdict {
    match arrived {
        Some(ArrivedBy::PublicName) if answer.status == 204 => Ok(Seen::well(
            "A nonce was sent to the address, and arrived here.",
        )),
        Some(ArrivedBy::PublicName) => Err(Trouble::new(
            format!(
                "What is sent to the address arrives here, but the answer is changed on the way back ({}).",
                answer.described()
            ),
            "Have the proxy pass answers on as they are.",
        )),
        Some(ArrivedBy::OwnName) => Err(Trouble::new(
            "What is sent to the address arrives here, but whatever stands in front of the agent port changes its Host to a name of this computer, under which no agent from elsewhere is served.",
            PASS_THE_HOST,
        )),
        None => Err(elsewhere(answer, is_console)),
    }
}

/// Where it went, if it did not arrive here.
fn elsewhere(answer: &PublicAnswer, is_console: bool) -> Trouble {
    if is_console {
        return console::published();
    }
    let error = answer.member("error").unwrap_or_default();
    if answer.text.contains(UNEXPECTED) {
        return Trouble::new(
            "Another Sextant answers at the address.",
            "Have the address lead to the agent port of this one, or check it in the Console of the other.",
        );
    }
    if error == FOREIGN_HOST {
        return Trouble::new(
            "A Sextant answers at the address, but does not know the name that it is asked by: whatever stands in front of it changes the Host, or it is another Sextant.",
            PASS_THE_HOST,
        );
    }
    match answer.status {
        301 | 302 | 303 | 307 | 308 => Trouble::new(
            format!(
                "The address redirects ({}), and hosted agents do not follow.",
                answer.described()
            ),
            "Enter the address that it leads to, or have it answer itself.",
        ),
        502..=504 => Trouble::new(
            format!(
                "Something answers at the address, but does not reach the agent port ({}).",
                answer.described()
            ),
            "Have it lead to the agent port of this computer, as Settings tells it, and check that both run.",
        ),
        _ => Trouble::new(
            format!(
                "Another server answers at the address ({}): nothing arrived here.",
                answer.described()
            ),
            "Have the address lead to the agent port of this computer with all its paths, and no login in front of it.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(arrived: Option<ArrivedBy>, status: u16, text: &str, is_console: bool) -> String {
        let answer = PublicAnswer {
            status,
            text: text.to_owned(),
            location: (status == 302).then(|| "https://evil.example/\u{1b}".to_owned()),
            ..PublicAnswer::default()
        };
        super::super::finding::tests::told(judge(arrived, &answer, is_console)).1
    }

    #[test]
    fn where_a_nonce_went_is_told_apart() {
        use ArrivedBy::*;
        let unexpected = format!(r#"{{"error":"not_found","message":"{UNEXPECTED}"}}"#);
        let foreign = r#"{"error":"forbidden_host"}"#;
        for (arrived, status, text, is_console, words) in [
            (Some(PublicName), 204, "", false, "arrived here"),
            (Some(PublicName), 500, "", false, "changed on the way back"),
            (Some(OwnName), 204, "", false, "changes its Host"),
            (None, 403, foreign, true, "The Console"),
            (None, 404, unexpected.as_str(), false, "Another Sextant"),
            (None, 403, foreign, false, "does not know the name"),
            (
                None,
                302,
                "",
                false,
                "redirects (302 to https://evil.example/)",
            ),
            (None, 502, "", false, "does not reach the agent port"),
            (None, 200, "<html>", false, "Another server"),
            (None, 401, "", false, "Another server"),
        ] {
            let told = told(arrived, status, text, is_console);
            assert!(told.contains(words), "{told}");
        }
    }
}
