//! The catalogue equals the schema, and every statement that the compiler can write for it is accepted.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sextant::catalog::{self, Kind, Table};
use sextant::query::check::check_rows;
use sextant::query::column::Column;
use sextant::query::compile::{self, Statement};
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant::query::watermark::Watermark;
use sextant::query::{column, cursor};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::house::now;
use crate::support::TestDatabase;

/// The columns that every sector table has beside the catalogue's fields.
const COMMON: [&str; 11] = [
    "id",
    "user_id",
    "connection_id",
    "source_id",
    "raw",
    "extra",
    "updated_at",
    "synced_at",
    "changed_xid",
    "deleted_at",
    "tsv",
];

fn stored_as(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Integer => "integer",
        Kind::BigInteger => "bigint",
        Kind::Float => "double precision",
        Kind::Decimal { scale: 4 } => "numeric(19,4)",
        Kind::Decimal { .. } => "numeric(28,10)",
        Kind::Boolean => "boolean",
        Kind::Date => "date",
        Kind::Timestamp => "timestamp with time zone",
        Kind::Id => "uuid",
        Kind::Json => "jsonb",
        Kind::TextList => "text[]",
        Kind::IntegerList => "integer[]",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogue_and_the_schema_are_the_same() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    let sql = "SELECT n.nspname || '.' || c.relname, a.attname::text, format_type(a.atttypid, a.atttypmod)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'v') AND a.attnum > 0 AND NOT a.attisdropped";
    let sectors: Vec<&str> = sextant_actors::domain::Sector::ALL
        .iter()
        .map(|sector| sector.name())
        .collect();
    let mut stored: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in owner.query(sql, &[&sectors]).await.unwrap() {
        stored
            .entry(row.get(0))
            .or_default()
            .insert(row.get(1), row.get(2));
    }
    let known: Vec<String> = catalog::tables().map(Table::target).collect();
    assert!(
        stored.keys().all(|target| known.contains(target)),
        "{:?}",
        stored.keys()
    );
    for table in catalog::tables() {
        let columns = stored
            .get(&table.target())
            .unwrap_or_else(|| panic!("{} is not stored", table.target()));
        for field in table.fields {
            let type_name = columns.get(field.name).map(String::as_str);
            assert_eq!(
                type_name,
                Some(stored_as(field.kind)),
                "{}.{}",
                table.target(),
                field.name
            );
        }
        let told = table.fields.iter().map(|field| field.told_column());
        let serving = table.serving_columns().map(|(name, _)| name);
        let further = told.chain(serving).chain([table.removed_column()]);
        let further: Vec<&str> = further.chain(COMMON).collect();
        let unknown = columns
            .keys()
            .find(|name| table.field(name).is_none() && !further.contains(&name.as_str()));
        assert_eq!(unknown, None, "{}", table.target());
        let is_searchable = table.searchable().next().is_some();
        assert_eq!(
            columns.contains_key("tsv"),
            is_searchable,
            "{}",
            table.target()
        );
    }
}

/// Conditions and keys are compiled for monthly sums as for rows, so the columns must have the same names and types.
#[tokio::test(flavor = "multi_thread")]
async fn sums_of_months_have_the_columns_of_the_rows() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    let sql = "SELECT format_type(atttypid, NULL) FROM pg_attribute
        WHERE attrelid = $1::text::regclass AND attname = $2::text AND attnum > 0";
    for table in catalog::tables() {
        let Some(months) = table.months else { continue };
        let own = ["user_id", "connection_id", months.day, months.amount];
        for name in own.into_iter().chain(months.alike.iter().copied()) {
            let mut types = Vec::new();
            for place in [table.target(), format!("sums.{}", months.name)] {
                let row = owner.query_one(sql, &[&place, &name]).await.unwrap();
                types.push(row.get::<_, String>(0));
            }
            assert_eq!(types[0], types[1], "{name}");
        }
    }
}

fn time() -> LocalTime {
    LocalTime {
        now: now(),
        zone: chrono_tz::UTC,
    }
}

fn compiled(arguments: &Value) -> Vec<Statement> {
    let checked = check_rows(&Request::parse(arguments).unwrap(), OPERATOR, &time())
        .unwrap_or_else(|fault| panic!("{arguments}: {}", fault.say(arguments)));
    vec![
        compile::rows(&checked, 300),
        compile::count(&checked),
        compile::exists(&checked.scope),
    ]
}

/// Every operator that the kind supports, with a value.
fn conditions(column: &Column) -> Vec<(&'static str, Value)> {
    let kind = column.kind;
    let value = match kind {
        Kind::Text if !column.values.is_empty() => json!(column.values[0]),
        Kind::Text | Kind::Json | Kind::TextList => json!("x"),
        Kind::Integer | Kind::BigInteger | Kind::IntegerList => json!(1),
        Kind::Float | Kind::Decimal { .. } => json!(1.5),
        Kind::Boolean => json!(true),
        Kind::Date => json!("2026-01-01"),
        Kind::Timestamp => json!("2026-01-01T00:00:00Z"),
        Kind::Id => json!(Uuid::nil()),
    };
    let list = json!([value, null]);
    let mut conditions = vec![
        ("eq", value.clone()),
        ("ne", value.clone()),
        ("in", list.clone()),
        ("not_in", list),
        ("is_null", json!(true)),
    ];
    if !matches!(
        kind,
        Kind::Json | Kind::TextList | Kind::IntegerList | Kind::Id | Kind::Boolean
    ) {
        conditions.extend(["lt", "lte", "gt", "gte"].map(|operator| (operator, value.clone())));
    }
    if matches!(kind, Kind::Text | Kind::Json | Kind::TextList) {
        conditions.extend(["contains", "starts_with"].map(|operator| (operator, value.clone())));
    }
    conditions
}

fn key(kind: Kind) -> Option<Param> {
    Some(match kind {
        Kind::Integer | Kind::BigInteger => Param::Integer(1),
        Kind::Float => Param::Float(1.5),
        Kind::Decimal { .. } => Param::Decimal("1.5".parse().unwrap()),
        Kind::Boolean => Param::Boolean(true),
        Kind::Date => Param::Date("2026-01-01".parse().unwrap()),
        Kind::Timestamp => Param::Time(now()),
        Kind::Id => Param::Id(Uuid::nil()),
        _ => Param::Text("x".into()),
    })
}

/// All statements of one table: each operator on each column, each order from its first page and from a later one.
fn statements(table: &Table) -> Vec<Statement> {
    let target = table.target();
    let mut all = compiled(&json!({"target": target}));
    if table.searchable().next().is_some() {
        all.extend(compiled(
            &json!({"target": target, "search": "a \"b c\" -d or e"}),
        ));
    }
    for column in column::all(table) {
        for (operator, value) in conditions(&column) {
            let filter = json!({column.name: {operator: value}});
            all.extend(compiled(
                &json!({"target": target, "select": ["id"], "where": filter}),
            ));
        }
        for name in [column.name.to_owned(), format!("-{}", column.name)] {
            if !column.is_orderable() {
                continue;
            }
            let mut arguments = json!({"target": target, "order_by": [name]});
            let request = Request::parse(&arguments).unwrap();
            let mut keys = vec![key(column.kind)];
            keys.extend((column.name != "id").then(|| key(Kind::Id)));
            arguments["cursor"] = json!(
                cursor::encode(&cursor::digest(&request), &keys, &Watermark::default()).unwrap()
            );
            all.extend(compiled(&arguments));
        }
    }
    all.extend(compile::coverage(OPERATOR, table));
    all.push(compile::counts(OPERATOR, &[table]));
    all.push(compile::record(OPERATOR, table, Uuid::nil(), true));
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn every_compiled_statement_of_every_table_is_accepted() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    let mut accepted = 0;
    for table in catalog::tables() {
        for statement in statements(table) {
            let types: Vec<Type> = statement.params.iter().map(Param::sql_type).collect();
            let prepared = owner.prepare_typed(&statement.sql, &types).await;
            assert!(prepared.is_ok(), "{}\n{:?}", statement.sql, prepared.err());
            accepted += 1;
        }
    }
    assert!(accepted > 1000, "{accepted}");
}
