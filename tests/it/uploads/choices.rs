//! What a person chooses: answers to what a file leaves open, and the connection of a table.

use serde_json::{Value, json};

use super::{BANK, BOOKINGS, Upload, counts, rows};
use crate::support::TestApp;

fn file<'a>(job: &'a Value, path: &str) -> &'a Value {
    let files = job["files"].as_array().unwrap();
    files.iter().find(|file| file["path"] == path).unwrap()
}

#[actix_web::test]
async fn what_a_file_leaves_open_is_a_question_of_that_file() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    for path in ["a/bank.csv", "b/bank.csv"] {
        upload.put(path, BOOKINGS).await;
    }
    let checked = upload.check().await;
    for path in ["a/bank.csv", "b/bank.csv"] {
        let file = file(&checked, path);
        assert_eq!(
            (&file["state"], &file["question"]),
            (&json!("unread"), &json!("account")),
            "{file}"
        );
    }
    let euros = json!({ "account": "Checking", "currency": "EUR" });
    let dollars = json!({ "account": "Savings", "currency": "USD" });
    let answers =
        json!({ "answers": { "a/bank.csv": euros, "b/bank.csv": { "account": "Savings" } } });
    let checked = upload.work("check", answers).await;
    assert_eq!(file(&checked, "a/bank.csv")["state"], "read");
    assert_eq!(file(&checked, "b/bank.csv")["question"], "currency");
    let answers = json!({ "answers": { "a/bank.csv": euros, "b/bank.csv": dollars } });
    let done = upload.work("run", answers).await;
    assert_eq!(counts(&done["totals"]), [2, 2, 0, 0, 0], "{done}");
    let client = app.pool.get().await.unwrap();
    let currencies = "SELECT string_agg(currency, ' ' ORDER BY currency) FROM finance.transactions";
    let row = client.query_one(currencies, &[]).await.unwrap();
    assert_eq!(row.get::<_, String>(0), "EUR USD");
    assert_eq!(upload.run().await["state"], "done", "the answers are kept");
}

#[actix_web::test]
async fn statements_are_taken_and_days_that_may_be_two_are_a_question() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    let ambiguous = "statements/qif/qifgem-bank-split.qif";
    let (swift, camt) = (
        "statements/mt940/sns-nl.txt",
        "statements/camt/ubs-ch-v08.xml",
    );
    upload.put_fixtures(&[ambiguous, swift, camt]).await;
    let mut answer = json!({ "account": "Mine" });
    for (question, said) in [("currency", "USD"), ("dateOrder", "mdy")] {
        let choices = json!({ "answers": { ambiguous: answer } });
        let checked = upload.work("check", choices).await;
        let asked = file(&checked, ambiguous);
        assert_eq!(asked["question"], question, "{asked}");
        for read in [swift, camt] {
            assert_eq!(file(&checked, read)["state"], "read");
        }
        answer[question] = json!(said);
    }
    let choices = json!({ "answers": { ambiguous: answer } });
    let done = upload.work("run", choices).await;
    assert_eq!(file(&done, ambiguous)["inserted"], 3, "{done}");
    assert_eq!(rows(&app, "finance.transactions").await, 8);
}

#[actix_web::test]
async fn an_answer_that_cannot_be_taken_is_refused_by_name() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    upload.put("bank.csv", BOOKINGS).await;
    for (answer, said) in [
        (json!({ "currency": "euro" }), "three capital letters"),
        (json!({ "account": " " }), "1 to 100 characters"),
        (json!({ "zone": "Berlin" }), "Europe/Berlin"),
        (json!({ "colour": "red" }), "dateOrder (dmy, mdy or ymd)"),
        (json!({ "positive": "up" }), "positive (in or out)"),
    ] {
        let choices = json!({ "answers": { "bank.csv": answer } });
        let answer = app.post(&upload.path("/check"), choices).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
        assert!(answer.text.contains(said), "{}", answer.text);
    }
    assert_eq!(upload.job().await["state"], "receiving");
}

#[actix_web::test]
async fn records_go_where_the_person_says_and_never_to_a_sample_or_a_paused_connection() {
    let app = TestApp::start().await;
    app.post("/api/sample", json!({})).await.expect(201);
    let (bank, _) = app.push_connection("finance.transactions").await;
    let (paused, _) = app.push_connection("finance.transactions").await;
    app.pause(&paused).await.expect(200);
    let upload = Upload::open(&app).await;
    upload.put_fixtures(&[BANK]).await;
    let checked = upload.check().await;
    let table = &checked["tables"][0];
    assert_eq!(
        (&table["connectionId"], &table["label"]),
        (&Value::Null, &json!("Finance from files"))
    );

    let connections = app.connections().await;
    let connections = connections.as_array().unwrap();
    let sample = connections.iter().find(|connection| {
        connection["isSample"] == true && connection["table"] == "finance.transactions"
    });
    let sample = sample.unwrap()["id"].as_str().unwrap();
    for unfit in [sample, &paused, &uuid::Uuid::nil().to_string()] {
        let choices = json!({ "destinations": { "finance.transactions": unfit } });
        let checked = upload.work("run", choices).await;
        assert_eq!(counts(&checked["totals"]), [0, 0, 0, 0, 3], "{checked}");
        let reason = checked["refusals"][0]["reason"].as_str().unwrap();
        assert!(reason.contains("choose one that is active"), "{reason}");
    }
    let choices = json!({ "destinations": { "finance.transactions": bank } });
    let done = upload.work("run", choices).await;
    assert_eq!(done["tables"][0]["connectionId"], json!(bank));
    let client = app.pool.get().await.unwrap();
    let of_bank = "SELECT count(*) FROM finance.transactions WHERE connection_id = $1";
    let id: uuid::Uuid = bank.parse().unwrap();
    let row = client.query_one(of_bank, &[&id]).await.unwrap();
    assert_eq!(row.get::<_, i64>(0), 3);
    let before = rows(&app, "finance.transactions").await;
    let done = upload
        .work(
            "run",
            json!({ "destinations": { "finance.transactions": null } }),
        )
        .await;
    assert_eq!(done["tables"][0]["label"], "Finance from files", "{done}");
    assert_eq!(rows(&app, "finance.transactions").await, before + 3);
    // The next upload goes there by itself.
    let next = Upload::open(&app).await;
    next.put_fixtures(&[BANK]).await;
    assert_eq!(
        next.check().await["tables"][0]["connectionId"],
        done["tables"][0]["connectionId"]
    );
}
