//! The four files: plausible, valid, and the same in each run.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use sextant_formats::{MoneyFlow, Options};

const MAILS: i64 = 2_000;
const EVENTS: i64 = 3_000;
const TRANSACTIONS: i64 = 10_000;
const MEASUREMENTS: i64 = 20_000;

/// 2020-01-01, the first day in the files.
const START_S: i64 = 1_577_836_800;
const WORDS: [&str; 12] = [
    "meeting", "invoice", "train", "holiday", "please", "thanks", "attached", "the", "about",
    "tomorrow", "later", "coffee",
];
/// Lines of a mail's text: 3 to 30.
const LINES_MAX: i64 = 30;
/// Lines of base64 of an attachment of 100 KB, each of 76 characters and the line end.
const ATTACHMENT_LINES: usize = 1_300;

/// A file to be measured, and its description in the table.
pub struct File {
    pub kind: &'static str,
    pub path: PathBuf,
}

/// The options with which a person would push the statement.
pub fn options() -> Options {
    Options {
        positive: Some(MoneyFlow::In),
        ..Options::default()
    }
}

/// Writes all four into `folder`.
pub fn write_all(folder: &Path) -> [File; 4] {
    [
        (".mbox", "mail.mbox", each(MAILS, mail)),
        (".ics", "calendar.ics", calendar()),
        (".csv", "bank.csv", statement()),
        ("export.xml", "export.xml", health()),
    ]
    .map(|(kind, name, text)| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        File { kind, path }
    })
}

fn each(count: i64, piece: impl Fn(i64, &mut String)) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        piece(number, &mut text);
        text
    })
}

fn at(minutes: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(START_S, 0).unwrap() + TimeDelta::minutes(minutes)
}

fn words(number: i64, count: i64) -> String {
    let indexes = (0..count).map(|word| (number * 7 + word * word + word * number) as usize);
    let chosen = indexes.filter_map(|index| WORDS.get(index % WORDS.len()).copied());
    chosen.collect::<Vec<_>>().join(" ")
}

/// Three mails of four belong to a thread, one of ten has an attachment of 100 KB.
fn mail(number: i64, text: &mut String) {
    let (sent, person) = (at(number * 97), number % 40);
    let subject = words(number, 4);
    let _infallible = write!(
        text,
        "From person{person}@example.com {}\nMessage-ID: <{number}@example.com>\n\
         From: Person {person} <person{person}@example.com>\nTo: Ann <ann@example.com>\nSubject: {subject}\nDate: {}\n",
        sent.format("%a %b %e %T %Y"),
        sent.to_rfc2822()
    );
    if number % 4 > 0 {
        let first = number - number % 4;
        let _infallible = writeln!(
            text,
            "In-Reply-To: <{first}@example.com>\nReferences: <{first}@example.com>"
        );
    }
    let lines = (0..3 + number % (LINES_MAX - 2)).map(|line| words(number + line, 12) + "\n");
    let body: String = lines.collect();
    let _infallible = match number % 10 {
        9 => write!(
            text,
            "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"part\"\n\n--part\nContent-Type: text/plain\n\n\
             {body}--part\nContent-Type: application/pdf; name=\"{number}.pdf\"\nContent-Transfer-Encoding: base64\n\n\
             {}--part--\n\n",
            format!("{}\n", "JVBERi0x".repeat(9) + "LjQK").repeat(ATTACHMENT_LINES)
        ),
        _ => write!(text, "\n{body}\n"),
    };
}

/// One event of ten recurs each week for half a year.
fn calendar() -> String {
    let events = each(EVENTS, |number, text| {
        let start = at(number * 480);
        let day = |at: DateTime<Utc>| at.format("%Y%m%dT%H%M%SZ").to_string();
        let rule = if number % 10 == 0 {
            "RRULE:FREQ=WEEKLY;COUNT=26\r\n"
        } else {
            ""
        };
        let _infallible = write!(
            text,
            "BEGIN:VEVENT\r\nUID:{number}@example.com\r\nDTSTAMP:{stamp}\r\nDTSTART:{}\r\nDTEND:{}\r\n{rule}\
             SUMMARY:{}\r\nLOCATION:Room {}\r\nDESCRIPTION:{}\r\nORGANIZER;CN=Ann:mailto:ann@example.com\r\n\
             ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@example.com\r\nEND:VEVENT\r\n",
            day(start),
            day(start + TimeDelta::minutes(45)),
            words(number, 3),
            number % 9,
            words(number + 1, 7),
            stamp = day(start),
        );
    });
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//bench//EN\r\n{events}END:VCALENDAR\r\n"
    )
}

fn statement() -> String {
    let rows = each(TRANSACTIONS, |number, text| {
        let _infallible = writeln!(
            text,
            "{},{}{}.{:02},EUR,Shop {},\"{}\"",
            at(number * 300).date_naive(),
            if number % 20 == 0 { "" } else { "-" },
            number % 317 + 1,
            number % 100,
            number % 83,
            words(number, 6)
        );
    });
    format!("Booking date,Amount,Currency,Counterparty,Description\n{rows}")
}

/// Of a hundred entries: a workout, an activity summary, five stages of sleep, and otherwise heart rates and steps.
fn health() -> String {
    let records = each(MEASUREMENTS, |number, text| {
        let start = at(number * 11);
        let stamp = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M:%S +0000").to_string();
        let end = stamp(start + TimeDelta::minutes(9));
        let span = format!(
            "sourceName=\"Ann’s Watch\" sourceVersion=\"10.3\" creationDate=\"{end}\" startDate=\"{}\" endDate=\"{end}\"",
            stamp(start)
        );
        let _infallible = match number % 100 {
            0 => writeln!(
                text,
                " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"9\" durationUnit=\"min\" {span}/>"
            ),
            1 => writeln!(
                text,
                " <ActivitySummary dateComponents=\"{}\" activeEnergyBurned=\"{}\" activeEnergyBurnedUnit=\"kcal\"/>",
                at(number / 100 * 1440).date_naive(),
                300 + number % 400
            ),
            2..7 => writeln!(
                text,
                " <Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" {span} value=\"HKCategoryValueSleepAnalysisAsleepCore\"/>"
            ),
            remainder if remainder % 2 == 0 => writeln!(
                text,
                " <Record type=\"HKQuantityTypeIdentifierHeartRate\" {span} unit=\"count/min\" value=\"{}\">\n  \
                 <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>\n </Record>",
                50 + number % 110
            ),
            _ => writeln!(
                text,
                " <Record type=\"HKQuantityTypeIdentifierStepCount\" {span} unit=\"count\" value=\"{}\"/>",
                1 + number % 400
            ),
        };
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en_GB\">\n{records}</HealthData>\n"
    )
}
