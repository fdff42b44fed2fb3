use serde_json::json;

use crate::support::TestApp;

#[actix_web::test]
async fn r101_healthz_is_200_while_the_database_answers_and_503_when_it_does_not() {
    let app = TestApp::start().await;
    assert_eq!(app.healthz().await.expect(200), json!({ "status": "ok" }));
    app.lose_database().await;
    assert_eq!(
        app.healthz().await.expect(503),
        json!({ "status": "unavailable" })
    );
}

#[actix_web::test]
async fn a_route_that_needs_the_database_says_that_it_is_away() {
    let app = TestApp::start().await;
    app.lose_database().await;
    app.get("/api/connections")
        .await
        .expect_problem(503, "unavailable", None);
    app.get("/api/audit")
        .await
        .expect_problem(503, "unavailable", None);
    let body = json!({ "name": "laptop", "sectors": [] });
    app.create_agent(body)
        .await
        .expect_problem(503, "unavailable", None);
}
