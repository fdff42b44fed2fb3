use serde_json::json;

use crate::support::TestApp;
use crate::support::database::administer;

#[actix_web::test]
async fn r101_healthz_is_200_while_the_database_answers_and_503_when_it_does_not() {
    let app = TestApp::start().await;
    assert_eq!(app.healthz().await.expect(200), json!({ "status": "ok" }));
    let config = app.database.service_config();
    let name = config.get_dbname().unwrap();
    administer(vec![
        format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"),
        format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
    ])
    .await;
    assert_eq!(
        app.healthz().await.expect(503),
        json!({ "status": "unavailable" })
    );
}
