//! Calendar: occurrences for the question "when", series for the question "how often".

use sextant_actors::domain::Sector;

use super::{Field, Origin, Part, Table, Weight};

pub(super) const TABLES: &[Table] = &[EVENTS, SERIES, CALENDARS];

const STATUS: &[&str] = &["confirmed", "tentative", "cancelled"];
const FREE_BUSY: &[&str] = &["busy", "free", "tentative", "oof", "workingElsewhere"];

const EVENTS: Table = Table::new(
    Sector::Calendar,
    "events",
    Origin::Derived,
    "Occurrences, one row each: repeating events are expanded in their own time zone. Ask here for an agenda.",
    &[
        Field::timestamp("start_at", "When it starts; an all-day event at local midnight."),
        Field::timestamp("end_at", "When it ends (exclusive)."),
        Field::date("start_date", "First day of an all-day event."),
        Field::date("end_date", "The day after its last day."),
        Field::boolean("is_all_day", "It has days, not hours."),
        Field::text("time_zone", "The zone it was planned in."),
        Field::text("title", "Its title.").searchable(Weight::A).untrusted(),
        Field::text("description", "Its notes.").searchable(Weight::C).untrusted().long(),
        Field::text("location", "Where.").searchable(Weight::B).untrusted(),
        Field::text("status", "Whether it takes place.").one_of(STATUS),
        Field::text("free_busy", "Whether it takes time.").one_of(FREE_BUSY),
        Field::json("organizer", "Who invited: {name, email}.").untrusted(),
        Field::json("attendees", "Who was invited: [{name, email, role, participation_status, is_self}].").untrusted(),
        Field::text("my_response", "What the person answered.").kind(),
        Field::text("conference_url", "Where to join.").untrusted(),
        Field::text_list("categories", "Labels."),
        Field::text("uid", "The event's own identifier, shared by a series."),
        Field::text("original_start", "The start that the rule gave it."),
        Field::boolean("is_recurring", "It belongs to a repeating series."),
        Field::reference("series_id", "series", None, "The series it comes from."),
        Field::reference("override_id", "series", None, "The exception that replaced it."),
        Field::reference("calendar_id", "calendars", None, "The calendar it stands in."),
    ],
)
.default_order(&["-start_at"]);

const SERIES: Table = Table::new(
    Sector::Calendar,
    "series",
    Origin::Pushed,
    "Events as their source has them: single ones, repeating ones with their rule, and exceptions to these.",
    &[
        Field::reference("calendar_id", "calendars", Some("calendar"), "The calendar it stands in."),
        Field::text("uid", "The event's own identifier (iCalendar UID)."),
        Field::text("recurrence_id", "In an exception: the start it replaces."),
        Field::text("series_source_id", "In an exception: the id of the series it belongs to."),
        Field::text("title", "Its title.").searchable(Weight::A).untrusted(),
        Field::text("description", "Its notes.").searchable(Weight::C).untrusted().long(),
        Field::text("location", "Where.").searchable(Weight::B).untrusted(),
        Field::json("locations", "All places it names.").untrusted(),
        Field::timestamp("start_at", "When the first occurrence starts."),
        Field::timestamp("end_at", "When the first occurrence ends (exclusive)."),
        Field::date("start_date", "First day of an all-day event."),
        Field::date("end_date", "The day after its last day."),
        Field::boolean("is_all_day", "It has days, not hours."),
        Field::text("time_zone", "The zone it is planned in; none: wherever the person is."),
        Field::text("status", "Whether it takes place.").one_of(STATUS),
        Field::text("free_busy", "Whether it takes time.").one_of(FREE_BUSY),
        Field::text("privacy", "As the source has it.").one_of(&["public", "private", "confidential"]),
        Field::text_list("rrule", "RRULE, RDATE, EXDATE lines (RFC 5545)."),
        Field::json("organizer", "Who invited: {name, email}.").untrusted(),
        Field::json("attendees", "Who was invited: [{name, email, role, participation_status, is_self}].").untrusted(),
        Field::text("my_response", "What the person answered.").kind(),
        Field::text("conference_url", "Where to join.").untrusted(),
        Field::json("reminders", "Alarms."),
        Field::text_list("categories", "Labels."),
        Field::integer("sequence", "The revision the source counts."),
        Field::text("etag", "The source's version."),
        Field::text("raw_ical", "The component as it came.").untrusted().long(),
    ],
)
.default_order(&["-start_at"])
.one_of(&[&["start_at", "start_date"]])
.parts(&[Part { name: "overrides", table: "series", link: "series_source_id" }]);

const CALENDARS: Table = Table::new(
    Sector::Calendar,
    "calendars",
    Origin::Brought,
    "Calendars.",
    &[
        Field::text("name", "Its name.")
            .required()
            .searchable(Weight::A)
            .untrusted(),
        Field::text("color", "Its colour."),
        Field::text("time_zone", "Its default zone."),
        Field::boolean("is_primary", "The person's main one."),
        Field::text("access_role", "What the person may do in it.").kind(),
        Field::boolean("is_hidden", "Hidden at the source."),
        Field::text("url", "Its address at the source."),
    ],
);
