use std::fmt::Write as _;

use sextant::catalog::{self, Table};
use sextant::statements::import::ExportedColumn;
use sextant::statements::write::{self, AbsentFields, Precedence, Sought};
use sextant::statements::{erase, export, held, import, occupants};
use sextant_actors::domain::Sector;

use super::file;
use crate::support::golden::assert_kept;

/// The table's own fields, under the names that exports use today.
fn exported_columns(table: &Table) -> Vec<ExportedColumn> {
    let fields = table.fields.iter();
    let told = fields.map(|field| ExportedColumn {
        column: field.name,
        name: field.name,
        kind: field.kind,
    });
    told.collect()
}

/// Each statement generated for a table, by name.
fn statements(table: &Table) -> Vec<(String, String)> {
    let mut all = vec![
        (
            "upsert, absent clears".to_owned(),
            write::upsert(table, AbsentFields::Clears, Precedence::Stamps),
        ),
        (
            "upsert, absent stays".to_owned(),
            write::upsert(table, AbsentFields::Stays, Precedence::Stamps),
        ),
        ("tombstone".to_owned(), write::tombstone(table)),
        ("look up".to_owned(), write::look_up(table, Sought::Living)),
        ("export".to_owned(), export::rows(table)),
        ("export of evidence".to_owned(), export::evidence(table)),
        (
            "restore".to_owned(),
            import::insert(table.sector.name(), table.name, &exported_columns(table)),
        ),
    ];
    all.extend(occupants::held(table).map(|held| ("namesakes".to_owned(), held)));
    for field in table.fields {
        let Some(reference) = field.reference else {
            continue;
        };
        let name = field.name;
        all.push((
            format!("tombstone by {name}"),
            write::tombstone_linked(table, field),
        ));
        let parent = catalog::table(table.sector, reference.table).unwrap();
        all.push((
            format!("resolve {name}"),
            write::resolve(table, field, parent),
        ));
    }
    all
}

fn sector(sector: Sector) -> String {
    let mut text = String::new();
    let mut put =
        |name: &str, statement: &str| writeln!(text, "-- {name}\n{statement};\n").unwrap();
    for table in catalog::sector(sector)
        .iter()
        .filter(|table| table.is_stored())
    {
        for (name, statement) in statements(table) {
            put(&format!("{}: {name}", table.target()), &statement);
        }
    }
    for erasure in erase::of_connections(sector) {
        put(
            &format!("erase of connections: {}", erasure.place),
            &erasure.statement,
        );
    }
    put("count before an erase", &erase::count(&[sector]));
    put("count of a connection", &held::count(sector));
    text
}

#[test]
fn the_sql_that_writes_exports_and_erases_is_the_kept_one() {
    for one in Sector::ALL {
        assert_kept(&file(&format!("written/{}.sql", one.name())), &sector(one));
    }
}
