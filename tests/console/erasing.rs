//! Taking all away, and erasing: counted first, typed, done, recorded. Journey 19.

use serde_json::{Value, json};

use crate::harness::element::Role;
use crate::harness::{Browser, Console, in_browser};

/// Devices, and what they pushed: two people, three mails, two nights.
async fn fill(console: &Console) -> String {
    let people = json!([{ "id": "p1", "full_name": "Ada" }, { "id": "p2", "full_name": "Grace" }]);
    let mail =
        |id: &str| json!({ "id": id, "subject": "Hello", "received_at": "2026-11-20T10:00:00Z" });
    let mails = json!([mail("m1"), mail("m2"), mail("m3")]);
    let bookings = |id: &str| json!({ "id": id, "booked_on": "2026-11-20", "amount": "-3.20", "currency": "EUR", "description": "Coffee" });
    let bookings = json!([bookings("b1"), bookings("b2")]);
    let mut of_mail = String::new();
    for (target, records) in [
        ("contacts.people", people),
        ("mail.messages", mails),
        ("finance.transactions", bookings),
    ] {
        let device = console.service.device(target).await;
        let pushed = console
            .service
            .push(&device, records.to_string())
            .send()
            .await;
        assert_eq!(pushed.unwrap().status(), 200, "{target}");
        if target == "mail.messages" {
            of_mail = device.id;
        }
    }
    of_mail
}

/// Opens the dialog for a scope; the rows that it would erase.
async fn count(page: &Browser, what: &str) -> u64 {
    page.open("/settings/data").await;
    page.field("What to erase").choose(what).await;
    page.button("Count and erase").click().await;
    page.shows("rows in all.").await;
    let told = "return document.querySelector('dialog').innerText.match(/([\\d,]+) rows in all/)[1].replaceAll(',', '')";
    let told = page.run(told, vec![]).await;
    told.as_str().unwrap().parse().unwrap()
}

/// Types the word and erases.
async fn confirm(page: &Browser) {
    let erase = page.the(Role::Button, "Erase");
    assert!(!erase.is_enabled().await);
    page.field("Type erase to confirm").type_text("erase").await;
    erase.click().await;
}

/// The newest row of an erase, once there are so many.
async fn recorded(console: &Console, count: usize) -> Value {
    let mut rows = Vec::new();
    crate::support::eventually::eventually("it is recorded", async || {
        rows = console.service.audit_rows("erase").await;
        rows.len() == count
    })
    .await;
    rows.swap_remove(0)
}

#[test]
fn r039_an_erase_deletes_what_it_counted_and_is_recorded_with_its_scope() {
    in_browser("erasing::scopes", async |console| {
        let mail = fill(console).await;
        let page = &console.browser;
        let scopes = [
            (
                "mail.messages (mail.messages)",
                json!({ "scope": "connection", "connectionId": mail }),
                3,
            ),
            (
                "All of contacts",
                json!({ "scope": "sector", "sector": "contacts" }),
                2,
            ),
            ("Everything", json!({ "scope": "all" }), 2),
        ];
        for (round, (what, scope, at_least)) in scopes.into_iter().enumerate() {
            let counted = count(page, what).await;
            assert!(counted >= at_least, "{what}: {counted}");
            confirm(page).await;
            page.shows(&format!("Erased {counted} rows.")).await;
            let row = recorded(console, round + 1).await;
            assert_eq!(
                (&row["agent_id"], &row["outcome"], &row["result_count"]),
                (&json!("operator"), &json!("ok"), &json!(counted)),
                "{row}"
            );
            for (name, value) in scope.as_object().unwrap() {
                assert_eq!(&row["args"][name], value, "{row}");
            }
        }
        page.open("/settings/data").await;
        page.button("Count and erase").click().await;
        page.shows("There is nothing to erase").await;
    });
}

#[test]
fn r039_an_erase_that_fails_says_so_deletes_nothing_and_is_recorded_as_an_error() {
    in_browser("erasing::failed", async |console| {
        fill(console).await;
        console.browser.expect("500 (Internal Server Error)");
        let client = console.database.connect().await;
        let refuse = "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
            CREATE TRIGGER refuse BEFORE DELETE ON contacts.people EXECUTE FUNCTION public.refuse();";
        client.batch_execute(refuse).await.unwrap();
        let page = &console.browser;
        count(page, "All of contacts").await;
        confirm(page).await;
        page.shows("Nothing was erased.").await;
        page.the(Role::Dialog, "Erase: All of contacts?")
            .found()
            .await;
        let row = recorded(console, 1).await;
        assert_eq!(
            (&row["outcome"], &row["result_count"]),
            (&json!("error"), &Value::Null)
        );
        page.open("/data/contacts/people").await;
        page.shows("Grace").await;
        page.open("/activity?tool=erase").await;
        page.shows("Errored").await;
    });
}

/// Reads the file behind the link; its size, its first two letters.
const READ: &str = "const [address, done] = arguments; \
    fetch(address).then((answer) => answer.arrayBuffer()).then((bytes) => done([bytes.byteLength, String.fromCharCode(...new Uint8Array(bytes).slice(0, 2))]))";

#[test]
fn r039_an_export_of_all_is_a_file_and_a_row() {
    in_browser("erasing::export", async |console| {
        fill(console).await;
        let page = &console.browser;
        page.open("/settings/data").await;
        page.link("Export").found().await;
        let link = "return [...document.querySelectorAll('a[download]')].find((link) => link.innerText.trim() === 'Export').getAttribute('href')";
        let address = page.run(link, vec![]).await;
        assert_eq!(address, "/api/export");
        let read = page
            .client
            .execute_async(READ, vec![address])
            .await
            .unwrap();
        assert_eq!(read[1], "PK");
        assert!(read[0].as_u64().unwrap() > 1_000, "{read}");
        let row = console.row("tool=export").await;
        assert_eq!(
            (&row["agent_id"], &row["outcome"]),
            (&json!("operator"), &json!("ok"))
        );
    });
}
