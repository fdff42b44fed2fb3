//! Health: days for most questions; sleeps, workouts, recoveries, cycles and single samples behind them.

use sextant_actors::domain::Sector;

use super::{Field, Origin, Table, Weight};

pub(super) const TABLES: &[Table] = &[SAMPLES, DAYS, SLEEPS, WORKOUTS, RECOVERIES, CYCLES, DEVICES];

const SCORE_STATE: &[&str] = &["SCORED", "PENDING_SCORE", "UNSCORABLE"];

const SAMPLES: Table = Table::new(
    Sector::Health,
    "samples",
    Origin::Pushed,
    "Single measurements, as phones and watches push them.",
    &[
        Field::reference("device_id", "devices", Some("device"), "What measured it."),
        Field::text("metric", "What was measured: heart_rate, steps, weight, …")
            .kind()
            .required(),
        Field::float("value", "In the unit beside it.")
            .required()
            .measured_in(&["metric", "unit"]),
        Field::text("unit", "The metric's own unit: bpm, count, kg, …").kind(),
        Field::timestamp("start_at", "When it began.").required(),
        Field::timestamp("end_at", "When it ended."),
        Field::text(
            "zone_offset",
            "The offset where it was taken, such as -05:00.",
        ),
        Field::text("external_id", "The device's own id for it."),
        Field::boolean("is_daily_total", "It is a day's sum, not one measurement."),
        Field::json("meta", "What else the device said."),
    ],
)
.default_order(&["-start_at"]);

const DAYS: Table = Table::new(
    Sector::Health,
    "days",
    Origin::Pushed,
    "One row a local day: the table for most questions.",
    &[
        Field::date("day", "The local day.").required(),
        Field::integer("steps", "Steps.").unit("count"),
        Field::float("distance_m", "Walked and run.").unit("m"),
        Field::float("energy_kcal", "Active energy.").unit("kcal"),
        Field::integer("flights_climbed", "Flights of stairs.").unit("count"),
        Field::float("exercise_minutes", "Exercise.").unit("minutes"),
        Field::float("resting_heart_rate", "At rest.").unit("bpm"),
        Field::float("hrv_rmssd_ms", "Heart rate variability, RMSSD.").unit("ms"),
        Field::float("recovery_score", "0 to 100.").unit("percent"),
        Field::float("strain", "0 to 21."),
        Field::float("sleep_minutes", "Asleep, counted on the day of waking.").unit("minutes"),
        Field::float("weight_kg", "Body weight.").unit("kg"),
    ],
)
.default_order(&["-day"])
.natural("day")
.merged();

const SLEEPS: Table = Table::new(
    Sector::Health,
    "sleeps",
    Origin::Pushed,
    "Nights and naps.",
    &[
        Field::timestamp("start_at", "When it began.").required(),
        Field::timestamp("end_at", "When it ended."),
        Field::text("zone_offset", "The offset where it was slept."),
        Field::text("cycle_source_id", "The cycle it belongs to."),
        Field::boolean("is_nap", "A nap."),
        Field::text("score_state", "Whether it has been scored.").one_of(SCORE_STATE),
        Field::big_integer("in_bed_ms", "In bed.").unit("ms"),
        Field::big_integer("awake_ms", "Awake.").unit("ms"),
        Field::big_integer("light_ms", "Light sleep.").unit("ms"),
        Field::big_integer("deep_ms", "Deep sleep.").unit("ms"),
        Field::big_integer("rem_ms", "REM sleep.").unit("ms"),
        Field::big_integer("no_data_ms", "Without data.").unit("ms"),
        Field::integer("cycle_count", "Sleep cycles.").unit("count"),
        Field::integer("disturbance_count", "Disturbances.").unit("count"),
        Field::float("respiratory_rate", "Breaths.").unit("per minute"),
        Field::float("performance_percent", "0 to 100.").unit("percent"),
        Field::float("consistency_percent", "0 to 100.").unit("percent"),
        Field::float("efficiency_percent", "0 to 100.").unit("percent"),
        Field::big_integer("need_baseline_ms", "Sleep needed.").unit("ms"),
        Field::big_integer("need_debt_ms", "Needed for earlier debt.").unit("ms"),
        Field::big_integer("need_strain_ms", "Needed for strain.").unit("ms"),
        Field::big_integer("need_nap_ms", "Saved by naps (negative).").unit("ms"),
        Field::json("stages", "Intervals: [{stage, start_at, end_at}]."),
    ],
)
.default_order(&["-start_at"]);

const WORKOUTS: Table = Table::new(
    Sector::Health,
    "workouts",
    Origin::Pushed,
    "Workouts.",
    &[
        Field::text("sport_name", "The sport.")
            .kind()
            .searchable(Weight::A),
        Field::integer("sport_id", "The source's number for it."),
        Field::timestamp("start_at", "When it began.").required(),
        Field::timestamp("end_at", "When it ended."),
        Field::text("zone_offset", "The offset where it took place."),
        Field::text("score_state", "Whether it has been scored.").one_of(SCORE_STATE),
        Field::float("strain", "0 to 21."),
        Field::float("avg_heart_rate", "Mean.").unit("bpm"),
        Field::float("max_heart_rate", "Highest.").unit("bpm"),
        Field::float("kilojoules", "Energy.").unit("kJ"),
        Field::float("percent_recorded", "0 to 100.").unit("percent"),
        Field::float("distance_m", "Distance.").unit("m"),
        Field::float("altitude_gain_m", "Climbed.").unit("m"),
        Field::float("altitude_change_m", "End less start.").unit("m"),
        Field::integer_list("zone_ms", "Time in each of six heart rate zones.").unit("ms"),
    ],
)
.default_order(&["-start_at"]);

const RECOVERIES: Table = Table::new(
    Sector::Health,
    "recoveries",
    Origin::Pushed,
    "Recovery after a night, one a cycle.",
    &[
        Field::text("cycle_source_id", "The cycle it belongs to."),
        Field::reference(
            "sleep_source_id",
            "sleeps",
            None,
            "The night it was measured in.",
        ),
        Field::text("score_state", "Whether it has been scored.").one_of(SCORE_STATE),
        Field::float("recovery_score", "0 to 100.").unit("percent"),
        Field::float("resting_heart_rate", "At rest.").unit("bpm"),
        Field::float("hrv_rmssd_ms", "Heart rate variability, RMSSD.").unit("ms"),
        Field::float("spo2_percent", "Blood oxygen.").unit("percent"),
        Field::float("skin_temp_celsius", "Skin temperature.").unit("°C"),
        Field::boolean("is_calibrating", "The device is still learning."),
        Field::timestamp("measured_at", "When it was measured."),
    ],
)
.default_order(&["-measured_at"])
.natural("cycle_source_id");

const CYCLES: Table = Table::new(
    Sector::Health,
    "cycles",
    Origin::Brought,
    "Physiological days, from waking to waking.",
    &[
        Field::timestamp("start_at", "When it began."),
        Field::timestamp("end_at", "When it ended; none while it runs."),
        Field::text("zone_offset", "The offset where it began."),
        Field::text("score_state", "Whether it has been scored.").one_of(SCORE_STATE),
        Field::float("strain", "0 to 21."),
        Field::float("kilojoules", "Energy.").unit("kJ"),
        Field::float("avg_heart_rate", "Mean.").unit("bpm"),
        Field::float("max_heart_rate", "Highest.").unit("bpm"),
    ],
)
.default_order(&["-start_at"]);

const DEVICES: Table = Table::new(
    Sector::Health,
    "devices",
    Origin::Brought,
    "What measured: watches, phones, scales.",
    &[
        Field::text("provider", "Whose it is.").kind(),
        Field::text("device_model", "Which one.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("app_bundle", "The app that sent it."),
    ],
);
