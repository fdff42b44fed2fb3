//! Builds a statement: text from the catalogue, values as `$n`.

use std::fmt::Write as _;

use uuid::Uuid;

use super::{Plan, Statement};
use crate::catalog::Table;
use crate::query::column::{Column, Location};
use crate::query::param::Param;

/// The schema of the sums of other tables' rows.
const SUMS: &str = "sums";

/// Most statements are shorter.
const SQL_BYTES: usize = 1024;

/// What `Watermark::take` takes.
const WATERMARK: &str = "(SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, \
    (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,\n";
/// The same of a table whose tombstones go after a time, and of one that keeps them.
const PURGED: &str = "(SELECT g.history_purged::text FROM public.generations AS g WHERE g.user_id = $1) AS purged,\n";
const NOT_PURGED: &str = "NULL::text AS purged,\n";

/// A statement that is being written. The table's rows are `t`, their connections `c`.
pub(super) struct Builder {
    sql: String,
    params: Vec<Param>,
}

impl Builder {
    /// A statement whose first parameter is the user.
    pub(super) fn new(user: Uuid) -> Self {
        Self {
            sql: String::with_capacity(SQL_BYTES),
            params: vec![Param::Id(user)],
        }
    }

    /// Appends `text`, which never comes from an agent.
    pub(super) fn push(&mut self, text: &str) -> &mut Self {
        self.sql.push_str(text);
        self
    }

    /// Writes the expression that holds a column's value.
    pub(super) fn column(&mut self, column: &Column) -> &mut Self {
        write_column(&mut self.sql, column);
        self
    }

    /// Writes the columns of the statement's own watermark, and a comma. They depend on no row, so each is computed once.
    pub(super) fn push_watermark(&mut self, table: &Table) -> &mut Self {
        let purged = if table.is_purged { PURGED } else { NOT_PURGED };
        self.push(WATERMARK).push(purged)
    }

    /// Binds `param` and writes its number.
    pub(super) fn bind(&mut self, param: Param) -> &mut Self {
        self.params.push(param);
        self.push_number(self.params.len())
    }

    /// Writes the number of `param`, bound once however often it is written.
    pub(super) fn bind_once(&mut self, param: Param) -> &mut Self {
        match self.params.iter().position(|bound| *bound == param) {
            Some(index) => self.push_number(index + 1),
            None => self.bind(param),
        }
    }

    fn push_number(&mut self, number: usize) -> &mut Self {
        let _infallible = write!(self.sql, "${number}");
        self
    }

    /// `FROM` and the conditions that hold for every read. The connection is joined only where its label is used.
    pub(super) fn from(&mut self, table: &Table, with_label: bool) -> &mut Self {
        self.rows_and_tombstones(table, with_label)
            .push(" AND t.deleted_at IS NULL")
    }

    /// The same with the rows that were deleted.
    pub(super) fn rows_and_tombstones(&mut self, table: &Table, with_label: bool) -> &mut Self {
        self.table(table.sector.name(), table.name, with_label)
    }

    /// The same of a table or view of sums of months, which hold no deleted row.
    pub(super) fn sums(&mut self, name: &str, with_label: bool) -> &mut Self {
        self.table(SUMS, name, with_label)
    }

    fn table(&mut self, schema: &str, name: &str, with_label: bool) -> &mut Self {
        self.push("\nFROM ");
        write_identifier(&mut self.sql, schema);
        self.push(".");
        write_identifier(&mut self.sql, name);
        self.push(" AS t");
        if with_label {
            self.join_connections();
        }
        self.push("\nWHERE t.user_id = $1")
    }

    /// Joins the connection of each `t` as `c`.
    pub(super) fn join_connections(&mut self) -> &mut Self {
        self.push("\nJOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id")
    }

    /// The statement as it was written.
    pub(super) fn finish(self, plan: Plan) -> Statement {
        Statement {
            sql: self.sql,
            params: self.params,
            plan,
        }
    }
}

/// A name of the catalogue, quoted.
pub(super) fn identifier(name: &str) -> String {
    let mut quoted = String::with_capacity(name.len() + 2);
    write_identifier(&mut quoted, name);
    quoted
}

/// The catalogue's names hold no quote; doubling one costs less than proving that.
fn write_identifier(sql: &mut String, name: &str) {
    sql.push('"');
    for (index, part) in name.split('"').enumerate() {
        sql.push_str(if index == 0 { "" } else { "\"\"" });
        sql.push_str(part);
    }
    sql.push('"');
}

/// The expression that holds a column's value.
pub(super) fn column_sql(column: &Column) -> String {
    let mut sql = String::new();
    write_column(&mut sql, column);
    sql
}

fn write_column(sql: &mut String, column: &Column) {
    match column.location {
        Location::Stored => {
            sql.push_str("t.");
            write_identifier(sql, column.name);
        }
        Location::Label => sql.push_str("c.label"),
        Location::Synced => sql.push_str("t.synced_at"),
    }
}
