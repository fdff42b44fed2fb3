//! `get_schema`: the tables and fields that can be queried, a sector in at most 1,500 tokens.
//!
//! What depends on the user's rows (counts, the time covered, the values of kinds) is the same for the same rows.

mod describe;
mod examples;

use serde_json::{Map, Value, json};
use sextant_actors::domain::{EscapedText, SectorSet};

use self::describe::describe;
use super::context::CallContext;
use super::verdict::{CallFailure, ToolAnswer};
use crate::catalog::{self, Table};
use crate::query::arguments::{object, refuse_unknown, text};
use crate::query::budget::TOKEN_BYTES;
use crate::query::check;
use crate::query::column;
use crate::query::effort::Effort;
use crate::query::fault::CallFault;
use crate::query::run::{self, Coverage};

/// The tokens that a sector may take (docs/asking.md#get_schema).
const SECTOR_TOKENS_MAX: usize = 1500;
/// Bytes around the tables.
const FRAME_BYTES: usize = 130;
/// Values listed of each kind: all that are kept, or fewer where the sector would be too long.
const VALUES_MAX: [usize; 5] = [8, 5, 3, 1, 0];

/// The table of the target; without one, all tables of the `granted` sectors.
pub(super) fn read(
    arguments: &Value,
    granted: SectorSet,
) -> Result<Vec<&'static Table>, CallFault> {
    let map = object(arguments)?;
    refuse_unknown(map, &["target"])?;
    match text(map, "target")? {
        Some(target) if target.contains('.') => Ok(vec![check::table(&target)?]),
        _ => Ok(granted.iter().flat_map(catalog::sector).collect()),
    }
}

pub(super) async fn run(
    context: &CallContext<'_>,
    tables: &[&'static Table],
) -> Result<ToolAnswer, CallFailure> {
    let coverage = if tables.is_empty() {
        Vec::new()
    } else {
        // What is kept, and the ends of indexes.
        let mut reader = context.reader(Effort::Cheap).await?;
        run::coverage(&mut reader, context.caller.user, tables).await?
    };
    let covered: Vec<(&Table, &Coverage)> = tables.iter().copied().zip(&coverage).collect();
    let of_one_sector = covered.chunk_by(|one, next| one.0.sector == next.0.sector);
    let described: Vec<Value> = of_one_sector.flat_map(sector).collect();
    let answer = json!({
        "every_record": every_record(),
        "tables": described,
    });
    Ok(ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: Some(tables.len()),
    })
}

/// What every record has, with its kind.
fn every_record() -> Map<String, Value> {
    let common = column::COMMON.iter();
    common
        .map(|column| (column.name.to_owned(), column.kind.name().into()))
        .collect()
}

/// The tables of one sector, with as many values as there is room for.
fn sector(tables: &[(&Table, &Coverage)]) -> Vec<Value> {
    let mut described = Vec::new();
    for values_max in VALUES_MAX {
        let each = tables.iter();
        described = each
            .map(|(table, coverage)| describe(table, coverage, values_max))
            .collect();
        let bytes: usize = described
            .iter()
            .map(|table: &Value| table.to_string().len() + 1)
            .sum();
        if bytes + FRAME_BYTES < SECTOR_TOKENS_MAX * TOKEN_BYTES {
            break;
        }
    }
    described
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::page::FieldValues;
    use sextant_actors::domain::Sector;

    /// However long the values are, and however many.
    #[test]
    fn a_sector_fits_into_1500_tokens() {
        let full = |table: &'static Table| Coverage {
            rows: 12_345_678,
            is_estimated: !table.is_stored(),
            span: Some(("2016-01-01".into(), "2026-12-31".into())),
            kinds: table
                .fields
                .iter()
                .filter(|field| field.is_kind)
                .map(|field| FieldValues {
                    field: field.name,
                    values: vec!["😀".repeat(40); 8],
                    total: 12_345,
                })
                .collect(),
        };
        for of in Sector::ALL {
            let tables = catalog::sector(of);
            let coverage: Vec<Coverage> = tables.iter().map(full).collect();
            let covered: Vec<_> = tables.iter().zip(&coverage).collect();
            let bytes = json!({"every_record": every_record(), "tables": sector(&covered)})
                .to_string()
                .len();
            assert!(
                bytes < SECTOR_TOKENS_MAX * TOKEN_BYTES,
                "{of}: {bytes} bytes"
            );
        }
    }
}
