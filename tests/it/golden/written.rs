use std::fmt::Write as _;

use sextant::catalog::{self, Table};
use sextant::statements::import::ExportedColumn;
use sextant::statements::write::{self, AbsentFields, Precedence, Sought};
use sextant::statements::{erase, export, held, import, occupants, served_once};
use sextant_actors::domain::Sector;

use super::file;
use crate::support::golden::assert_kept;

/// The table's own fields, under the names that exports use today.
fn exported_columns(table: &Table) -> Vec<ExportedColumn> {
    let fields = table.fields.iter();
    let told = fields.map(|field| ExportedColumn {
        column: field.told_column(),
        name: field.name,
        kind: field.kind,
    });
    told.collect()
}

/// Those that say which of several equal rows is served.
fn serving(table: &Table) -> Vec<(String, String)> {
    let named = |name: &str, statement| (name.to_owned(), statement);
    if !table.is_served_once {
        return Vec::new();
    }
    let mut all = vec![
        named("hide", served_once::hide(table)),
        named("release what is erased", served_once::release_erased(table)),
    ];
    for account in table.fields.iter().filter_map(|field| field.split) {
        all.extend([
            named("touched", served_once::touched(table, account)),
            named("merge", served_once::merge(table, account)),
            named("release", served_once::release(table, account)),
            named(
                "release strays",
                served_once::release_strays(table, account),
            ),
        ]);
    }
    all
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
    all.extend(serving(table));
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
