//! Apple Health exports: every entry is a record of its table or is refused, and each field is what was measured.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::{Read, read, read_bytes};
use crate::support::python;
use sextant_formats::{FileSource, FileWalk};

const WATCH: &str = "sourceName=\"Ann&#8217;s Apple&#160;Watch\" sourceVersion=\"10.3\" device=\"&lt;&lt;HKDevice: \
    0x2835c1e50&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1, software:10.3&gt;\"";

/// An export with these elements.
pub fn export(elements: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 14 -->\n\
         <!ELEMENT HealthData (ExportDate,Me,Record*)>\n]>\n<HealthData locale=\"en_DE\">\n\
         <ExportDate value=\"2026-03-01 09:00:00 +0100\"/>\n<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1980-01-01\"/>\n\
         {elements}\n</HealthData>\n"
    )
}

pub fn read_export(elements: &str) -> Read {
    read_bytes("export.xml", export(elements))
}

/// A record of one quantity at a fixed time.
pub fn quantity(kind: &str, value: &str, unit: &str) -> String {
    format!(
        "<Record type=\"HKQuantityTypeIdentifier{kind}\" sourceName=\"Scale\" unit=\"{unit}\" \
         creationDate=\"2026-03-01 07:13:00 +0100\" startDate=\"2026-03-01 07:12:00 +0100\" \
         endDate=\"2026-03-01 07:12:30 +0100\" value=\"{value}\"/>\n"
    )
}

fn only(read: &Read) -> (&str, &Map<String, Value>) {
    assert_eq!((read.records.len(), &read.refused), (1, &vec![]));
    let (table, _, fields) = &read.records[0];
    (table, fields)
}

/// Runs the script that generates exports, which needs Python's standard library alone.
fn made_up(size_bytes: u64, path: &std::path::Path) {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scripts/health_export.py");
    let mut made = Command::new(python::interpreter());
    made.arg(script).arg(size_bytes.to_string()).arg(path);
    assert!(made.status().unwrap().success());
}

fn counted_by_python(path: &std::path::Path) -> Value {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/peers/health_export.py");
    let told = Command::new(python::interpreter())
        .arg(script)
        .arg(path)
        .output()
        .unwrap();
    serde_json::from_slice(&told.stdout).unwrap()
}

fn sum(records: &[&Map<String, Value>], field: &str) -> f64 {
    let values = records.iter().map(|record| record[field].as_f64());
    values.map(Option::unwrap_or_default).sum()
}

#[test]
fn all_entries_of_an_export_and_their_values_are_those_that_python_finds() {
    if !python::installed("all_entries_of_an_export_and_their_values_are_those_that_python_finds") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (xml, zip) = (
        folder.path().join("export.xml"),
        folder.path().join("export.zip"),
    );
    made_up(1_500_000, &xml);
    made_up(1_500_000, &zip);
    let expected = counted_by_python(&xml);
    let ours = read(&FileSource::File(xml)).unwrap();
    assert_eq!(ours.refused, []);
    let of = |table: &str| -> Vec<&Map<String, Value>> {
        let records = ours.records.iter().filter(|(target, ..)| target == table);
        records.map(|(.., fields)| fields).collect()
    };
    let (samples, sleeps) = (of("health.samples"), of("health.sleeps"));
    let count = |name: &str| expected["counts"][name].as_u64().unwrap() as usize;
    assert_eq!(of("health.workouts").len(), count("Workout"));
    assert_eq!(of("health.days").len(), count("ActivitySummary"));
    let stages = sleeps
        .iter()
        .map(|night| night["stages"].as_array().unwrap().len());
    assert_eq!(
        stages.sum::<usize>(),
        count("HKCategoryTypeIdentifierSleepAnalysis")
    );
    assert!(sleeps.len() > 5, "a night in stages is one sleep");
    for (kind, metric, factor) in [
        ("HeartRate", "heart_rate", 1.0),
        ("StepCount", "steps", 1.0),
        ("DistanceWalkingRunning", "distance_walking_running", 1.0),
        ("ActiveEnergyBurned", "energy", 1.0),
        ("BasalEnergyBurned", "basal_energy", 1.0),
        ("OxygenSaturation", "oxygen_saturation", 100.0),
        ("BodyMass", "weight", 1.0),
        ("BloodPressureSystolic", "blood_pressure_systolic", 1.0),
        ("BloodPressureDiastolic", "blood_pressure_diastolic", 1.0),
    ] {
        let kind = format!("HKQuantityTypeIdentifier{kind}");
        let found: Vec<_> = samples
            .iter()
            .copied()
            .filter(|sample| sample["metric"] == metric)
            .collect();
        assert_eq!(found.len(), count(&kind), "{metric}");
        let theirs = expected["sums"][&kind].as_f64().unwrap() * factor;
        assert!((sum(&found, "value") - theirs).abs() < 1e-3, "{metric}");
    }
    let starts = samples.iter().map(|sample| sample["start_at"].as_str());
    let starts = starts.map(|start| chrono::DateTime::parse_from_rfc3339(start.unwrap()).unwrap());
    let starts: f64 = starts.map(|start| start.timestamp() as f64).sum();
    assert_eq!(starts, expected["sums"]["starts"].as_f64().unwrap());
    for (value, column) in [
        ("AsleepCore", "light_ms"),
        ("AsleepDeep", "deep_ms"),
        ("AsleepREM", "rem_ms"),
        ("Awake", "awake_ms"),
    ] {
        let value = format!("HKCategoryValueSleepAnalysis{value}");
        let seconds: f64 = sleeps
            .iter()
            .filter_map(|night| night.get(column)?.as_f64())
            .sum();
        assert_eq!(
            seconds / 1000.0,
            expected["stages"][&value].as_f64().unwrap()
        );
    }
    let within = FileWalk::new(&[zip]).map(|found| read(&found.source.unwrap()).unwrap());
    let [zipped] = within.collect::<Vec<_>>().try_into().ok().unwrap();
    assert_eq!(zipped.records, ours.records);
}

#[test]
fn a_measurement_keeps_its_value_its_unit_its_time_and_its_device() {
    let read = read_export(&format!(
        "<Record type=\"HKQuantityTypeIdentifierHeartRate\" {WATCH} unit=\"count/min\" creationDate=\"2026-03-01 07:13:00 +0100\" \
         startDate=\"2026-03-01 07:12:00 +0100\" endDate=\"2026-03-01 07:12:30 +0100\" value=\"61.50\">\n\
         <MetadataEntry key=\"HKTimeZone\" value=\"America/New_York\"/>\n\
         <MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"A-7\"/>\n\
         <HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm=\"60\" time=\"7:12:01\"/></HeartRateVariabilityMetadataList>\n\
         </Record>"
    ));
    let (table, mut fields) = {
        let (table, fields) = only(&read);
        (table, fields.clone())
    };
    assert_eq!(table, "health.samples");
    assert_eq!(
        fields.remove("id").unwrap().as_str().map(str::len),
        Some(32)
    );
    assert_eq!(fields["value"].to_string(), "61.50");
    let expected = json!({
        "metric": "heart_rate", "value": fields["value"], "unit": "count/min",
        "start_at": "2026-03-01T06:12:00Z", "end_at": "2026-03-01T06:12:30Z", "zone_offset": "-05:00",
        "external_id": "A-7",
        "meta": {"HKTimeZone": "America/New_York", "HKMetadataKeySyncIdentifier": "A-7"},
        "device": {
            "id": "Ann’s Apple\u{a0}Watch / Watch6,1", "provider": "apple_health",
            "device_model": "Apple Watch (Watch6,1)", "app_bundle": "Ann’s Apple\u{a0}Watch",
            "manufacturer": "Apple Inc.",
        },
    });
    assert_eq!(Value::Object(fields), expected);
}

#[test]
fn what_has_no_metric_of_the_catalogue_is_kept_under_its_own_name() {
    let mindful = "<Record type=\"HKCategoryTypeIdentifierMindfulSession\" sourceName=\"Calm\" value=\"HKCategoryValueNotApplicable\" \
         startDate=\"2026-03-01 07:00:00 +0100\" endDate=\"2026-03-01 07:10:00 +0100\"/>";
    let ache = mindful
        .replace("MindfulSession", "Headache")
        .replace("NotApplicable", "SeverityMild");
    let read = read_export(
        &(quantity("DietaryVitaminB12", "2.4", "mcg")
            + &quantity("BodyFatPercentage", "0.215", "%")
            + &quantity("BloodGlucose", "5.5", "mmol&lt;180.1558800000541&gt;/L")
            + mindful
            + &ache),
    );
    let told: Vec<_> = read
        .records
        .iter()
        .map(|(.., fields)| {
            (
                fields["metric"].as_str().unwrap(),
                fields["value"].to_string(),
                fields["unit"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("dietary_vitamin_b12", "2.4", "mcg"),
        ("body_fat_percentage", "21.5", "percent"),
        ("blood_glucose", "5.5", "mmol/L"),
        ("mindful_session", "10.0", "minutes"),
        ("headache", "1.0", "count"),
    ];
    assert_eq!(
        told,
        expected.map(|(metric, value, unit)| (metric, value.to_owned(), unit))
    );
    assert_eq!(
        read.records[4].2["meta"],
        json!({"category_value": "severity_mild"})
    );
}

/// A stage of sleep on the second of March, with times of day; hours past 24 are on the third.
fn stage(source: &str, value: &str, from: &str, to: &str) -> String {
    let at = |time: &str| match time.split_once(':').unwrap() {
        (hour, minute) if hour >= "24" => {
            let hour = hour.parse::<u32>().unwrap() - 24;
            format!("2026-03-03 {hour:02}:{minute}:00 +0100")
        }
        _ => format!("2026-03-02 {time}:00 +0100"),
    };
    format!(
        "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"{source}\" startDate=\"{}\" endDate=\"{}\" \
         value=\"HKCategoryValueSleepAnalysis{value}\"/>\n",
        at(from),
        at(to)
    )
}

#[test]
fn stages_of_one_night_and_source_are_one_sleep_whatever_their_order() {
    let night = [
        stage("Watch", "AsleepCore", "23:00", "24:30"),
        stage("Watch", "AsleepDeep", "24:30", "25:00"),
        // Reported twice by the same source: the hour counts once.
        stage("Watch", "AsleepDeep", "24:40", "25:00"),
        stage("Watch", "Awake", "25:00", "26:30"),
        stage("Watch", "AsleepREM", "26:30", "27:00"),
        stage("Phone", "InBed", "22:30", "31:00"),
        stage("Watch", "Asleep", "38:00", "38:20"),
    ];
    let mut backwards = night.clone();
    backwards.reverse();
    let read_night = |stages: &[String]| {
        let mut read = read_export(&stages.concat());
        read.records
            .sort_by_key(|(.., fields)| fields["start_at"].to_string());
        read
    };
    let (read, again) = (read_night(&night), read_night(&backwards));
    let strip = |read: &Read| -> Vec<_> {
        read.records
            .iter()
            .map(|(.., fields)| fields.clone())
            .collect()
    };
    assert_eq!(strip(&read), strip(&again));
    let in_bed = &read.records[0].2;
    assert_eq!(
        (&in_bed["in_bed_ms"], &in_bed["source_name"]),
        (&json!(30_600_000), &json!("Phone"))
    );
    assert!(!in_bed.contains_key("light_ms"));
    let slept = &read.records[1].2;
    let mut expected = json!({
        "start_at": "2026-03-02T22:00:00Z", "end_at": "2026-03-03T02:00:00Z", "zone_offset": "+01:00",
        "light_ms": 5_400_000, "deep_ms": 1_800_000, "awake_ms": 5_400_000, "rem_ms": 1_800_000,
        "source_name": "Watch",
    });
    expected["id"] = slept["id"].clone();
    expected["stages"] = slept["stages"].clone();
    assert_eq!(Value::Object(slept.clone()), expected);
    assert_eq!(slept["stages"].as_array().unwrap().len(), 5);
    let first = json!({"stage": "light", "start_at": "2026-03-02T22:00:00Z", "end_at": "2026-03-02T23:30:00Z"});
    assert_eq!(slept["stages"][0], first);
    assert_eq!(
        (read.records.len(), &read.records[2].2["asleep_ms"]),
        (3, &json!(1_200_000)),
        "who sleeps again after eleven hours naps"
    );
}

#[test]
fn nights_do_not_wait_for_the_end_of_the_file() {
    let nights = (0..2000).map(|day| {
        let day = chrono::NaiveDate::from_ymd_opt(2016, 1, 1).unwrap() + chrono::Days::new(day);
        stage("Watch", "AsleepCore", "01:00", "07:00").replace("2026-03-02", &day.to_string())
    });
    let read = read_export(&(nights.collect::<String>() + &quantity("BodyMass", "70", "kg")));
    assert_eq!((read.records.len(), read.refused.len()), (2001, 0));
    let weighed = read
        .records
        .iter()
        .position(|(table, ..)| table == "health.samples");
    assert_eq!(weighed, Some(2000 - 64), "so many nights are open");
    let lines: Vec<_> = read.records.iter().map(|(_, line, _)| *line).collect();
    assert!(lines[..1936].is_sorted() && lines[1937..].is_sorted());
}

#[test]
fn a_workout_has_its_sport_its_distance_its_energy_and_its_heart() {
    let span = "startDate=\"2026-03-01 07:00:00 +0100\" endDate=\"2026-03-01 08:00:00 +0100\"";
    let statistic = |kind: &str, numbers: &str| {
        format!("<WorkoutStatistics type=\"HKQuantityTypeIdentifier{kind}\" {span} {numbers}/>\n")
    };
    let read = read_export(&format!(
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeCycling\" duration=\"55.5\" durationUnit=\"min\" {WATCH} {span}>\n\
         <MetadataEntry key=\"HKElevationAscended\" value=\"12300 cm\"/>\n\
         <WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2026-03-01 07:10:00 +0100\"/>\n{}{}{}{}\
         <WorkoutActivity uuid=\"1\" {span}>{}</WorkoutActivity>\n\
         <WorkoutRoute sourceName=\"Watch\" {span}><MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"2\"/>\
         <FileReference path=\"/workout-routes/route.gpx\"/></WorkoutRoute>\n</Workout>",
        statistic("DistanceWalkingRunning", "sum=\"0.2\" unit=\"km\""),
        statistic("DistanceCycling", "sum=\"20.5\" unit=\"km\""),
        statistic("ActiveEnergyBurned", "sum=\"500\" unit=\"Cal\""),
        statistic(
            "HeartRate",
            "average=\"131.5\" minimum=\"90\" maximum=\"171\" unit=\"count/min\""
        ),
        statistic(
            "HeartRate",
            "average=\"1\" maximum=\"1\" unit=\"count/min\""
        ),
    ));
    let (table, fields) = only(&read);
    assert_eq!(table, "health.workouts");
    let expected = json!({
        "id": fields["id"], "sport_name": "cycling", "zone_offset": "+01:00",
        "start_at": "2026-03-01T06:00:00Z", "end_at": "2026-03-01T07:00:00Z",
        "kilojoules": 2092.0, "distance_m": 20_500.0, "avg_heart_rate": 131.5, "max_heart_rate": 171.0,
        "altitude_gain_m": 123.0, "duration_s": 3330.0,
        "statistics": {
            "distance_walking_running": {"sum": 0.2, "unit": "km"},
            "distance_cycling": {"sum": 20.5, "unit": "km"},
            "energy": {"sum": 500.0, "unit": "Cal"},
            "heart_rate": {"average": 131.5, "minimum": 90.0, "maximum": 171.0, "unit": "count/min"},
        },
        "meta": {"HKElevationAscended": "12300 cm"},
        "source_name": "Ann’s Apple\u{a0}Watch", "device_model": "Apple Watch (Watch6,1)",
    });
    assert_eq!(Value::Object(fields.clone()), expected);
}

#[test]
fn an_older_workout_says_it_in_its_own_attributes() {
    let read = read_export(
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeTraditionalStrengthTraining\" duration=\"1\" durationUnit=\"hr\" \
         totalDistance=\"2\" totalDistanceUnit=\"mi\" totalEnergyBurned=\"418.4\" totalEnergyBurnedUnit=\"kJ\" \
         sourceName=\"Watch\" startDate=\"2018-03-01 07:00:00 +0100\" endDate=\"2018-03-01 08:00:00 +0100\"/>",
    );
    let (_, fields) = only(&read);
    assert_eq!(fields["sport_name"], "traditional strength training");
    assert_eq!(
        (&fields["distance_m"], &fields["kilojoules"]),
        (&json!(3218.688), &json!(418.4))
    );
}

#[test]
fn the_rings_of_a_day_are_that_day_and_a_day_without_rings_is_none() {
    let rings = |day: &str, numbers: &str| {
        format!(
            "<ActivitySummary dateComponents=\"{day}\" {numbers} activeEnergyBurnedUnit=\"kcal\" appleMoveTime=\"0\" appleMoveTimeGoal=\"0\"/>\n"
        )
    };
    let full = "activeEnergyBurned=\"512.3\" activeEnergyBurnedGoal=\"600\" appleExerciseTime=\"0\" appleExerciseTimeGoal=\"30\" \
                appleStandHours=\"11\" appleStandHoursGoal=\"12\"";
    let empty = "activeEnergyBurned=\"0\" activeEnergyBurnedGoal=\"0\"";
    let read = read_export(&(rings("1969-12-30", empty) + &rings("2026-03-01", full)));
    let (table, fields) = only(&read);
    assert_eq!(table, "health.days");
    let expected = json!({
        "id": "2026-03-01", "day": "2026-03-01", "energy_kcal": 512.3, "energy_goal_kcal": 600.0,
        "exercise_minutes": 0.0, "exercise_goal_minutes": 30.0, "stand_hours": 11.0, "stand_goal_hours": 12.0,
    });
    assert_eq!(Value::Object(fields.clone()), expected);
}

#[test]
fn what_a_correlation_repeats_is_stored_once() {
    let both = quantity("BloodPressureSystolic", "121", "mmHg")
        + &quantity("BloodPressureDiastolic", "79", "mmHg");
    let correlated = format!(
        "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\">\n{both}</Correlation>\n"
    );
    let read = read_export(&(both + &correlated + &quantity("BodyMass", "70", "kg")));
    assert_eq!((read.records.len(), read.refused.len()), (3, 0));
}

#[test]
fn an_export_from_another_zone_and_a_longer_one_give_the_same_ids() {
    let first = quantity("BodyMass", "70", "kg") + &quantity("Height", "170", "cm");
    let abroad = first
        .replace("07:12:00 +0100", "01:12:00 -0500")
        .replace("07:12:30 +0100", "01:12:30 -0500")
        .replace("creationDate=\"2026-03-01", "creationDate=\"2026-04-01");
    let longer = quantity("StepCount", "3", "count") + &abroad;
    let (first, longer) = (read_export(&first), read_export(&longer));
    assert_eq!(first.ids(), longer.ids()[1..]);
    let glass = quantity("DietaryWater", "250", "mL");
    let water = read_export(&glass.repeat(2));
    assert_eq!(
        water.ids()[1],
        format!("{}~2", water.ids()[0]),
        "two equal glasses stay two"
    );
}
