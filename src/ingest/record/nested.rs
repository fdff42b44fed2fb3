//! What a record carries inside itself: its parents, and its parts.

use serde_json::{Map, Value};

use crate::catalog::{self, Part, Table};
use crate::ingest::fields::{NO_PARENT, given_id};
use crate::ingest::identity::sent_id;
use crate::ingest::limits::PARTS_MAX;
use crate::ingest::problem::Fault;
use crate::ingest::row::Row;

use super::Reader;

/// The parents that a record nests.
#[derive(Default)]
pub(super) struct Parents {
    /// By the field of the record that refers to them.
    pub own: Vec<(String, Row)>,
    /// What the parents nest themselves, by the table it goes to: an entity its room.
    pub theirs: Vec<(String, Row)>,
}

impl Reader {
    /// The parents that a record of `table` nests; a parent takes the place of a reference.
    pub(super) fn parents(
        &self,
        table: &'static Table,
        members: &Map<String, Value>,
        row: &mut Row,
    ) -> Result<Parents, Fault> {
        let mut parents = Parents::default();
        let references = table.fields.iter();
        let references = references.filter_map(|field| Some((field, field.reference?)));
        for (field, reference) in references {
            let Some(nested) = reference.nested else {
                continue;
            };
            let Some(sent) = members.get(nested).filter(|sent| !sent.is_null()) else {
                continue;
            };
            let of = catalog::table(table.sector, reference.table);
            let (Some(of), Some(sent)) = (of, sent.as_object()) else {
                return Err(Fault::new(nested, NO_PARENT));
            };
            row.references.retain(|(name, _)| name != field.name);
            let parent = self.parent(of, sent, nested, &mut parents.theirs)?;
            parents.own.push((field.name.to_owned(), parent));
        }
        Ok(parents)
    }

    /// One parent. It names its own parents, which go to `theirs`, as if they had been pushed before it.
    fn parent(
        &self,
        table: &'static Table,
        sent: &Map<String, Value>,
        nested: &str,
        theirs: &mut Vec<(String, Row)>,
    ) -> Result<Row, Fault> {
        let source_id =
            given_id(table, sent)?.ok_or_else(|| Fault::new(nested, "must carry an `id`"))?;
        let inside = |fault: Fault| fault.inside(nested);
        let mut row = self.row(table, sent, source_id).map_err(inside)?;
        let above = self.parents(table, sent, &mut row).map_err(inside)?;
        theirs.extend(above.theirs);
        for (field, parent) in above.own {
            let of = table.field(&field).and_then(|field| field.reference);
            row.references.push((field, parent.source_id.clone()));
            theirs.extend(of.map(|of| (of.table.to_owned(), parent)));
        }
        Ok(row)
    }

    /// One list of parts, if the record has it.
    pub(super) fn part(
        &self,
        part: &Part,
        members: &Map<String, Value>,
        root: &Row,
    ) -> Result<Option<(String, Vec<Row>)>, Fault> {
        let Some(sent) = members.get(part.name).filter(|sent| !sent.is_null()) else {
            return Ok(None);
        };
        let table = catalog::table(self.to.table.sector, part.table);
        let (Some(table), Some(sent)) = (
            table,
            sent.as_array().filter(|sent| sent.len() <= PARTS_MAX),
        ) else {
            return Err(Fault::new(
                part.name,
                format!("must be a list of at most {PARTS_MAX} objects"),
            ));
        };
        let rows = sent
            .iter()
            .enumerate()
            .map(|(ordinal, sent)| self.part_row(part, table, (ordinal, sent), root));
        Ok(Some((
            part.name.to_owned(),
            rows.collect::<Result<_, _>>()?,
        )))
    }

    fn part_row(
        &self,
        part: &Part,
        table: &'static Table,
        (ordinal, sent): (usize, &Value),
        root: &Row,
    ) -> Result<Row, Fault> {
        let place = format!("{}[{ordinal}]", part.name);
        let members = sent
            .as_object()
            .ok_or_else(|| Fault::new(&place, "must be an object"))?;
        let own = match members
            .get("id")
            .or_else(|| members.get("recurrence_id"))
            .or_else(|| members.get("part_id"))
        {
            Some(own) => sent_id(own).map_err(|message| Fault::new(&place, message))?,
            None => ordinal.to_string(),
        };
        let mut members = members.clone();
        members.remove(part.link);
        inherit(table, root, &mut members);
        let mut row = self
            .row(table, &members, format!("{}/{own}", root.source_id))
            .map_err(|fault| fault.inside(&place))?;
        if let Some(link) = table.field(part.link) {
            row.hang_on(root, link);
        }
        Ok(row)
    }
}

/// What a part leaves unsaid of its own time is as in its record: an exception keeps the zone of its series.
fn inherit(table: &Table, root: &Row, members: &mut Map<String, Value>) {
    for name in ["time_zone", "uid"] {
        let (Some(_), Some(value)) = (table.field(name), root.columns.get(name)) else {
            continue;
        };
        members.entry(name).or_insert_with(|| value.clone());
    }
}
