//! Two hundred thousand transactions of fifty accounts, and a hundred thousand mails: the same in each run.

use super::service::Service;

const FILL: &str = include_str!("data.sql");

/// Fills the service's database, directly: how fast pushes are stored is another benchmark.
pub async fn fill(service: &Service) {
    let finance = service.connection("finance.transactions").await;
    let mail = service.connection("mail.messages").await;
    let client = service.database().await;
    let sql = FILL.replace("{finance}", &finance).replace("{mail}", &mail);
    client.batch_execute(&sql).await.unwrap();
    // VACUUM cannot run in a transaction, and so not with other statements.
    client.batch_execute("VACUUM ANALYZE").await.unwrap();
}
