//! The parts of a bundle that are stored, ordered so that every row comes after the rows it refers to, and the fields that their
//! lines may have.

use sextant_actors::domain::Sector;

use crate::catalog::{FORMER_UPDATED_AT, Kind, Table, UPDATED_AT};
use crate::export::contents::is_of_version;
use crate::export::manifest::{FORMER_NAMES, Manifest};
use crate::statements::import::ExportedColumn;
use crate::statements::{export, import};

/// Which names the fields of a bundle have: those of version 1 of the format, or the current ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Those of version 1.
    Former,
    Present,
}

impl Names {
    /// By the version in the manifest.
    pub(super) fn of(manifest: &Manifest) -> Self {
        match manifest.version {
            FORMER_NAMES => Self::Former,
            _ => Self::Present,
        }
    }

    /// A column with the name that it has in the bundle's lines.
    const fn column(
        self,
        column: &'static str,
        formerly: Option<&'static str>,
        kind: Kind,
    ) -> ExportedColumn {
        let name = match (self, formerly) {
            (Self::Former, Some(former)) => former,
            _ => column,
        };
        ExportedColumn { column, name, kind }
    }
}

/// One table's entry.
#[derive(Clone, Debug)]
pub(super) struct ImportPart {
    /// As the manifest names it.
    pub table: String,
    /// The SQL that stores the lines of the JSON array `$2` for the user `$1`.
    pub statement: String,
    /// The columns that a line may fill, with their names in the lines.
    pub columns: Vec<ExportedColumn>,
    /// Whether its rows are counted in [`Imported::tables`](super::Imported::tables).
    pub is_data: bool,
}

impl ImportPart {
    /// The name of its entry.
    pub(super) fn entry(&self) -> String {
        format!("{}.jsonl", self.table)
    }
}

/// The table of sign-ins.
pub(super) const SIGN_INS: &str = "sign_ins";
/// The table of connections.
pub(super) const CONNECTIONS: &str = "connections";
/// The table of agents; it is stored last.
pub(super) const AGENTS: &str = "agents";
/// Storing accounts also writes the balances they state; the bundle's own rows replace those.
pub(super) const STATED_BALANCES: &str = "evidence.balances";

const UUID: Kind = Kind::Id;

/// Columns that every sector table has beside the catalogue's.
const COMMON: [(&str, Option<&str>, Kind); 7] = [
    ("id", None, UUID),
    ("connection_id", None, UUID),
    ("source_id", None, Kind::Text),
    ("raw", None, Kind::Json),
    ("extra", None, Kind::Json),
    (UPDATED_AT, Some(FORMER_UPDATED_AT), Kind::Timestamp),
    ("synced_at", None, Kind::Timestamp),
];

/// The parts of a bundle of this version.
pub(super) fn of_bundle(manifest: &Manifest) -> Vec<ImportPart> {
    let mut parts = parts(manifest.sector, Names::of(manifest));
    parts.retain(|part| is_of_version(&part.table, manifest.version));
    parts
}

/// The parts of a bundle of everything, or of one sector; agents last.
pub(super) fn parts(sector: Option<Sector>, names: Names) -> Vec<ImportPart> {
    let belongs = |of: Sector| sector.is_none_or(|sector| sector == of);
    let mut parts = vec![
        own_table(
            SIGN_INS,
            include_str!("../../sql/statements/import/sign_ins.sql"),
            &SIGN_IN_COLUMNS,
        ),
        own_table(
            CONNECTIONS,
            include_str!("../../sql/statements/import/connections.sql"),
            &CONNECTION_COLUMNS,
        ),
    ];
    for sector in Sector::ALL.into_iter().filter(|sector| belongs(*sector)) {
        let tables = export::parents_first(sector).into_iter();
        parts.extend(tables.flat_map(|table| sector_parts(table, names)));
    }
    if belongs(Sector::Finance) {
        parts.push(ImportPart {
            is_data: true,
            ..own_table(
                STATED_BALANCES,
                include_str!("../../sql/statements/import/balances.sql"),
                &BALANCE_COLUMNS,
            )
        });
        parts.push(own_table(
            "evidence.account_pairs",
            include_str!("../../sql/statements/import/account_pairs.sql"),
            &PAIR_COLUMNS,
        ));
    }
    parts.push(own_table(
        "pending_references",
        include_str!("../../sql/statements/import/pending_references.sql"),
        &REFERENCE_COLUMNS,
    ));
    parts.push(own_table(
        "sync_cursors",
        include_str!("../../sql/statements/import/sync_cursors.sql"),
        &CURSOR_COLUMNS,
    ));
    parts.push(own_table(
        "source_items",
        include_str!("../../sql/statements/import/source_items.sql"),
        &ITEM_COLUMNS,
    ));
    parts.push(own_table(
        AGENTS,
        include_str!("../../sql/statements/import/agents.sql"),
        &AGENT_COLUMNS,
    ));
    parts
}

/// A sector's table; for a merged one, whose rows are made of pushed rows and others, also the table of the pushed rows.
fn sector_parts(table: &'static Table, names: Names) -> Vec<ImportPart> {
    let columns = columns(table, names);
    let part = |schema: &str| ImportPart {
        table: format!("{schema}.{}", table.name),
        statement: import::insert(schema, table.name, &columns),
        columns: columns.clone(),
        is_data: true,
    };
    let own = part(table.sector.name());
    match table.is_merged {
        true => vec![own, part(import::EVIDENCE)],
        false => vec![own],
    }
}

fn columns(table: &Table, names: Names) -> Vec<ExportedColumn> {
    let common = COMMON.map(|(column, formerly, kind)| names.column(column, formerly, kind));
    let fields = table.fields.iter();
    let own = fields.map(|field| ExportedColumn {
        column: field.told_column(),
        ..names.column(field.name, field.formerly, field.kind)
    });
    let removed = ExportedColumn {
        column: table.removed_column(),
        ..names.column("deleted_at", None, Kind::Timestamp)
    };
    let serving = table.serving_columns();
    let serving = serving.map(|(column, kind)| names.column(column, None, kind));
    common
        .into_iter()
        .chain(own)
        .chain([removed])
        .chain(serving)
        .collect()
}

fn own_table(table: &str, statement: &str, columns: &[(&'static str, Kind)]) -> ImportPart {
    let columns = columns.iter();
    ImportPart {
        table: table.to_owned(),
        statement: statement.to_owned(),
        columns: columns
            .map(|(column, kind)| Names::Present.column(column, None, *kind))
            .collect(),
        is_data: false,
    }
}

const SIGN_IN_COLUMNS: [(&str, Kind); 9] = [
    ("id", UUID),
    ("provider", Kind::Text),
    ("identity", Kind::Text),
    ("account", Kind::Text),
    ("scopes", Kind::TextList),
    ("created_at", Kind::Timestamp),
    ("expires_at", Kind::Timestamp),
    ("revoked_at", Kind::Timestamp),
    ("problem", Kind::Json),
];

const CONNECTION_COLUMNS: [(&str, Kind); 18] = [
    ("id", UUID),
    ("provider", Kind::Text),
    ("label", Kind::Text),
    ("sector", Kind::Text),
    ("target_table", Kind::Text),
    ("config", Kind::Json),
    ("paused_at", Kind::Timestamp),
    ("removed_at", Kind::Timestamp),
    ("interval_s", Kind::Integer),
    ("window_days", Kind::Integer),
    ("health", Kind::Text),
    ("problem", Kind::Json),
    ("retry_at", Kind::Timestamp),
    ("wished_until", Kind::Timestamp),
    ("last_success_at", Kind::Timestamp),
    ("created_at", Kind::Timestamp),
    ("expires_at", Kind::Timestamp),
    ("sign_in_id", UUID),
];

const ITEM_COLUMNS: [(&str, Kind); 8] = [
    ("connection_id", UUID),
    ("scope", Kind::Text),
    ("key", Kind::Text),
    ("version", Kind::Text),
    ("at", Kind::Timestamp),
    ("holds", Kind::Text),
    ("records", Kind::Json),
    ("seen_at", Kind::Timestamp),
];

const AGENT_COLUMNS: [(&str, Kind); 5] = [
    ("name", Kind::Text),
    ("sectors", Kind::TextList),
    ("created_at", Kind::Timestamp),
    ("revoked_at", Kind::Timestamp),
    ("expires_at", Kind::Timestamp),
];

const BALANCE_COLUMNS: [(&str, Kind); 5] = [
    ("account_id", UUID),
    ("stated_at", Kind::Timestamp),
    ("current", Kind::Decimal { scale: 4 }),
    ("available", Kind::Decimal { scale: 4 }),
    ("currency", Kind::Text),
];

const PAIR_COLUMNS: [(&str, Kind); 12] = [
    ("id", UUID),
    ("state", Kind::Text),
    ("answered_by", Kind::Text),
    ("reason", Kind::Text),
    ("asked_at", Kind::Timestamp),
    ("answered_at", Kind::Timestamp),
    ("first_account", UUID),
    ("first_connection", UUID),
    ("first_key", Kind::Text),
    ("second_account", UUID),
    ("second_connection", UUID),
    ("second_key", Kind::Text),
];

const REFERENCE_COLUMNS: [(&str, Kind); 6] = [
    ("connection_id", UUID),
    ("parent_target", Kind::Text),
    ("parent_source_id", Kind::Text),
    ("child_target", Kind::Text),
    ("child_id", UUID),
    ("field", Kind::Text),
];

const CURSOR_COLUMNS: [(&str, Kind); 8] = [
    ("connection_id", UUID),
    ("scope", Kind::Text),
    ("cursor", Kind::Json),
    ("doubted_at", Kind::Timestamp),
    ("window_start", Kind::Timestamp),
    ("window_end", Kind::Timestamp),
    ("full_sync_at", Kind::Timestamp),
    ("updated_at", Kind::Timestamp),
];
