//! Two hundred thousand transactions of fifty accounts, and a hundred thousand mails: the same in each run.

use uuid::Uuid;

use super::service::Service;

const FILL: &str = include_str!("data.sql");
/// Each is in a ninth of all mails.
const WORDS: [&str; 9] = [
    "invoice", "meeting", "holiday", "dentist", "garden", "concert", "train", "recipe", "library",
];

/// The id of an existing account.
pub fn account(number: usize) -> Uuid {
    id('a', number + 1)
}

/// The id of an existing transaction.
pub fn transaction(number: usize) -> Uuid {
    id('d', (number + 1) * 1000)
}

/// A word that is in many mails.
pub fn word(number: usize) -> &'static str {
    WORDS.get(number).copied().unwrap()
}

/// The id that `data.sql` gives it.
fn id(kind: char, number: usize) -> Uuid {
    format!("{kind}0000000-0000-4000-8000-{number:012}")
        .parse()
        .unwrap()
}

/// Fills the service's database directly: how fast pushes are stored is another benchmark.
pub async fn fill(service: &Service) {
    let finance = service.connection("finance.transactions").await;
    let mail = service.connection("mail.messages").await;
    let client = service.database().await;
    let sql = FILL.replace("{finance}", &finance).replace("{mail}", &mail);
    client.batch_execute(&sql).await.unwrap();
    // VACUUM cannot run in a transaction, and so not with other statements.
    client.batch_execute("VACUUM ANALYZE").await.unwrap();
}
