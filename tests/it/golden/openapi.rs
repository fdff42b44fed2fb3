use super::file;
use crate::support::TestApp;
use crate::support::golden::assert_kept_json;

#[actix_web::test]
async fn r102_the_document_is_the_kept_one() {
    let app = TestApp::start().await;
    let document = app.get("/api/openapi.json").await.expect(200);
    assert_kept_json(&file("openapi.json"), &document);
}
