//! Lines without an end: reported with their place, the rest is read, and memory does not depend on their length.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use super::program::Ran;
use crate::support::household::totals;

/// Less than the length of any of the lines; the program, its threads' stacks included, must do with it.
const DATA_KIB: usize = 24 * 1024;
const LONG: usize = 100_000_000;
/// For the formats with similar readers: still longer than the memory for data.
const LESS_LONG: usize = 32_000_000;

/// A name, the text before and after the line's middle, its length, the report, entries and refusals.
type Case = (
    &'static str,
    [&'static str; 2],
    usize,
    &'static str,
    [u64; 2],
);

const CASES: [Case; 5] = [
    (
        "a.csv",
        [
            "Date,Text,Amount (EUR)\n2026-01-01,one,-1.00\n2026-01-02,\"",
            "\",-2.00\n2026-01-03,three,-3.00\n",
        ],
        LONG,
        "  refused: line 3: the line is too long to be a booking\n",
        [3, 1],
    ),
    (
        "a.vcf",
        [
            "BEGIN:VCARD\nVERSION:4.0\nFN:One\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nFN:Two\nNOTE:",
            "\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nFN:Three\nEND:VCARD\n",
        ],
        LONG,
        "  left out: line 5, VCARD Two: `NOTE` on line 8 is longer than 1048576 bytes and was left out\n",
        [3, 0],
    ),
    (
        "a.ics",
        [
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260101\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART:20260102\nSUMMARY:",
            "\nEND:VEVENT\nBEGIN:VEVENT\nUID:3\nDTSTART:20260103\nEND:VEVENT\nEND:VCALENDAR\n",
        ],
        LESS_LONG,
        "  refused: line 6, VEVENT 2: line 9 is longer than 1048576 bytes\n",
        [3, 1],
    ),
    (
        "a.mbox",
        [
            "From a@x Thu Jan  1 00:00:00 2026\nSubject: one\n\nText\n\nFrom a@x Thu Jan  1 00:00:00 2026\nSubject: ",
            "\n\nText\n\nFrom a@x Thu Jan  1 00:00:00 2026\nSubject: three\n\nText\n",
        ],
        LESS_LONG,
        "  left out: line 6, message: Subject is longer than 2000 characters and was cut there\n",
        [3, 0],
    ),
    (
        "export.xml",
        [
            "<?xml version=\"1.0\"?><HealthData>\n<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" sourceName=\"one\" startDate=\"2026-03-01 07:12:00 +0100\" endDate=\"2026-03-01 07:13:00 +0100\"/>\n<Workout sourceName=\"",
            "\"/>\n<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" sourceName=\"three\" startDate=\"2026-03-03 07:12:00 +0100\" endDate=\"2026-03-03 07:13:00 +0100\"/>\n</HealthData>\n",
        ],
        LESS_LONG,
        "  refused: line 3, Workout: it is longer than 65536 bytes\n",
        [3, 1],
    ),
];

#[actix_web::test]
async fn a_line_without_end_is_told_by_its_place_and_costs_no_memory() {
    for (name, [before, behind], length, told, [entries, refused]) in CASES {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join(name), before, length, behind);
        let mut program = tokio::process::Command::new("sh");
        program
            .env_clear()
            .current_dir(folder.path())
            .args(["-c", &format!("ulimit -d {DATA_KIB}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_sextant"))
            .args(["push", name, "--dry-run", "--connection", "c1"])
            .args(["--url", "http://127.0.0.1:1"]);
        let ran = Ran::of(program).await;
        let is_whole = told.contains("0 refused");
        assert_eq!(ran.code, Some(i32::from(!is_whole)), "{ran:?}");
        assert!(ran.out.contains(told), "{}", ran.out);
        let sent = entries - refused;
        assert_eq!(totals(&ran.out), [entries, sent, refused], "{}", ran.out);
    }
}

fn write(path: &Path, before: &str, length: usize, behind: &str) {
    let chunk = vec![b'x'; 1_000_000];
    let mut file = File::create(path).unwrap();
    file.write_all(before.as_bytes()).unwrap();
    for _ in 0..length / chunk.len() {
        file.write_all(&chunk).unwrap();
    }
    file.write_all(behind.as_bytes()).unwrap();
}
