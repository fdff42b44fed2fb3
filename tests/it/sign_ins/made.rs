//! What is entered is tried; only then is it stored.

use std::net::SocketAddr;

use serde_json::json;
use sextant::app::Settings;
use sextant::providers::SourceProviders;
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::providers::WayOut;

use super::{
    Dovecot, HOST, column, connect, dovecot, entered, secrets, settings_with_mail, sign_in,
    signed_in, until_health,
};
use crate::support::app::settings;
use crate::support::dav_server::{PASSWORD, Peer};
use crate::support::{TestApp, ports};

#[actix_web::test]
async fn r129_one_credential_has_a_connection_for_each_sector_that_answers() {
    let name = "r129_one_credential_has_a_connection_for_each_sector_that_answers";
    let Some(server) = Peer::Radicale.start(name).await else {
        return;
    };
    let app = TestApp::start().await;
    let made = connect(&app, &entered(&server, PASSWORD), json!({}))
        .await
        .expect(201);
    let connections = made["connections"].as_array().unwrap();
    let sectors: Vec<_> = connections
        .iter()
        .map(|one| one["sector"].as_str().unwrap())
        .collect();
    assert_eq!(sectors, ["calendar", "contacts"]);
    assert_eq!(made["missing"][0]["sector"], "mail", "{made}");
    for one in connections {
        assert_eq!(one["signInId"], made["signInId"]);
        assert_eq!(one["label"], "Own server (CalDAV, CardDAV, IMAP)");
        assert_eq!(
            (&one["syncIntervalMinutes"], &one["syncWindowDays"]),
            (&json!(15), &json!(null))
        );
        assert!(app.published(one["id"].as_str().unwrap()).is_some());
    }
    assert_eq!(connections[0]["table"], "calendar.series");

    until_health(&app, ["ok", "ok"]).await;

    let id = made["signInId"].as_str().unwrap();
    let shown = sign_in(&app, id).await;
    assert_eq!(shown["account"], "op at 127.0.0.1");
    assert_eq!(shown["provider"], "own_server");
    assert_eq!(shown["connections"].as_array().unwrap().len(), 2);
    assert!(shown["revocation"].as_str().unwrap().contains("settings"));
    assert_eq!(
        (&shown["revokedAt"], &shown["expiresAt"]),
        (&json!(null), &json!(null))
    );
    app.get("/api/signins/none")
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn r129_the_same_account_again_renews_it_and_doubles_nothing() {
    let name = "r129_the_same_account_again_renews_it_and_doubles_nothing";
    let Some((app, server, id)) = signed_in(name).await else {
        return;
    };
    let before = column(&app, "id").await;
    let more = json!({ "sectors": ["contacts", "contacts"], "label": "Again" });
    let again = connect(&app, &entered(&server, PASSWORD), more)
        .await
        .expect(201);
    assert_eq!(again["signInId"], id.as_str());
    assert_eq!(again["connections"].as_array().unwrap().len(), 1);
    assert_eq!(again["missing"], json!([]));
    assert_eq!(column(&app, "id").await, before);
    assert_eq!(secrets(&app).await, 1);

    // A sector that was disconnected comes back as a connection of its own.
    app.disconnect(before[0].as_str().unwrap(), json!({}))
        .await
        .expect(200);
    connect(
        &app,
        &entered(&server, PASSWORD),
        json!({ "label": "Again" }),
    )
    .await
    .expect(201);
    assert_eq!(column(&app, "label").await[0], "Again");
    assert_ne!(column(&app, "id").await[0], before[0]);
    assert_eq!(column(&app, "id").await[1], before[1]);
}

#[actix_web::test]
async fn what_no_sector_answers_to_is_not_stored() {
    let Some(mut server) = Peer::Radicale
        .start("what_no_sector_answers_to_is_not_stored")
        .await
    else {
        return;
    };
    let app = TestApp::start().await;
    let good = entered(&server, PASSWORD);
    let wrong = connect(&app, &entered(&server, "hunter2-of-op"), json!({})).await;
    assert!(!wrong.text.contains("hunter2"), "{wrong:?}");
    wrong.expect_problem(400, "invalid", Some("password"));
    for (field, value) in [
        ("dav", "http://127.0.0.1/"),
        ("ca", "no certificate"),
        ("user", " "),
        ("words", "x"),
    ] {
        let mut entered = good.clone();
        entered[field] = json!(value);
        let refused = connect(&app, &entered, json!({})).await;
        refused.expect_problem(400, "invalid", Some(field));
    }
    for sectors in [json!(["mail"]), json!(["home"]), json!([])] {
        let refused = connect(&app, &good, json!({ "sectors": sectors })).await;
        refused.expect_problem(400, "invalid", Some("sectors"));
    }
    server.stop();
    let away = connect(&app, &good, json!({})).await;
    away.expect_problem(502, "provider_error", None);
    assert_eq!(app.connections().await, json!([]));
    let client = app.database.connect().await;
    let count = client
        .query_one("SELECT count(*) FROM sign_ins", &[])
        .await
        .unwrap();
    assert_eq!(count.get::<_, i64>(0), 0);
}

#[actix_web::test]
async fn r129_mail_is_read_of_the_last_year_by_a_server_of_ones_own() {
    let name = "r129_mail_is_read_of_the_last_year_by_a_server_of_ones_own";
    let Some(server) = Dovecot::start(name, None) else {
        return;
    };
    let app = TestApp::start_with(settings_with_mail(&server)).await;
    let credentials = json!({ "imap": HOST, "user": dovecot::USER, "password": PASSWORD });
    let more = json!({ "sectors": ["mail"], "label": "Post" });
    let made = connect(&app, &credentials, more).await.expect(201);
    let mail = &made["connections"][0];
    assert_eq!(
        (&mail["sector"], &mail["label"]),
        (&json!("mail"), &json!("Post"))
    );
    assert_eq!(
        (&mail["syncWindowDays"], &mail["table"]),
        (&json!(365), &json!("mail.messages"))
    );
    let credentials = json!({ "imap": HOST, "user": dovecot::USER, "password": "wrong-word" });
    let refused = connect(&app, &credentials, json!({})).await;
    refused.expect_problem(400, "invalid", Some("password"));
}

#[actix_web::test]
async fn what_can_be_connected_is_listed_with_what_is_entered() {
    let app = TestApp::start().await;
    let listed = app.get("/api/providers").await.expect(200);
    let listed = listed["providers"].as_array().unwrap();
    let ids: Vec<_> = listed
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    let pasted = [
        "push",
        "icloud",
        "own_server",
        "home_assistant",
        "simplefin",
    ];
    assert_eq!(ids[..5], pasted);
    assert_eq!(ids[5..], ["google", "microsoft", "whoop", "bank_app"]);
    assert_eq!(listed[0]["sectors"].as_array().unwrap().len(), 6);
    assert_eq!(
        (&listed[0]["method"], &listed[0]["fields"]),
        (&json!("push"), &json!([]))
    );
    assert_eq!(listed[1]["method"], "paste");
    let password = &listed[1]["fields"][1];
    assert_eq!(
        (&password["name"], &password["kind"], &password["optional"]),
        (&json!("password"), &json!("secret"), &json!(false))
    );
    assert_eq!(listed[3]["sectors"], json!(["home"]));
}

#[actix_web::test]
async fn r126_icloud_is_asked_under_its_own_names_wherever_they_lead() {
    let name = "r126_icloud_is_asked_under_its_own_names_wherever_they_lead";
    let Some(server) = Peer::Radicale.start(name).await else {
        return;
    };
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    // Nobody listens there: mail is not asked for elsewhere.
    let closed = SocketAddr::from(([127, 0, 0, 1], ports::unused()));
    let led = [("*.icloud.com", server.address), ("*.mail.me.com", closed)];
    let led = led.map(|(host, to)| (Domain::parse(host).unwrap(), to));
    let way_out = |authorities| WayOut {
        diversions: Diversions::new(led.clone()),
        authorities,
        ..WayOut::default()
    };
    let icloud = json!({
        "provider": "icloud",
        "credentials": { "account": " OP@me.test ", "password": PASSWORD },
    });
    let connected = async |authorities: Option<String>| {
        let providers = SourceProviders::reached(|_| way_out(authorities.clone())).unwrap();
        let app = TestApp::start_with(Settings {
            providers,
            ..settings()
        })
        .await;
        app.create_connection(icloud.clone()).await
    };
    let made = connected(Some(authority)).await.expect(201);
    let sectors = made["connections"].as_array().unwrap().iter();
    let sectors: Vec<_> = sectors.map(|one| one["sector"].as_str().unwrap()).collect();
    assert_eq!(sectors, ["calendar", "contacts"]);
    assert_eq!(made["missing"][0]["sector"], "mail");
    // A certificate that this system does not trust: nothing was sent, and nothing is stored.
    let refused = connected(None).await;
    refused.expect_problem(502, "provider_error", None);
}
