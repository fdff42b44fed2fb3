//! The data room and the view as an agent: journey 19 without fetching, export and erase (`fetching`, `erasing`).

use serde_json::json;

use crate::harness::in_browser;

#[test]
fn r041_every_table_is_shown_none_of_it_is_recorded_and_no_digit_is_lost() {
    in_browser("data::tables", async |console| {
        console.load_sample().await;
        let device = console.service.device("finance.transactions").await;
        let booking = json!([{ "id": "b1", "booked_on": "2026-11-20", "amount": "12345678901.6789", "currency": "EUR", "description": "All digits" }]);
        console
            .service
            .push(&device, booking.to_string())
            .send()
            .await
            .unwrap();
        console.row(&format!("q={}", device.id)).await;
        let before = console.row("limit=1").await["id"].clone();
        let page = &console.browser;
        let schema = console.get("/api/operator/schema").await;
        for table in schema["tables"].as_array().unwrap() {
            let target = table["target"].as_str().unwrap();
            page.open(&format!("/data/{}", target.replace('.', "/")))
                .await;
            page.shows("Looking here is not recorded.").await;
        }
        page.open("/data/finance/transactions?q=digits").await;
        page.shows("12345678901.6789").await;
        let after = console.get("/api/audit?limit=1").await["rows"][0]["id"].clone();
        assert_eq!(before, after);
    });
}

#[test]
fn an_agents_view_shows_its_sectors_and_its_own_refusal_of_the_others() {
    in_browser("data::as_agent", async |console| {
        console.load_sample().await;
        console.service.key("claude", &["mail"]).await;
        console.browser.expect("preview");
        let page = &console.browser;
        page.open("/agents/claude/data").await;
        page.shows("access denied: finance").await;
        page.open("/agents/claude/data/mail/messages").await;
        page.shows("claude").await;
        page.eventually(
            "there are rows",
            "return document.querySelectorAll('tbody tr').length > 10",
        )
        .await;
        assert_eq!(
            console.get("/api/audit?agent=claude").await["rows"],
            json!([])
        );
    });
}

#[test]
fn hostile_records_change_nothing_but_themselves() {
    in_browser("data::hostile", async |console| {
        let device = console.service.device("mail.messages").await;
        let script = "<script>window.pwned = 1</script><img src=x onerror=window.pwned=1>";
        let long = "W".repeat(3_000);
        let mails = json!([{
            "id": "m1", "subject": format!("{script}\u{202e}\u{2066} {long}"), "from_name": script, "from_email": "a@b.test",
            "received_at": "2026-11-20T10:00:00Z", "body_text": format!("{script} {}", "x ".repeat(95_000)),
        }]);
        let pushed = console
            .service
            .push(&device, mails.to_string())
            .send()
            .await
            .unwrap();
        assert_eq!(pushed.status(), 200, "{}", pushed.text().await.unwrap());
        let key = console.service.key("claude", &["mail"]).await;
        let answer = console
            .ask(
                &key,
                "query",
                json!({ "target": "mail.messages", "search": script }),
            )
            .await;
        assert!(answer["rows"].is_array(), "{answer}");
        let found: serde_json::Value = console
            .ask(
                &key,
                "query",
                json!({ "target": "mail.messages", "select": ["id"], "format": "records" }),
            )
            .await;
        let id = found["rows"][0]["id"].as_str().unwrap().to_owned();
        let page = &console.browser;
        for screen in [
            "/activity".to_owned(),
            "/data/mail/messages".to_owned(),
            format!("/data/mail/messages/{id}"),
            "/".to_owned(),
        ] {
            page.open(&screen).await;
            for width in [
                crate::harness::browser::WIDE,
                crate::harness::browser::NARROWEST,
            ] {
                page.set_width(width).await;
                let sideways = page
                    .run(
                        "return document.documentElement.scrollWidth > innerWidth",
                        vec![],
                    )
                    .await;
                assert_eq!(sideways, false, "{screen} at {width}");
            }
            page.set_width(crate::harness::browser::WIDE).await;
            assert_eq!(
                page.run("return window.pwned ?? null", vec![]).await,
                json!(null),
                "{screen}"
            );
            assert_eq!(
                page.run(
                    "return document.querySelectorAll('#app script, #app img[src=x]').length",
                    vec![]
                )
                .await,
                json!(0)
            );
        }
    });
}

#[test]
fn the_search_finds_places_and_records_by_keyboard() {
    in_browser("data::palette", async |console| {
        use fantoccini::key::Key;
        console.load_sample().await;
        console.service.key("coffee-bot", &["finance"]).await;
        let page = &console.browser;
        page.open("/settings").await;
        page.button("Search").click().await;
        page.field("Search screens").type_text("coffee").await;
        page.shows("coffee-bot").await;
        page.shows("results").await;
        page.press(&[Key::Down, Key::Up, Key::Enter]).await;
        page.is_at("/agents/coffee-bot").await;
        page.shows("Deadline").await;
        page.run(
            "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))",
            vec![],
        )
        .await;
        page.field("Search screens").type_text("system").await;
        page.press(&[Key::Enter]).await;
        page.is_at("/settings/system").await;
    });
}
