//! What a record carries inside itself: its parents, and its parts.

use serde_json::{Map, Value};

use crate::catalog::{self, Kind, Part, Table};
use crate::ingest::fields::given_id;
use crate::ingest::identity::sent_id;
use crate::ingest::limits::PARTS_MAX;
use crate::ingest::problem::Fault;
use crate::ingest::row::Row;

use super::Reader;

impl Reader {
    /// The parents it nests, by the field that refers to them; a parent takes the place of a reference.
    pub(super) fn parents(
        &self,
        members: &Map<String, Value>,
        row: &mut Row,
    ) -> Result<Vec<(String, Row)>, Fault> {
        let mut parents = Vec::new();
        for (field, reference) in self
            .table
            .fields
            .iter()
            .filter_map(|field| Some((field, field.reference?)))
        {
            let Some((nested, sent)) = reference
                .nested
                .and_then(|nested| Some((nested, members.get(nested)?)))
            else {
                continue;
            };
            let (Some(table), Some(sent)) = (
                catalog::table(self.table.sector, reference.table),
                sent.as_object(),
            ) else {
                return Err(Fault::new(nested, "must be an object with an `id`"));
            };
            let source_id =
                given_id(table, sent)?.ok_or_else(|| Fault::new(nested, "must carry an `id`"))?;
            row.references.retain(|(name, _)| name != field.name);
            parents.push((
                field.name.to_owned(),
                self.row(table, sent, source_id)
                    .map_err(|fault| fault.inside(nested))?,
            ));
        }
        Ok(parents)
    }

    /// One list of parts, if the record has it.
    pub(super) fn part(
        &self,
        part: &Part,
        members: &Map<String, Value>,
        root: &Row,
    ) -> Result<Option<(String, Vec<Row>)>, Fault> {
        let Some(sent) = members.get(part.name) else {
            return Ok(None);
        };
        let table = catalog::table(self.table.sector, part.table);
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
        let link = match table.field(part.link).map(|field| field.kind) {
            Some(Kind::Id) => root.id.to_string(),
            _ => root.source_id.clone(),
        };
        row.columns
            .insert(part.link.to_owned(), Value::String(link));
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
