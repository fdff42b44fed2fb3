//! What leaves, and where to, over real connections.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Method, Url};
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};
use sextant_connectors::guard::{
    AddressRule, Diversions, Domain, HttpAnswer, HttpGuard, HttpRequest, NameLookup, Plaintext,
    ProbeWay, Trust,
};
use tokio::sync::Semaphore;

use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;

const PASSWORD: &str = "Basic c2VlZGVkLXdvcmQ=";

/// Servers under the provider's name and under another, and the way to both.
struct World {
    certificates: Certificates,
    _folder: tempfile::TempDir,
}

impl World {
    fn new(test: &str) -> Option<Self> {
        certificates::can_be_made(test).then(|| {
            let folder = tempfile::tempdir().unwrap();
            let names = format!("{LOOPBACK},DNS:*.icloud.test,DNS:sink.test");
            let certificates = certificates::make(folder.path(), &names);
            Self {
                certificates,
                _folder: folder,
            }
        })
    }

    async fn server(&self, answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Sink {
        let own = &self.certificates;
        Sink::start(Some((&own.server, &own.server_key)), answers).await
    }

    fn guard(&self, servers: &[(&str, &Sink)]) -> HttpGuard {
        let led = servers
            .iter()
            .map(|(name, sink)| (Domain::parse(name).unwrap(), sink.address));
        let authority = std::fs::read(&self.certificates.authority).unwrap();
        HttpGuard::new(
            AddressRule::of_domains(Domain::parse("*.icloud.test")),
            Diversions::new(led),
            &Trust::with_authorities(&authority).unwrap(),
        )
        .unwrap()
    }
}

fn propfind() -> HttpRequest {
    let mut password = HeaderValue::from_static(PASSWORD);
    password.set_sensitive(true);
    HttpRequest {
        method: Method::from_bytes(b"PROPFIND").unwrap(),
        headers: HeaderMap::from_iter([(AUTHORIZATION, password)]),
        body: Bytes::from_static(b"<propfind/>"),
        answer_bytes_max: 1000,
    }
}

async fn send(guard: &HttpGuard, address: &str) -> Result<HttpAnswer, SourceFailure> {
    let to = guard.rule().judge(&Url::parse(address).unwrap())?;
    guard.send(&to, &propfind()).await
}

fn answer(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn redirect(status: u16, location: &str) -> Vec<u8> {
    answer(&format!("{status} Moved\r\nlocation: {location}"), "")
}

#[tokio::test]
async fn r126_a_redirect_inside_the_domain_keeps_method_body_and_password() {
    let Some(world) = World::new("r126_redirect_inside") else {
        return;
    };
    for status in [301, 302, 303, 307, 308] {
        let server = world
            .server(move |request| match request.starts_with("PROPFIND / ") {
                true => redirect(status, "https://p42-caldav.icloud.test/op/"),
                false => answer("207 Multi-Status", "found"),
            })
            .await;
        let guard = world.guard(&[("*.icloud.test", &server)]);
        let got = send(&guard, "https://caldav.icloud.test/").await.unwrap();
        assert_eq!((got.status.as_u16(), &*got.body), (207, &b"found"[..]));
        assert_eq!(
            got.from.url().as_str(),
            "https://p42-caldav.icloud.test/op/"
        );
        let [_, second] = &server.received()[..] else {
            panic!("two requests");
        };
        assert!(second.starts_with("PROPFIND /op/ "), "{second}");
        assert!(second.contains(PASSWORD) && second.ends_with("<propfind/>"));
        assert!(
            second.contains("host: p42-caldav.icloud.test\r\n"),
            "{second}"
        );
    }
}

#[tokio::test]
async fn r126_no_redirect_leads_a_password_or_a_body_away() {
    let Some(world) = World::new("r126_redirect_away") else {
        return;
    };
    let sink = world.server(|_| answer("207 Multi-Status", "caught")).await;
    let plain = Sink::start(None, |_| answer("207 Multi-Status", "caught")).await;
    let hops = [
        "https://sink.test/".to_owned(),
        "https://caldav.icloud.test.sink.test/".to_owned(),
        "https://caldav.icloud.test@sink.test/".to_owned(),
        "https://op:word@caldav.icloud.test/".to_owned(),
        "https://caldav.icloud.test./".to_owned(),
        "http://caldav.icloud.test/".to_owned(),
        "//sink.test/".to_owned(),
        format!("https://{}/", sink.address),
        format!("https://caldav.icloud.test:{}/", sink.address.port()),
        format!("http://{}/", plain.address),
        "file:///etc/passwd".to_owned(),
        "data:text/plain,hello".to_owned(),
    ];
    for hop in hops {
        for status in [301, 302, 303, 307, 308] {
            let to = hop.clone();
            let server = world.server(move |_| redirect(status, &to)).await;
            let guard = world.guard(&[("caldav.icloud.test", &server), ("*.test", &sink)]);
            let failure = send(&guard, "https://caldav.icloud.test/")
                .await
                .unwrap_err();
            assert_eq!(
                failure.kind,
                FailureKind::ForbiddenAddress,
                "{hop}: {failure}"
            );
            assert_eq!(server.received().len(), 1, "{hop}");
        }
    }
    assert_eq!(sink.received(), [""; 0]);
    assert_eq!(plain.received(), [""; 0]);
}

/// Some providers want one request at a time, whichever of a person's calendars it is for.
#[tokio::test]
async fn requests_that_take_turns_wait_for_each_other() {
    let Some(world) = World::new("requests_that_take_turns") else {
        return;
    };
    let server = world.server(|_| answer("200 OK", "")).await;
    let servers = [("dav.icloud.test", &server)];
    let turns = Arc::new(Semaphore::new(1));
    let guard = world.guard(&servers).in_turns(Arc::clone(&turns));
    let held = turns.acquire().await.unwrap();
    let waits = tokio::spawn(async move { send(&guard, "https://dav.icloud.test/second").await });
    let other = world.guard(&servers);
    send(&other, "https://dav.icloud.test/first").await.unwrap();
    assert_eq!(server.received().len(), 1);
    drop(held);
    waits.await.unwrap().unwrap();
    let received = server.received();
    assert!(received[1].contains("/second"), "{received:?}");
}

#[tokio::test]
async fn redirects_and_bodies_have_an_end() {
    let Some(world) = World::new("redirects_and_bodies") else {
        return;
    };
    let around = world.server(|_| redirect(302, "/again")).await;
    let guard = world.guard(&[("*.icloud.test", &around)]);
    let failure = send(&guard, "https://caldav.icloud.test/")
        .await
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Malformed);
    assert_eq!(around.received().len(), 6);

    let chunk = format!("3e9\r\n{}\r\n", "x".repeat(1001));
    for long in [
        b"HTTP/1.1 200 OK\r\ncontent-length: 500000000\r\n\r\nx".to_vec(),
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunk}").into_bytes(),
    ] {
        let server = world.server(move |_| long.clone()).await;
        let guard = world.guard(&[("*.icloud.test", &server)]);
        let failure = send(&guard, "https://caldav.icloud.test/")
            .await
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::TooLarge, "{failure}");
    }
}

#[tokio::test]
async fn an_answer_without_success_says_what_it_means_and_no_more() {
    let Some(world) = World::new("answer_without_success") else {
        return;
    };
    let server = world
        .server(|_| {
            answer(
                "503 Busy\r\nretry-after: 120",
                "try https://op:word@caldav.icloud.test/",
            )
        })
        .await;
    let guard = world.guard(&[("*.icloud.test", &server)]);
    let got = send(&guard, "https://caldav.icloud.test/").await.unwrap();
    let failure = got.failure();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    let wait = std::time::Duration::from_secs(120);
    assert_eq!(failure.retry_after, Some(RetryAfter::Wait(wait)));
    assert!(!failure.message.contains("word"), "{failure}");
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_gets_nothing() {
    let Some(world) = World::new("unknown_authority") else {
        return;
    };
    let server = world.server(|_| answer("200 OK", "caught")).await;
    let other = std::fs::read(&world.certificates.other_authority).unwrap();
    let guard = HttpGuard::new(
        AddressRule::of_domains(Domain::parse("*.icloud.test")),
        Diversions::new(Domain::parse("*.icloud.test").map(|name| (name, server.address))),
        &Trust::with_authorities(&other).unwrap(),
    )
    .unwrap();
    let failure = send(&guard, "https://caldav.icloud.test/")
        .await
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    let told = &failure.message;
    assert!(
        told.contains("enter the authority that signed it"),
        "{told}"
    );
    assert_eq!(server.received(), [""; 0]);
}

#[tokio::test]
async fn what_keeps_a_source_from_being_reached_is_said() {
    let Some(world) = World::new("kept_from_a_source") else {
        return;
    };
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let server = world.server(|_| answer("200 OK", "caught")).await;
    for (to, name, expected) in [
        (
            address,
            "caldav.icloud.test",
            "nothing answers at that port",
        ),
        (
            server.address,
            "other.test",
            "its certificate is for another name",
        ),
    ] {
        let guard = HttpGuard::new(
            AddressRule::of_domains(Domain::parse(name)),
            Diversions::new(Domain::parse(name).map(|name| (name, to))),
            &Trust::with_authorities(&std::fs::read(&world.certificates.authority).unwrap())
                .unwrap(),
        );
        let failure = send(&guard.unwrap(), &format!("https://{name}/"))
            .await
            .unwrap_err();
        assert!(failure.message.contains(expected), "{failure}");
    }
}

#[tokio::test]
async fn without_tls_only_the_own_network_is_reached() {
    let server = Sink::start(None, |_| answer("200 OK", "home")).await;
    let trust = Trust::system();
    let Ok(trust) = trust else {
        return crate::support::skipped::for_want_of(
            "without_tls",
            "this system trusts no authority",
        );
    };
    let guard = |typed: &str| {
        let typed = Url::parse(typed).unwrap();
        let rule = AddressRule::of_typed(&typed, Plaintext::ToPrivateAddresses).unwrap();
        HttpGuard::new(rule, Diversions::default(), &trust).unwrap()
    };
    for own in ["127.0.0.1", "localhost"] {
        let address = format!("http://{own}:{}/api/", server.address.port());
        let got = send(&guard(&address), &address).await.unwrap();
        assert_eq!(&*got.body, b"home", "{own}");
    }
    let elsewhere = "http://192.0.2.7:8123/api/";
    let failure = send(&guard(elsewhere), elsewhere).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{failure}");
}

#[tokio::test]
async fn r501_a_probe_as_it_is_released_connects_to_public_addresses_alone() {
    let way = ProbeWay::default();
    for host in [
        "127.0.0.1",
        "::1",
        "localhost",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "100.100.100.100",
        "fd7a:115c:a1e0::1",
    ] {
        let found = way.look_up(host, 443).await.unwrap();
        assert!(way.not_public(&found).next().is_some(), "{host}");
        let refused = way.probe(found).unwrap_err();
        assert_eq!(refused.kind, FailureKind::ForbiddenAddress, "{host}");
    }
}

#[tokio::test]
async fn r501_only_a_name_of_an_overlay_may_stand_for_an_address_within_it() {
    let probe = |name: &str, address: &str| {
        let (name, at) = (name.to_owned(), format!("{address}:443").parse().unwrap());
        let names = NameLookup::Given(vec![(name.clone(), at)]);
        let way = ProbeWay {
            names,
            ..ProbeWay::default()
        };
        async move { way.probe(way.look_up(&name, 443).await.unwrap()).is_ok() }
    };
    assert!(probe("box.tail.ts.net", "100.100.1.2").await);
    assert!(probe("box.tail.ts.net", "8.8.8.8").await);
    assert!(!probe("box.tail.ts.net", "127.0.0.1").await);
    assert!(!probe("box.tail.ts.net", "192.168.1.2").await);
    assert!(!probe("box.example", "100.100.1.2").await);
}
