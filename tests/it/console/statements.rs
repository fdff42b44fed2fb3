use sextant::query::compile::erase;
use sextant::store::{agents, audit, audit_hourly, audit_read, connections};
use sextant_actors::domain::Sector;

use crate::support::TestDatabase;

#[actix_web::test]
async fn every_statement_of_the_stores_fits_the_schema() {
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    let erasing: Vec<String> = Sector::ALL
        .into_iter()
        .flat_map(erase::of_connection)
        .collect();
    let statements = agents::STATEMENTS
        .into_iter()
        .chain(audit::STATEMENTS)
        .chain(audit_hourly::STATEMENTS)
        .chain(audit_read::STATEMENTS)
        .chain(connections::STATEMENTS)
        .chain(erasing.iter().map(String::as_str));
    for statement in statements {
        let prepared = client.prepare(statement).await;
        assert!(prepared.is_ok(), "{statement}\n{:?}", prepared.err());
    }
}
