//! Home: entities with their present state, their past states, and the rooms and devices they belong to.

use sextant_actors::domain::Sector;

use super::{Field, Origin, Table, Weight};

pub(super) const TABLES: &[Table] = &[ENTITIES, HISTORY, AREAS, DEVICES];

const ENTITIES: Table = Table::new(
    Sector::Home,
    "entities",
    Origin::Pushed,
    "Lights, sensors, switches, … each with its present state.",
    &[
        Field::text(
            "entity_id",
            "Its name at the home system, such as light.kitchen.",
        )
        .searchable(Weight::B),
        Field::text("domain", "Its kind: light, sensor, climate, …").kind(),
        Field::text("name", "Its friendly name.")
            .searchable(Weight::A)
            .untrusted(),
        Field::reference("area_id", "areas", Some("area"), "The room."),
        Field::reference(
            "device_id",
            "devices",
            Some("device"),
            "The device it belongs to.",
        ),
        Field::text("device_class", "What it measures or moves.").kind(),
        Field::text("unit", "The unit of its state.").kind(),
        Field::text("state", "Its present state.").untrusted(),
        Field::float("state_num", "The same as a number, when it is one.").measured_in(&["unit"]),
        Field::json("attributes", "What else it says.").untrusted(),
        Field::timestamp("last_changed", "When the state last changed."),
        Field::timestamp("last_updated", "When it last reported."),
        Field::boolean("is_available", "It can be reached."),
        Field::integer("supported_features", "A bit mask."),
        Field::boolean("is_hidden", "Hidden at the source."),
        Field::boolean("is_disabled", "Disabled at the source."),
        Field::text("category", "Diagnostic or configuration.").kind(),
    ],
)
.default_order(&["-last_changed"])
.natural("entity_id")
.one_of(&[&["entity_id", "name"]]);

const HISTORY: Table = Table::new(
    Sector::Home,
    "history",
    Origin::Pushed,
    "What the entities were: one row a change of state; of a home that is read, the last thirty days.",
    &[
        Field::reference("entity_id", "entities", Some("entity"), "The entity."),
        Field::text("state", "The state it took.").untrusted(),
        Field::float("state_num", "The same as a number, when it is one.")
            .measured_in(&["entity_id"]),
        Field::timestamp("changed_at", "When it took it.").required(),
    ],
)
.default_order(&["-changed_at"])
.purged();

const AREAS: Table = Table::new(
    Sector::Home,
    "areas",
    Origin::Brought,
    "Rooms.",
    &[
        Field::text("name", "Its name.")
            .required()
            .searchable(Weight::A)
            .untrusted(),
        Field::text("floor", "The floor it is on.").kind(),
    ],
)
.default_order(&["name"]);

const DEVICES: Table = Table::new(
    Sector::Home,
    "devices",
    Origin::Brought,
    "Devices that entities belong to.",
    &[
        Field::text("name", "Its name.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("manufacturer", "Who made it."),
        Field::text("model", "Which one."),
        Field::text("sw_version", "Its software."),
        Field::reference("area_id", "areas", None, "The room it stands in."),
    ],
)
.default_order(&["name"]);
