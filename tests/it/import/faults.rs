//! An import over a database that fails in the middle: all or nothing is stored, and the answer says what is known.

use serde_json::json;

use super::{assert_nothing_came, export, import};
use crate::faults::Faulty;
use crate::support::TestApp;
use crate::support::planted::plant_everywhere;
use crate::support::postgres_proxy::{Act, When};

const STORING: &str = r#"INSERT INTO "mail"."messages""#;

#[actix_web::test]
async fn an_import_that_the_database_leaves_in_the_middle_brings_nothing() {
    let old = TestApp::start().await;
    plant_everywhere(&old).await;
    let bundle = export(&old).await;
    let faulty = Faulty::start().await;
    for (when, act) in [
        (When::Statement(STORING), Act::CutBefore),
        (When::Statement(STORING), Act::Refuse("53100")),
        (
            When::Statement("INSERT INTO pending_references"),
            Act::HangUp("57P01"),
        ),
        (When::CommitAfter(STORING), Act::CutBefore),
        (When::CommitAfter(STORING), Act::Refuse("53100")),
    ] {
        let fault = faulty.way.inject(when, act, 1);
        import(&faulty.app, bundle.clone()).await.expect(503);
        assert_eq!(fault.count(), 1, "{when:?} {act:?}");
        assert_nothing_came(&faulty.app).await;
        assert_eq!(faulty.app.connections().await, json!([]));
    }
    // A transaction that conflicts with another is retried.
    faulty
        .way
        .inject(When::Statement(STORING), Act::Refuse("40001"), 1);
    import(&faulty.app, bundle).await.expect(200);
}

#[actix_web::test]
async fn an_import_whose_commit_is_not_answered_says_that_it_may_have_been_made() {
    let old = TestApp::start().await;
    plant_everywhere(&old).await;
    old.key_of("laptop", &["mail"]).await;
    let bundle = export(&old).await;
    let faulty = Faulty::start().await;
    let lost = faulty
        .way
        .inject(When::CommitAfter(STORING), Act::LoseAnswer, 1);
    let answer = import(&faulty.app, bundle).await.expect(503);
    assert_eq!(lost.count(), 1);
    let said = answer["message"].as_str().unwrap();
    assert!(
        said.contains("all of it was imported, or nothing"),
        "{said}"
    );
    let came = faulty.app.connections().await;
    assert_eq!(
        came.as_array().unwrap().len(),
        old.connections().await.as_array().unwrap().len()
    );
    assert!(
        faulty
            .app
            .published(came[0]["id"].as_str().unwrap())
            .is_some(),
        "it is published"
    );
    assert_eq!(
        faulty.app.get("/api/agents").await.expect(200)["agents"][0]["name"],
        "laptop"
    );
}
