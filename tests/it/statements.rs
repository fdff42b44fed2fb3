//! Every statement is prepared against the migrated schema, in place of a check of SQL at compile time.

use std::fs;
use std::path::{Path, PathBuf};

use sextant::catalog::{self, Table};
use sextant::statements::export;
use sextant::statements::import::ExportedColumn;
use sextant::statements::write::{self, AbsentFields, Precedence, Sought};
use sextant::statements::{erase, held, import, occupants};

use crate::support::TestDatabase;

/// Statements about roles, databases and connections, which only the superuser may run, or which are several.
const OF_THE_CLUSTER: [&str; 3] = ["cluster", "reader", "server"];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[actix_web::test]
async fn every_fixed_statement_fits_the_schema() {
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sql/statements");
    let mut prepared = 0;
    for file in files(&root) {
        let folder = file
            .strip_prefix(&root)
            .unwrap()
            .iter()
            .next()
            .unwrap()
            .to_str()
            .unwrap();
        if OF_THE_CLUSTER.contains(&folder) {
            continue;
        }
        let statement = fs::read_to_string(&file).unwrap();
        client
            .prepare(&statement)
            .await
            .unwrap_or_else(|error| panic!("{}: {error:?}", file.display()));
        prepared += 1;
    }
    assert!(prepared > 20, "{prepared}");
}

/// The table's fields by the names in exported lines: those of version 1 if `former`.
fn exported_columns(table: &Table, former: bool) -> Vec<ExportedColumn> {
    let fields = table.fields.iter();
    let told = fields.map(|field| ExportedColumn {
        column: field.told_column(),
        name: field.formerly.filter(|_| former).unwrap_or(field.name),
        kind: field.kind,
    });
    told.collect()
}

#[actix_web::test]
async fn every_written_table_takes_the_statements_made_for_it() {
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let mut statements = vec![
            export::rows(table),
            export::evidence(table),
            write::upsert(table, AbsentFields::Clears, Precedence::Stamps),
            write::upsert(table, AbsentFields::Stays, Precedence::Stamps),
            write::tombstone(table),
            write::look_up(table, Sought::Living),
            write::look_up(table, Sought::Any),
            import::insert(
                table.sector.name(),
                table.name,
                &exported_columns(table, false),
            ),
            import::insert(
                table.sector.name(),
                table.name,
                &exported_columns(table, true),
            ),
        ];
        statements.extend(occupants::held(table));
        statements.push(erase::count(&[table.sector]));
        statements.push(held::count(table.sector));
        let erasures = erase::of_connections(table.sector).into_iter();
        statements.extend(erasures.map(|erasure| erasure.statement));
        statements.extend(
            table
                .fields
                .iter()
                .map(|field| write::tombstone_linked(table, field)),
        );
        for field in table.fields {
            let parent = field
                .reference
                .and_then(|reference| catalog::table(table.sector, reference.table));
            statements.extend(parent.map(|parent| write::resolve(table, field, parent)));
        }
        for statement in statements {
            client
                .prepare(&statement)
                .await
                .unwrap_or_else(|error| panic!("{}: {error:?}\n{statement}", table.target()));
        }
    }
}
