//! Set-ups that let a nonce through, and not what clients do.

use serde_json::json;

use super::front::Spoiled;
use super::{Setup, World, assert_fails, check};
use crate::support::certificates;

/// Asserts where this set-up fails, in which words, and that no agent is left behind.
async fn fails(test: &str, spoiled: Spoiled, step: &str, words: &str) {
    if certificates::can_be_made(test) {
        let World {
            app, front: _front, ..
        } = Setup::spoiled(spoiled).start().await;
        assert_fails(&check(&app).await, step, words);
        assert_eq!(app.agents().await, json!([]));
    }
}

#[actix_web::test]
async fn metadata_of_another_address() {
    let words = "https://other.example/mcp in place of https://box.example/mcp";
    let test = "metadata_of_another_address";
    fails(test, Spoiled::KeptResource, "metadata", words).await;
    let words = "https://other.example in place of https://box.example";
    fails(test, Spoiled::KeptServer, "metadata", words).await;
}

#[actix_web::test]
async fn a_proxy_without_a_way_for_the_metadata() {
    let test = "a_proxy_without_a_way_for_the_metadata";
    fails(test, Spoiled::NoMetadata, "metadata", "answered with 404").await;
}

#[actix_web::test]
async fn a_proxy_that_takes_the_challenge_away() {
    let test = "a_proxy_that_takes_the_challenge_away";
    fails(test, Spoiled::NoChallenge, "metadata", "WWW-Authenticate").await;
}

#[actix_web::test]
async fn a_proxy_that_lets_nobody_register() {
    let test = "a_proxy_that_lets_nobody_register";
    fails(test, Spoiled::NoRegistration, "registers", "405").await;
}

#[actix_web::test]
async fn a_proxy_that_refuses_the_form() {
    let test = "a_proxy_that_refuses_the_form";
    fails(
        test,
        Spoiled::NoForm,
        "signs_in",
        "does not take an agent's key",
    )
    .await;
}

#[actix_web::test]
async fn a_proxy_that_lets_no_code_be_exchanged() {
    let test = "a_proxy_that_lets_no_code_be_exchanged";
    fails(test, Spoiled::NoToken, "signs_in", "not exchanged").await;
}

#[actix_web::test]
async fn a_proxy_that_takes_the_token_away() {
    let test = "a_proxy_that_takes_the_token_away";
    fails(
        test,
        Spoiled::NoAuthorization,
        "lists_tools",
        "Authorization is lost",
    )
    .await;
}

#[actix_web::test]
async fn a_proxy_that_keeps_answers() {
    let test = "a_proxy_that_keeps_answers";
    let step = "revoked_key_refused";
    fails(test, Spoiled::KeepsAnswers, step, "keeps answers").await;
}
