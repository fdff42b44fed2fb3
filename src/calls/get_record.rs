//! `get_record`: every field of one record, long texts whole as far as one answer goes; or one field, from a byte of its text on.

mod cut;

use serde_json::{Map, Value, json};
use sextant_actors::domain::{EscapedText, Sector};
use uuid::Uuid;

use self::cut::{CutField, PastEnd, ShownField, ShownRecord};
use super::context::{CallContext, nonce};
use super::verdict::{CallFailure, ToolAnswer};
use crate::catalog::{self, Table};
use crate::query::answer::{self, AnswerError};
use crate::query::arguments::{flag, object, refuse_unknown, text, whole_number};
use crate::query::behind::{self, HiddenRow};
use crate::query::cell::CellValue;
use crate::query::column::{self, Column, SOURCE_COLUMNS};
use crate::query::effort::Effort;
use crate::query::fault::{CallFault, quoted};
use crate::query::json_object::JsonObject;
use crate::query::nearest::nearest;
use crate::query::raw_row::RawRow;
use crate::query::sources::SourceStanding;
use crate::query::{check, run};

const ARGUMENTS: &[&str] = &["target", "id", "raw", "field", "from"];
/// Longest answer, in bytes (docs/asking.md#get_record).
pub(super) const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// The most of them that the list of sources takes.
const SOURCES_BYTES_MAX: usize = ANSWER_BYTES_MAX / 8;
/// The most of them that the rows behind a record take.
const BEHIND_BYTES_MAX: usize = ANSWER_BYTES_MAX / 8;

/// The arguments of `get_record`.
pub(super) struct RecordRequest {
    /// The tables to look in: one, or with a bare sector all of it, since ids are unique within a sector.
    pub(super) tables: Vec<&'static Table>,
    id: Uuid,
    raw: bool,
    part: Option<FieldPart>,
}

/// One field, and the byte of its text from which it is read.
struct FieldPart {
    field: String,
    from: usize,
}

pub(super) async fn run(
    context: &CallContext<'_>,
    request: &RecordRequest,
) -> Result<ToolAnswer, CallFailure> {
    let (mut reader, user) = (context.reader(Effort::Cheap).await?, context.caller.user);
    let sector = request.tables.first().map(|table| table.sector);
    let published = sector.and_then(|sector| context.published_sources(sector));
    let wanted = (request.tables.as_slice(), request.id, request.raw);
    let (sources, mut found) = run::record(&mut reader, user, wanted, published).await?;
    let mut id = request.id;
    if found.is_none() {
        let hidden = (request.tables.as_slice(), request.id);
        if let Some(served) = behind::served_in_place(&mut reader, user, hidden).await? {
            let wanted = (request.tables.as_slice(), served, request.raw);
            let known = Some(sources.clone());
            (id, found) = (
                served,
                run::record(&mut reader, user, wanted, known).await?.1,
            );
        }
    }
    let hidden = match &found {
        Some((table, _)) if request.raw && request.part.is_none() => {
            behind::behind(&mut reader, user, (table, id)).await?
        }
        _ => Vec::new(),
    };
    // Writing the answer needs no connection.
    drop(reader);
    let now = context.time.now;
    let sources = sources.iter().map(|source| source.standing(now));
    let mut sources = FittingSources::of(sources)?;
    let hidden = FittingRows::of(hidden, &mut sources.notes)?;
    Ok(match found {
        Some((table, record)) => found_answer(table, (request, id), &record, (sources, hidden))?,
        None => missing_answer(request, &sources),
    })
}

pub(super) fn read(arguments: &Value) -> Result<RecordRequest, CallFault> {
    let map = object(arguments)?;
    refuse_unknown(map, ARGUMENTS)?;
    let target = text(map, "target")?.ok_or_else(|| missing("target"))?;
    let id = text(map, "id")?.ok_or_else(|| missing("id"))?;
    let tables = match target.parse::<Sector>() {
        Ok(sector) => catalog::sector(sector).iter().collect(),
        Err(_) => vec![check::table(&target)?],
    };
    let id = id.parse().map_err(|_| {
        CallFault::new(format!(
            "`id` is the uuid of a record, not {}; `query` tells them: {}",
            quoted(&id),
            json!({"target": target, "select": ["id"], "limit": 5})
        ))
    })?;
    let part = part(map, &tables)?;
    let is_source = |part: &FieldPart| {
        SOURCE_COLUMNS
            .iter()
            .any(|column| column.name == part.field)
    };
    Ok(RecordRequest {
        raw: flag(map, "raw")? || part.as_ref().is_some_and(is_source),
        tables,
        id,
        part,
    })
}

/// The field to read alone; one of the tables must have it.
fn part(map: &Map<String, Value>, tables: &[&Table]) -> Result<Option<FieldPart>, CallFault> {
    let (field, from) = (text(map, "field")?, whole_number(map, "from")?);
    let Some(field) = field else {
        return match from {
            None => Ok(None),
            Some(_) => Err(CallFault::new(
                "`from` is a byte of the text of one field: name it as `field`",
            )
            .without("from")),
        };
    };
    let is_known = SOURCE_COLUMNS.iter().any(|column| column.name == field)
        || tables
            .iter()
            .any(|table| Column::find(table, &field).is_some());
    if let (false, Some(table)) = (is_known, tables.first()) {
        return Err(no_field(table, &field));
    }
    Ok(Some(FieldPart {
        field,
        from: usize::try_from(from.unwrap_or_default()).unwrap_or(usize::MAX),
    }))
}

fn no_field(table: &Table, name: &str) -> CallFault {
    let names = column::all(table).map(|column| column.name);
    let right = nearest(name, names).unwrap_or(column::ID.name);
    let text = format!(
        "{} has no field {}; the nearest is {right}, get_schema lists all",
        table.target(),
        quoted(name)
    );
    CallFault::new(text).set("field", right)
}

fn missing(name: &str) -> CallFault {
    CallFault::new(format!(
        "`{name}` is missing: get_record takes `target`, a sector or a table, and `id`, which `query` gives in the column id"
    ))
}

fn found_answer(
    table: &Table,
    (request, id): (&RecordRequest, Uuid),
    (columns, row): &(Vec<Column>, RawRow),
    (mut sources, behind): (FittingSources<'_>, FittingRows),
) -> Result<ToolAnswer, AnswerError> {
    if id != request.id {
        let note = format!(
            "the row {} is of the same as this record of another source, which is served in its place",
            request.id
        );
        sources.notes.push(note);
    }
    let target = table.target();
    let asked = request.part.as_ref();
    let fields = columns
        .iter()
        .zip(row.cells())
        .filter(|(column, _)| asked.is_none_or(|part| part.field == column.name))
        .map(|(column, bytes)| {
            Ok(ShownField::of(
                column,
                CellValue::read(bytes, column.kind)?,
            )?)
        })
        .collect::<Result<Vec<_>, AnswerError>>()?;
    let hidden = (!behind.0.is_empty()).then_some("behind");
    let answer = FoundAnswer {
        target: &target,
        untrusted: untrusted(&fields).into_iter().chain(hidden).collect(),
        sources,
        behind,
    };
    let room = ANSWER_BYTES_MAX.saturating_sub(answer.write(&ShownRecord::new())?.text_bytes());
    let nonce = nonce();
    let place = CutField {
        target: &target,
        id,
        nonce: match fields.iter().any(ShownField::needs_fence) {
            true => nonce.get()?,
            false => "",
        },
    };
    let record = match (asked, fields.first()) {
        (None, _) => cut::within(&fields, room, place),
        (Some(part), Some(field)) => one_field(part, field, room, place)?,
        (Some(part), None) => return Err(without_field(&target, part).into()),
    };
    Ok(ToolAnswer {
        text: answer.write(&record)?,
        count: Some(1),
    })
}

fn untrusted(fields: &[ShownField<'_>]) -> Vec<&'static str> {
    let foreign = fields.iter().filter(|field| field.column.untrusted);
    foreign.map(|field| field.column.name).collect()
}

/// An answer with a record, but for that.
struct FoundAnswer<'a> {
    target: &'a str,
    untrusted: Vec<&'static str>,
    sources: FittingSources<'a>,
    behind: FittingRows,
}

impl FoundAnswer<'_> {
    fn write(&self, record: &ShownRecord<'_>) -> serde_json::Result<EscapedText> {
        let FittingSources { listed, notes } = &self.sources;
        let mut text = EscapedText::default();
        let mut answer = JsonObject::begin(&mut text);
        let FittingRows(behind) = &self.behind;
        answer.optional("behind", (!behind.is_empty()).then_some(behind))?;
        answer.optional("notes", (!notes.is_empty()).then_some(notes))?;
        let mut members = JsonObject::begin(answer.name("record"));
        for (name, cell) in record {
            cell.write(members.name(name))?;
        }
        members.end();
        answer.member("sources", listed)?;
        answer.member("target", &self.target)?;
        answer.member("untrusted", &self.untrusted)?;
        answer.end();
        Ok(text)
    }
}

/// The one field to read.
fn one_field<'a>(
    part: &FieldPart,
    field: &'a ShownField<'a>,
    room: usize,
    place: CutField<'_>,
) -> Result<ShownRecord<'a>, CallFault> {
    let room = room.saturating_sub(part.field.len() + 4);
    let value = cut::from(field, part.from, room, place).map_err(|PastEnd { bytes }| {
        let text = format!(
            "`from` lies behind the end: the text of {} has {bytes} bytes",
            part.field
        );
        CallFault::new(text).without("from")
    })?;
    Ok(ShownRecord::from_iter([(field.column.name, value)]))
}

/// Another table of the sector has the field, but not the record's.
fn without_field(target: &str, part: &FieldPart) -> CallFault {
    let text = format!(
        "the record is one of {target}, which has no field {}",
        quoted(&part.field)
    );
    CallFault::new(text).without("field")
}

/// As many of the sources as fit into [`SOURCES_BYTES_MAX`], and a note on the others.
struct FittingSources<'a> {
    listed: Vec<SourceStanding<'a>>,
    notes: Vec<String>,
}

impl<'a> FittingSources<'a> {
    fn of(sources: impl ExactSizeIterator<Item = SourceStanding<'a>>) -> Result<Self, AnswerError> {
        let mut notes = Vec::new();
        let listed = answer::take_fitting(SOURCES_BYTES_MAX, sources, |left| {
            notes.push(answer::omitted_sources_note(left));
        })?;
        Ok(Self { listed, notes })
    }
}

/// As many of the rows behind a record as fit into [`BEHIND_BYTES_MAX`].
struct FittingRows(Vec<HiddenRow>);

impl FittingRows {
    fn of(rows: Vec<HiddenRow>, notes: &mut Vec<String>) -> Result<Self, AnswerError> {
        let fitting = answer::take_fitting(BEHIND_BYTES_MAX, rows.into_iter(), |left| {
            notes.push(format!("{left} rows of other sources that are hidden behind this one are left out: they are too long"));
        })?;
        Ok(Self(fitting))
    }
}

fn missing_answer(request: &RecordRequest, sources: &FittingSources<'_>) -> ToolAnswer {
    let targets: Vec<String> = request.tables.iter().map(|table| table.target()).collect();
    let hint = format!(
        "no record with this id in {}: it may have been deleted at its source; `query` gives the ids there are",
        targets.join(", ")
    );
    let mut answer = json!({
        "target": targets.first(),
        "record": null,
        "sources": sources.listed,
        "empty": {"reason": "no_match", "hint": hint},
    });
    if let (false, Some(members)) = (sources.notes.is_empty(), answer.as_object_mut()) {
        members.insert("notes".to_owned(), json!(sources.notes));
    }
    ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: Some(0),
    }
}
