//! The providers: what is entered, what of it is sealed, and where it leads.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::provider::{
    Credential, ExchangeError, Form, FormRefusal, PastedProvider, Source, SourceOptions,
};
use sextant_connectors::providers::{self, WayOut};
use sextant_connectors::secret::SourceSecret;

use crate::support::certificates::{self, LOOPBACK};
use crate::support::dav_server::Peer;
use crate::support::sink::Sink;

const PASSWORD: &str = "abcd-efgh-ijkl-mnop";

fn provider(id: &str, way_out: &WayOut) -> Box<dyn PastedProvider> {
    let pasted = providers::pasted(|_| way_out.clone());
    pasted.into_iter().find(|one| one.id() == id).unwrap()
}

/// What the provider makes of what is entered.
async fn enter(
    provider: &dyn PastedProvider,
    entered: &[(&str, &str)],
) -> Result<Credential, FormRefusal> {
    let entered = entered.iter();
    let entered = entered.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let form = Form::new(provider.fields(), entered)?;
    provider
        .exchange(&form)
        .await
        .map_err(|refused| match refused {
            ExchangeError::Form(refusal) => refusal,
            ExchangeError::Source(failure) => panic!("{failure}"),
        })
}

async fn check(
    provider: &dyn PastedProvider,
    sector: &str,
    sealed: &SourceSecret,
) -> Result<(), SourceFailure> {
    match provider.source(sector, sealed, &SourceOptions::default())? {
        Source::Rounds(feed) => feed.check().await,
        Source::Stream(watch) => watch.check().await,
    }
}

#[tokio::test]
async fn what_is_entered_wrongly_is_refused_on_its_field() {
    let nowhere = WayOut::default();
    type Entered<'a> = &'a [(&'a str, &'a str)];
    let cases: [(&str, Entered<'_>, &str); 9] = [
        (
            "icloud",
            &[("account", "op"), ("password", PASSWORD)],
            "account",
        ),
        ("icloud", &[("account", "op@me.test")], "password"),
        (
            "own_server",
            &[("user", "op"), ("password", PASSWORD)],
            "dav",
        ),
        (
            "own_server",
            &[
                ("dav", "http://dav.test/"),
                ("user", "op"),
                ("password", PASSWORD),
            ],
            "dav",
        ),
        (
            "own_server",
            &[
                ("dav", "https://op:abcd-efgh-ijkl-mnop@dav.test/"),
                ("user", "op"),
                ("password", "x"),
            ],
            "dav",
        ),
        (
            "own_server",
            &[
                ("imap", "imap.test/x"),
                ("user", "op"),
                ("password", PASSWORD),
            ],
            "imap",
        ),
        (
            "own_server",
            &[
                ("imap", "imap.test"),
                ("user", "op"),
                ("password", PASSWORD),
                ("ca", PASSWORD),
            ],
            "ca",
        ),
        (
            "home_assistant",
            &[("address", "homeassistant.local"), ("token", PASSWORD)],
            "address",
        ),
        (
            "home_assistant",
            &[
                ("address", "http://op:abcd-efgh-ijkl-mnop@home.test:8123"),
                ("token", "x"),
            ],
            "address",
        ),
    ];
    for (id, entered, field) in cases {
        let provider = provider(id, &nowhere);
        let refused = enter(&*provider, entered).await.unwrap_err();
        assert_eq!(refused.field, field, "{id}: {refused}");
        assert!(!refused.message.contains("abcd"), "{refused}");
    }
}

#[tokio::test]
async fn an_account_is_named_and_nothing_shows_its_password() {
    let nowhere = WayOut::default();
    let entered = [("account", " Op@Me.Test "), ("password", PASSWORD)];
    let icloud = provider("icloud", &nowhere);
    let one = enter(&*icloud, &entered).await.unwrap();
    assert_eq!(one.account, "op@me.test");
    assert!(one.sealed.reveal().contains(PASSWORD));
    assert!(!format!("{one:?}").contains(PASSWORD));
    let elsewhere = check(&*icloud, "finance", &one.sealed).await.unwrap_err();
    assert_eq!(elsewhere.kind, FailureKind::NotFound);
    let damaged = SourceSecret::new(format!("{{\"account\": \"{PASSWORD}"));
    let refused = check(&*icloud, "mail", &damaged).await.unwrap_err();
    assert_eq!(refused.kind, FailureKind::CredentialRefused);
    assert!(!refused.message.contains(PASSWORD), "{refused}");
}

#[tokio::test]
async fn r126_icloud_is_asked_at_its_own_names_alone() {
    if !certificates::can_be_made("r126_icloud") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let names = format!("{LOOPBACK},DNS:*.icloud.com,DNS:sink.test");
    let made = certificates::make(folder.path(), &names);
    let to_sink =
        b"HTTP/1.1 302 Moved\r\nlocation: https://sink.test/\r\ncontent-length: 0\r\n\r\n";
    let apple = Sink::start(Some((&made.server, &made.server_key)), move |_| {
        to_sink.to_vec()
    })
    .await;
    let sink = Sink::start(Some((&made.server, &made.server_key)), |_| Vec::new()).await;
    let led = [("*.icloud.com", &apple), ("sink.test", &sink)];
    let led = led.map(|(name, to)| (Domain::parse(name).unwrap(), to.address));
    let way_out = WayOut {
        diversions: Diversions::new(led),
        authorities: Some(std::fs::read_to_string(&made.authority).unwrap()),
        ..WayOut::default()
    };
    let icloud = provider("icloud", &way_out);
    let entered = [("account", "op@me.test"), ("password", PASSWORD)];
    let own = enter(&*icloud, &entered).await.unwrap();
    let authorization = format!(
        "Basic {}",
        STANDARD.encode(format!("op@me.test:{PASSWORD}"))
    );
    for (sector, host) in [
        ("calendar", "caldav.icloud.com"),
        ("contacts", "contacts.icloud.com"),
    ] {
        let failure = check(&*icloud, sector, &own.sealed).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{failure}");
        let received = apple.received();
        let last = received.last().unwrap();
        assert!(last.contains(&format!("host: {host}\r\n")), "{last}");
        assert!(last.contains(&authorization));
    }
    assert_eq!(sink.received(), [""; 0]);
}

#[tokio::test]
async fn an_own_server_is_read_where_it_was_typed() {
    let Some(server) = Peer::Radicale.start("an_own_server").await else {
        return;
    };
    let own_server = provider("own_server", &WayOut::default());
    let (dav, ca) = (
        server.typed(),
        std::fs::read_to_string(&server.certificates.authority).unwrap(),
    );
    let entered = |password| {
        [
            ("dav", dav.as_str()),
            ("user", "op"),
            ("password", password),
            ("ca", &ca),
        ]
    };
    let own = enter(&*own_server, &entered(PASSWORD)).await.unwrap();
    assert_eq!(own.account, "op at 127.0.0.1");
    for sector in ["calendar", "contacts"] {
        check(&*own_server, sector, &own.sealed).await.unwrap();
    }
    let without = check(&*own_server, "mail", &own.sealed).await.unwrap_err();
    assert_eq!(without.kind, FailureKind::NotFound);
    let other = enter(&*own_server, &entered("wrong")).await.unwrap();
    let refused = check(&*own_server, "calendar", &other.sealed)
        .await
        .unwrap_err();
    assert_eq!(refused.kind, FailureKind::CredentialRefused);
}
