//! Whether the Console answers at the address: it asks for no login, and whoever reaches it may do everything (r105).

use sextant_connectors::guard::PublicProbe;

use super::asking::{PublicAnswer, PublicQuestion, unanswered};
use super::finding::{Seen, StepVerdict, Trouble};
use crate::exposure::PublicAddress;

/// The path of the Console port that answers by any name.
pub(super) const HEALTH: &str = "/healthz";
const STATUS: &str = "/api/status";
const PAGE: &str = "/";
const PATHS: [&str; 3] = [HEALTH, STATUS, PAGE];
const PAGE_TITLE: &str = "<title>Sextant</title>";

/// `is_console_name`: the address is one of those by which the Console answers.
pub(super) async fn absent(
    probe: &PublicProbe,
    address: &PublicAddress,
    is_console_name: bool,
) -> StepVerdict {
    for path in PATHS {
        let answer = PublicQuestion::get(probe, path).ask().await;
        if is_console(path, &answer.map_err(|failure| unanswered(&failure))?) {
            return Err(published());
        }
    }
    if is_console_name {
        let host = address.host();
        return Err(Trouble::new(
            format!("{host} stands in REST_ALLOWED_HOSTS: by that name the Console answers too."),
            "Take it out there, and start Sextant anew.",
        ));
    }
    Ok(Seen::well("The Console does not answer at the address."))
}

/// Whether what answers there is the Console port of a Sextant, which may refuse the name that it was asked by.
pub(super) fn is_console(path: &str, answer: &PublicAnswer) -> bool {
    let body = answer.json();
    match path {
        HEALTH => body.get("status").is_some(),
        STATUS => body.get("startedAt").is_some() || body.get("attention").is_some(),
        _ => answer.text.contains(PAGE_TITLE),
    }
}

pub(super) fn published() -> Trouble {
    Trouble::new(
        "The Console answers at the address, to anybody: whoever reaches it may do everything.",
        "Take it off at once: publish the agent port (8788) and not the Console port (8787).",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_is_known_by_what_only_it_says() {
        let is_console = |path: &str, text: &str| {
            let text = text.to_owned();
            is_console(
                path,
                &PublicAnswer {
                    text,
                    ..PublicAnswer::default()
                },
            )
        };
        assert!(is_console(HEALTH, r#"{"status":"ok"}"#));
        assert!(is_console(
            STATUS,
            r#"{"startedAt":"2026-01-01T00:00:00Z"}"#
        ));
        assert!(is_console(PAGE, "<!doctype html><title>Sextant</title>"));
        for path in PATHS {
            for text in [
                "",
                "{}",
                "<html>",
                r#"{"error":"not_found","message":"agents are served at /mcp"}"#,
            ] {
                assert!(!is_console(path, text), "{path} {text}");
            }
        }
    }
}
