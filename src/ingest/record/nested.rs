//! Objects nested in a record: its parents (an account in a transaction), and its parts (the attachments of a mail).

use serde_json::{Map, Value};

use crate::catalog::{self, Part, Table};
use crate::ingest::fields::{NO_PARENT, given_id};
use crate::ingest::identity::sent_id;
use crate::ingest::limits::PARTS_MAX;
use crate::ingest::problem::FieldFault;
use crate::ingest::row::SectorRow;

use super::RecordReader;

/// The parents nested in a record.
#[derive(Default)]
pub(super) struct NestedParents {
    /// By the field of the record that refers to them.
    pub direct: Vec<(String, SectorRow)>,
    /// Parents nested in those parents, by the name of their table: the room of an entity.
    pub ancestors: Vec<(String, SectorRow)>,
}

impl RecordReader {
    /// The parents nested in a record of `table`; a nested parent replaces a reference by id.
    pub(super) fn read_parents(
        &self,
        table: &'static Table,
        members: &Map<String, Value>,
        row: &mut SectorRow,
    ) -> Result<NestedParents, FieldFault> {
        let mut parents = NestedParents::default();
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
                return Err(FieldFault::new(nested, NO_PARENT));
            };
            row.references.retain(|(name, _)| name != field.name);
            let parent = self.read_parent(of, sent, nested, &mut parents.ancestors)?;
            parents.direct.push((field.name.to_owned(), parent));
        }
        Ok(parents)
    }

    /// One parent. It refers to its own parents by id; they are added to `ancestors`, as if they had been pushed before it.
    fn read_parent(
        &self,
        table: &'static Table,
        sent: &Map<String, Value>,
        nested: &str,
        ancestors: &mut Vec<(String, SectorRow)>,
    ) -> Result<SectorRow, FieldFault> {
        let source_id =
            given_id(table, sent)?.ok_or_else(|| FieldFault::new(nested, "must carry an `id`"))?;
        let inside = |fault: FieldFault| fault.inside(nested);
        let mut row = self.read_row(table, sent, source_id).map_err(inside)?;
        let above = self.read_parents(table, sent, &mut row).map_err(inside)?;
        ancestors.extend(above.ancestors);
        for (field, parent) in above.direct {
            let of = table.field(&field).and_then(|field| field.reference);
            row.references.push((field, parent.source_id.clone()));
            ancestors.extend(of.map(|of| (of.table.to_owned(), parent)));
        }
        Ok(row)
    }

    /// The name and rows of one list of parts, if the record has that list.
    pub(super) fn read_part(
        &self,
        part: &Part,
        members: &Map<String, Value>,
        root: &SectorRow,
    ) -> Result<Option<(String, Vec<SectorRow>)>, FieldFault> {
        let Some(sent) = members.get(part.name).filter(|sent| !sent.is_null()) else {
            return Ok(None);
        };
        let table = catalog::table(self.to.table.sector, part.table);
        let (Some(table), Some(sent)) = (
            table,
            sent.as_array().filter(|sent| sent.len() <= PARTS_MAX),
        ) else {
            return Err(FieldFault::new(
                part.name,
                format!("must be a list of at most {PARTS_MAX} objects"),
            ));
        };
        let rows = sent
            .iter()
            .enumerate()
            .map(|(ordinal, sent)| self.read_part_row(part, table, (ordinal, sent), root));
        Ok(Some((
            part.name.to_owned(),
            rows.collect::<Result<_, _>>()?,
        )))
    }

    fn read_part_row(
        &self,
        part: &Part,
        table: &'static Table,
        (ordinal, sent): (usize, &Value),
        root: &SectorRow,
    ) -> Result<SectorRow, FieldFault> {
        let path = format!("{}[{ordinal}]", part.name);
        let members = sent
            .as_object()
            .ok_or_else(|| FieldFault::new(&path, "must be an object"))?;
        let own_id = match members
            .get("id")
            .or_else(|| members.get("recurrence_id"))
            .or_else(|| members.get("part_id"))
        {
            Some(sent) => sent_id(sent).map_err(|message| FieldFault::new(&path, message))?,
            None => ordinal.to_string(),
        };
        let mut members = members.clone();
        members.remove(part.link);
        inherit(table, root, &mut members);
        let mut row = self
            .read_row(table, &members, format!("{}/{own_id}", root.source_id))
            .map_err(|fault| fault.inside(&path))?;
        if let Some(link) = table.field(part.link) {
            row.link_to(root, link);
        }
        Ok(row)
    }
}

/// Fields that a part takes from its record when it leaves them out: an exception has the zone and UID of its series.
fn inherit(table: &Table, root: &SectorRow, members: &mut Map<String, Value>) {
    for name in ["time_zone", "uid"] {
        let (Some(_), Some(value)) = (table.field(name), root.columns.get(name)) else {
            continue;
        };
        members.entry(name).or_insert_with(|| value.clone());
    }
}
