//! `sextant key rotate`, the real binary, with a running service.

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;

use super::Setup;
use crate::support::dav_server::{PASSWORD, Peer, USER};
use crate::support::users::in_scratch;

#[test]
fn it_has_the_running_service_replace_the_key() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let rotate = || {
            let words = ["key", "rotate", "--url", &service.console];
            let setup = Setup::bare(home);
            words.iter().fold(setup, |setup, word| setup.argument(word))
        };
        let (status, _, err) = rotate().run_to_end().await;
        assert_eq!(status.code(), Some(2), "{err}");
        assert!(err.contains("the first credential makes one"), "{err}");

        let name = "it_has_the_running_service_replace_the_key";
        if let Some(server) = Peer::Radicale.start(name).await {
            let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
            let address = server.typed();
            let body = json!({ "provider": "own_server", "credentials": {
                "dav": address.as_str(), "user": USER, "password": PASSWORD, "ca": authority,
            } });
            let request = service.request(Method::POST, "/api/connections");
            let made = request.json(&body).send().await.unwrap();
            assert_eq!(made.status().as_u16(), 201);
            let key = || std::fs::read_to_string(home.join("data/credentials.key")).unwrap();
            let before = key();
            let (status, out, err) = rotate().run_to_end().await;
            assert_eq!(status.code(), Some(0), "{err}");
            assert_eq!(out.trim(), "1 credential sealed with the new key");
            assert_ne!(key(), before);
        }
        service.stop(Signal::SIGTERM).await;
    });
}
