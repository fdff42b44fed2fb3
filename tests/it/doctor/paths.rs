//! Set-ups in which what is sent to the address does not arrive as it was sent, or not here.

use sextant::app::Settings;
use sextant::host::Host;
use sextant::http::host_check::AllowedHosts;

use super::dates::sign_for_days;
use super::front::{Front, Spoiled};
use super::{NAME, OWN_NAME, Setup, assert_fails, check, settings_by};
use crate::exposure::{PUBLIC, publish};
use crate::support::{TestApp, certificates};

/// Asserts where this set-up fails, and in which words.
async fn fails(test: &str, spoiled: Spoiled, step: &str, words: &str) {
    if certificates::can_be_made(test) {
        assert_fails(&Setup::spoiled(spoiled).report().await, step, words);
    }
}

#[actix_web::test]
async fn another_server_answers_there() {
    let (test, words) = ("another_server_answers_there", "Another server answers");
    fails(test, Spoiled::OtherServer, "arrives", words).await;
}

#[actix_web::test]
async fn the_address_redirects_elsewhere() {
    let (test, words) = (
        "the_address_redirects_elsewhere",
        "https://elsewhere.example/",
    );
    fails(test, Spoiled::Redirects, "arrives", words).await;
}

#[actix_web::test]
async fn a_proxy_that_reaches_nothing() {
    let (test, words) = (
        "a_proxy_that_reaches_nothing",
        "does not reach the agent port",
    );
    fails(test, Spoiled::BadGateway, "arrives", words).await;
}

#[actix_web::test]
async fn a_proxy_that_names_this_computer_as_the_host() {
    let test = "a_proxy_that_names_this_computer_as_the_host";
    let words = "changes its Host to a name of this computer";
    fails(test, Spoiled::HostOfThisComputer, "arrives", words).await;
}

#[actix_web::test]
async fn a_proxy_that_names_another_host() {
    let (test, words) = ("a_proxy_that_names_another_host", "does not know the name");
    fails(test, Spoiled::HostOfAnother, "arrives", words).await;
}

#[actix_web::test]
async fn a_proxy_that_changes_answers() {
    let (test, words) = (
        "a_proxy_that_changes_answers",
        "changed on the way back (200)",
    );
    fails(test, Spoiled::ChangesAnswers, "arrives", words).await;
}

#[actix_web::test]
async fn the_console_is_published_in_place_of_the_agent_port() {
    let test = "the_console_is_published_in_place_of_the_agent_port";
    for spoiled in [Spoiled::Console, Spoiled::ConsoleAsLocalhost] {
        fails(test, spoiled, "arrives", "The Console answers").await;
    }
}

#[actix_web::test]
async fn the_console_is_published_beside_the_agent_port() {
    let test = "the_console_is_published_beside_the_agent_port";
    let step = "console_absent";
    fails(test, Spoiled::ConsoleBeside, step, "The Console answers").await;
}

#[actix_web::test]
async fn the_name_is_one_of_the_consoles() {
    if !certificates::can_be_made("the_name_is_one_of_the_consoles") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = certificates::make(folder.path(), OWN_NAME);
    sign_for_days(folder.path(), (-1, 90));
    let front = Front::start(&made, Spoiled::Nothing).await;
    let settings = || settings_by(&made.authority, &[(NAME, front.address)]);
    let app = TestApp::start_with(settings()).await;
    publish(&app, PUBLIC).await;
    let with_name = Settings {
        allowed_hosts: AllowedHosts::new(vec![Host::parse(NAME).unwrap()]),
        ..settings()
    };
    let app = app.restart_with(with_name).await;
    front.lead(app.agents, app.address());
    assert_fails(&check(&app).await, "console_absent", "REST_ALLOWED_HOSTS");
}

#[actix_web::test]
async fn another_sextant_answers_there() {
    if !certificates::can_be_made("another_sextant_answers_there") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = certificates::make(folder.path(), OWN_NAME);
    sign_for_days(folder.path(), (-1, 90));
    let front = Front::start(&made, Spoiled::Nothing).await;
    let app = TestApp::start_with(settings_by(&made.authority, &[(NAME, front.address)])).await;
    let other = TestApp::start().await;
    for app in [&app, &other] {
        publish(app, PUBLIC).await;
    }
    front.lead(other.agents, other.address());
    assert_fails(&check(&app).await, "arrives", "Another Sextant");
}
