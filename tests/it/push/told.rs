//! The program's report on what it could read in part, or not at all.

use super::program::{Newcomer, Ran};
use crate::support::household::totals;

const CREATE: [&str; 3] = ["--create", "--secret-file", "secrets"];

async fn push_files(newcomer: &Newcomer, file: &str, content: impl AsRef<[u8]>) -> Ran {
    std::fs::write(newcomer.path(file), content).unwrap();
    newcomer.push(&[&[file], &CREATE[..]].concat()).await
}

#[actix_web::test]
async fn what_was_cut_or_refused_is_named_with_its_place() {
    let newcomer = Newcomer::arrive().await;
    let long = "word ".repeat(1_000);
    let mail = format!(
        "Message-ID: <1@x>\r\nSubject: {long}\r\nFrom: \"{long}\" <a@b.example>\r\n\r\nText\r\n"
    );
    let ran = push_files(&newcomer, "long.eml", mail).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [1, 1, 0]),
        "{}",
        ran.out
    );
    for line in [
        "  left out: line 1, message 1@x: Subject is longer than 2000 characters and was cut there\n",
        "  left out: line 1, message 1@x: a name or an address in From is longer than 1000 characters and was cut there\n",
        "Not all of each entry was stored: see the lines that begin with `left out`.\n",
    ] {
        assert!(ran.out.contains(line), "{line} is not in {}", ran.out);
    }

    let weight = "<HealthData>\n<Record type=\"HKQuantityTypeIdentifierBodyMass\" unit=\"furlong\" value=\"70\" \
        startDate=\"2026-03-01 07:12:00 +0100\"/>\n</HealthData>";
    let ran = push_files(&newcomer, "export.xml", weight).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [1, 0, 1]),
        "{}",
        ran.out
    );
    let line = "  refused: line 2, Record HKQuantityTypeIdentifierBodyMass 2026-03-01 07:12:00 +0100: unit `furlong`: does \
        not lead to kg, in which weight is kept; send kg\n";
    assert!(ran.out.contains(line), "{}", ran.out);

    let head = "Type,Started Date,Completed Date,Description,Amount,Fee,Currency,Balance\n";
    let cash = "ATM,2026-01-02 10:00:00,2026-01-03 08:00:00,Cash,-20.00,1.50,GBP,78.50\n";
    let ran = push_files(&newcomer, "one.csv", format!("{head}{cash}")).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [1, 1, 0]),
        "{}",
        ran.out
    );
    let line =
        "  left out: line 2: no balance of the file says whether Fee `1.50` is part of the amount";
    assert!(ran.out.contains(line), "{}", ran.out);
    assert_eq!(money(&newcomer).await, ["-20.0000 2026-01-02 09:00:00"]);

    let before = "TOPUP,2026-01-01 09:00:00,2026-01-01 09:00:05,Top-up,100.00,0.00,GBP,100.00\n";
    let ran = push_files(&newcomer, "all.csv", format!("{head}{before}{cash}")).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [2, 2, 0]),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("(1 new, 1 changed"),
        "the row is the same: {}",
        ran.out
    );
    let stored = [
        "100.0000 2026-01-01 08:00:00",
        "-21.5000 2026-01-02 09:00:00",
    ];
    assert_eq!(money(&newcomer).await, stored);
}

#[actix_web::test]
async fn a_name_that_was_probably_meant_to_be_another_is_told_once() {
    let newcomer = Newcomer::arrive().await;
    let line = |id: usize| {
        format!(
            "{{\"target\":\"finance.transactions\",\"id\":\"{id}\",\"amount\":-4,\"booked_on\":\"2026-03-01\",\
             \"desciption\":\"tea\"}}\n"
        )
    };
    // More than one batch.
    let lines: String = (0..1_500).map(line).collect();
    let ran = push_files(&newcomer, "own.jsonl", lines).await;
    assert_eq!((ran.code, totals(&ran.out)), (Some(0), [1_500, 1_500, 0]));
    let told = "  note: `desciption` is no field of finance.transactions and was kept in `extra`; was `description` meant?\n";
    assert_eq!(ran.out.matches(told).count(), 1, "{}", ran.out);
}

/// Amount and moment of what is stored; a time without a zone is in the operator's zone, which is Berlin here.
async fn money(newcomer: &Newcomer) -> Vec<String> {
    let client = newcomer.app.database.connect().await;
    let statement = "SELECT amount::text || ' ' || (transacted_at AT TIME ZONE 'UTC')::text FROM finance.transactions
        ORDER BY booked_on";
    let rows = client.query(statement, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Widths are in columns of the terminal: a Chinese character has two, a combining character none.
#[actix_web::test]
async fn the_table_is_straight_whatever_the_files_are_called() {
    let newcomer = Newcomer::arrive().await;
    let names = ["a.vcf", "会議の予定.vcf", "🎂.vcf", "cafe\u{301}.vcf"];
    for name in names {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n";
        std::fs::write(newcomer.path(name), card).unwrap();
    }
    let ran = newcomer.push(&[&names[..], &CREATE[..]].concat()).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let columns = |text: &str| -> usize {
        let wide = |letter: char| !letter.is_ascii() && letter != '\u{301}';
        let of = |letter| {
            if letter == '\u{301}' {
                0
            } else {
                1 + usize::from(wide(letter))
            }
        };
        text.chars().map(of).sum()
    };
    let (_, table) = ran.out.rsplit_once("\n\n").unwrap();
    let lengths: Vec<_> = table.lines().map(columns).collect();
    assert_eq!(lengths.len(), 2 + names.len(), "{table}");
    assert!(
        lengths.iter().all(|length| *length == lengths[0]),
        "{table}"
    );
}

/// Of a mail sent to a mailing list, the copy sent and the copy received are two mails, in every push.
#[actix_web::test]
async fn two_files_with_one_message_id_are_two_mails_if_they_differ_and_stay_so() {
    let newcomer = Newcomer::arrive().await;
    let sent = "Message-ID: <1@x>\r\nFrom: a@b.example\r\nSubject: Tea\r\n\r\nAt five?\r\n";
    let received = sent.replace("Subject: Tea", "Subject: [list] Tea");
    let apple = format!("{}\n{received}<plist></plist>\n", received.len());
    std::fs::create_dir(newcomer.path("mail")).unwrap();
    for (name, content) in [
        ("mail/a.eml", sent),
        ("mail/b.eml", received.as_str()),
        ("mail/c copy.eml", sent),
        ("mail/d.emlx", apple.as_str()),
    ] {
        std::fs::write(newcomer.path(name), content).unwrap();
    }
    let push = async || newcomer.push(&[&["mail"], &CREATE[..]].concat()).await;
    let subjects = async || -> Vec<String> {
        let client = newcomer.app.database.connect().await;
        let statement = "SELECT source_id || ' ' || subject FROM mail.messages ORDER BY 1";
        let rows = client.query(statement, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    };
    let first = push().await;
    assert_eq!(
        (first.code, totals(&first.out)),
        (Some(0), [4, 4, 0]),
        "{}",
        first.out
    );
    let stored = ["1@x Tea", "1@x~2 [list] Tea"];
    assert_eq!(subjects().await, stored);
    for _ in 0..2 {
        let again = push().await;
        assert_eq!(totals(&again.out), [4, 4, 0], "{}", again.out);
        let unchanged = again.out.matches("(0 new, 0 changed, 1 unchanged)").count();
        assert_eq!(unchanged, 4, "{}", again.out);
        assert_eq!(subjects().await, stored);
    }
}
