//! Compression, JSON arrays, empty files, files for which there is no table, and the order of the report.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::fixture;
use super::program::{Newcomer, Ran};
use crate::support::household::totals;
use crate::support::packed;

const CREATE: [&str; 3] = ["--create", "--secret-file", "secrets"];

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

async fn push_files(newcomer: &Newcomer, paths: &[&str]) -> Ran {
    newcomer.push(&[paths, &CREATE[..]].concat()).await
}

#[actix_web::test]
async fn what_is_packed_by_itself_is_read_as_what_it_is_wherever_it_lies() {
    let newcomer = Newcomer::arrive().await;
    let mail = b"From a@example.com Thu Jan  1 00:00:00 2026\r\nMessage-ID: <1@x>\r\nSubject: x\r\n\r\nText\r\n";
    let statement = std::fs::read(fixture("bank/checking.ofx")).unwrap();
    let files = [
        ("takeout.mbox.gz", gzipped(mail)),
        ("checking.ofx.gz", gzipped(&statement)),
        ("a.txt.gz", gzipped(b"x")),
    ];
    std::fs::create_dir(newcomer.path("folder")).unwrap();
    for (name, bytes) in &files {
        std::fs::write(newcomer.path(&format!("folder/{name}")), bytes).unwrap();
    }
    packed::zip(&newcomer.path("all.zip"), &files);
    packed::tgz(&newcomer.path("all.tgz"), &files);
    for place in ["folder", "all.zip", "all.tgz"] {
        let ran = push_files(&newcomer, &[place]).await;
        assert_eq!(
            (ran.code, totals(&ran.out)),
            (Some(0), [4, 4, 0]),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("(.gz 1)"), "{}", ran.out);
    }
    let ran = push_files(&newcomer, &["folder/checking.ofx.gz"]).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [3, 3, 0]),
        "{}",
        ran.out
    );
    assert_eq!(newcomer.count("finance.transactions").await, 3);
    assert_eq!(newcomer.count("mail.messages").await, 1);
}

#[actix_web::test]
async fn a_packed_bomb_and_a_packed_file_that_was_cut_off_end_where_they_must() {
    let newcomer = Newcomer::arrive().await;
    let zeros = vec![0; 64 * 1024 * 1024];
    let mut bomb = b"From a@x Thu Jan  1 00:00:00 2026\nSubject: x\n\n".to_vec();
    bomb.extend(&zeros);
    std::fs::write(newcomer.path("bomb.mbox.gz"), gzipped(&bomb)).unwrap();
    let lines: String = (0..20_000)
        .map(|id| format!("{{\"id\":\"{id}\"}}\n"))
        .collect();
    let mut cut = gzipped(lines.as_bytes());
    cut.truncate(cut.len() / 2);
    std::fs::write(newcomer.path("cut.jsonl.gz"), cut).unwrap();
    let (id, _) = newcomer.app.push_connection("finance.transactions").await;
    let rehearsal = [
        "bomb.mbox.gz",
        "cut.jsonl.gz",
        "--dry-run",
        "--connection",
        &id,
    ];
    let ran = newcomer.push(&rehearsal).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("taken for a bomb"), "{}", ran.out);
    let [_, sent, _] = totals(&ran.out);
    assert!(
        sent > 1000 && ran.out.contains("not read to its end"),
        "{}",
        ran.out
    );
}

#[actix_web::test]
async fn an_array_of_records_is_pushed_and_other_programs_json_is_not() {
    let newcomer = Newcomer::arrive().await;
    let record = |id: u64| {
        format!(
            "{{\"target\":\"finance.transactions\",\"id\":\"{id}\",\"booked_on\":\"2026-01-0{id}\",\"amount\":-1.10,\"currency\":\"EUR\"}}"
        )
    };
    std::fs::create_dir(newcomer.path("folder")).unwrap();
    let ours = format!("[{},\n7,\n{}]", record(1), record(2));
    std::fs::write(newcomer.path("folder/ours.json"), &ours).unwrap();
    std::fs::write(newcomer.path("folder/activity.json"), "[{\"title\":\"x\"}]").unwrap();
    let ran = push_files(&newcomer, &["folder"]).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [3, 2, 1]),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("  refused: line 2: the record is JSON, but not an object"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("(.json 1)"), "{}", ran.out);
    assert_eq!(newcomer.count("finance.transactions").await, 2);
}

#[actix_web::test]
async fn an_empty_file_is_empty_and_no_failure() {
    let newcomer = Newcomer::arrive().await;
    std::fs::write(newcomer.path("a.ics"), "").unwrap();
    std::fs::write(newcomer.path("b.csv"), " \n").unwrap();
    let ran = push_files(&newcomer, &["a.ics", "b.csv"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.out.matches("  empty: there is nothing in it").count(),
        2,
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("not read"), "{}", ran.out);
}

#[actix_web::test]
async fn what_no_table_holds_is_counted_by_its_kind_and_is_no_failure() {
    let newcomer = Newcomer::arrive().await;
    let card = |name: &str, more: &str| {
        format!("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\n{more}END:VCARD\r\n")
    };
    let picture = "PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n AAAA\r\n";
    let cards = [
        card("Ann", picture),
        card(
            "Bob",
            &format!("{picture}SOUND;ENCODING=b:AAAA\r\nKEY:https://keys.example/b\r\n"),
        ),
        card("Cat", "PHOTO;VALUE=uri:https://photos.example/c.jpg\r\n"),
    ];
    std::fs::write(newcomer.path("a.vcf"), cards.concat()).unwrap();
    let mail = "Message-ID: <1@x>\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nText\r\n--m\r\n\
        Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\n\r\nx\r\n--m--\r\n";
    std::fs::write(newcomer.path("b.eml"), mail).unwrap();
    let event = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260101T100000Z\r\n\
        ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA\r\nATTACH:https://files.example/a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    std::fs::write(newcomer.path("c.ics"), event).unwrap();
    let health = "<HealthData>\n<Me HKCharacteristicTypeIdentifierBiologicalSex=\"x\"/>\n\
        <Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" startDate=\"2026-03-01 07:12:00 +0100\" \
        endDate=\"2026-03-01 07:13:00 +0100\"><WorkoutEvent type=\"HKWorkoutEventTypePause\"/>\
        <WorkoutRoute><MetadataEntry key=\"a\" value=\"b\"/></WorkoutRoute></Workout>\n</HealthData>\n";
    std::fs::write(newcomer.path("export.xml"), health).unwrap();
    let bank =
        "Date,Text,Amount (EUR)\n2026-01-13,Coffee,-3.00\n2026-01-14,Tea,-3.00\nTotal,,-6.00\n";
    std::fs::write(newcomer.path("d.csv"), bank).unwrap();
    let ran = push_files(
        &newcomer,
        &["a.vcf", "b.eml", "c.ics", "export.xml", "d.csv"],
    )
    .await;
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    for told in [
        "  left behind: keys 1, pictures 2, sounds 1\n",
        "  left behind: contents of attachments 1\n",
        "  left behind: attachments 1\n",
        "  left behind: birthdays, sexes and blood types 1, further details 1, pauses and laps of workouts 1, routes of workouts 1\n",
        "  left behind: rows of totals or words 1\n",
        "\nleft behind, since no table holds it: attachments 1, birthdays, sexes and blood types 1, contents of attachments 1, ",
    ] {
        assert!(ran.out.contains(told), "{told} is not in {}", ran.out);
    }
}

#[actix_web::test]
async fn refusals_stand_in_the_order_of_the_file_whoever_refuses() {
    let newcomer = Newcomer::arrive().await;
    let good = |id: u64| {
        format!(
            "{{\"id\":\"{id}\",\"booked_on\":\"2026-01-01\",\"amount\":\"1\",\"currency\":\"EUR\"}}\n"
        )
    };
    let bad = |id: u64| {
        format!(
            "{{\"id\":\"{id}\",\"booked_on\":\"never\",\"amount\":\"1\",\"currency\":\"EUR\"}}\n"
        )
    };
    let lines = [
        good(1),
        bad(2),
        "[]\n".to_owned(),
        good(4),
        bad(5),
        "{\n".to_owned(),
    ];
    std::fs::write(newcomer.path("a.jsonl"), lines.concat()).unwrap();
    let (id, secret) = newcomer.app.push_connection("finance.transactions").await;
    let mut command = newcomer.command(&["a.jsonl", "--connection", &id]);
    command.env("SEXTANT_INGEST_SECRET", secret);
    let ran = Ran::of(command).await;
    let told: Vec<_> = ran
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("  refused: line ")?.split_once(':'))
        .map(|(line, _)| line)
        .collect();
    assert_eq!(told, ["2", "3", "5", "6"], "{}", ran.out);
}

#[actix_web::test]
async fn a_floating_time_is_of_the_files_zone_else_of_the_one_named_else_of_the_persons() {
    let newcomer = Newcomer::arrive().await;
    let event = |uid: &str, zone: &str| {
        format!(
            "BEGIN:VCALENDAR\n{zone}BEGIN:VEVENT\nUID:{uid}\nDTSTART:20260701T100000\nEND:VEVENT\nEND:VCALENDAR\n"
        )
    };
    let tokyo = "X-WR-TIMEZONE:Asia/Tokyo\n";
    for (name, zone) in [("file", tokyo), ("named", ""), ("person", "")] {
        std::fs::write(newcomer.path(&format!("{name}.ics")), event(name, zone)).unwrap();
    }
    let zoned = ["file.ics", "named.ics", "--zone", "America/New_York"];
    for paths in [&zoned[..], &["person.ics"]] {
        let ran = push_files(&newcomer, paths).await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let client = newcomer.app.database.connect().await;
    let statement =
        "SELECT s.uid || ' ' || (e.start_at AT TIME ZONE 'UTC')::text FROM calendar.events e
        JOIN calendar.series s ON s.id = e.series_id ORDER BY 1";
    let rows = client.query(statement, &[]).await.unwrap();
    let starts: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    // The operator of this service lives in Berlin.
    let expected = [
        "file 2026-07-01 01:00:00",
        "named 2026-07-01 14:00:00",
        "person 2026-07-01 08:00:00",
    ];
    assert_eq!(starts, expected);
}
