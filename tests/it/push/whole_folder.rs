//! All real files of four kinds, folder by folder, pushed by the real program: each is stored or refused, and a second push changes
//! nothing.

use super::fixture;
use super::program::{Newcomer, Ran};
use crate::support::household::{fixtures, totals};

/// The kinds of real files: folder, ending, how an entry begins, and the tables that hold the entries.
const KINDS: [(&str, &str, &[&str], &[&str]); 4] = [
    (
        "bank",
        "ofx",
        &[],
        &[
            "finance.transactions",
            "finance.holdings",
            "finance.accounts",
        ],
    ),
    (
        "calendar",
        "ics",
        &[
            "BEGIN:VEVENT",
            "BEGIN:VTODO",
            "BEGIN:VJOURNAL",
            "BEGIN:VFREEBUSY",
            // Misspelt in one of the files.
            "BEGIN:VJOURJAL",
        ],
        &["calendar.series"],
    ),
    (
        "contacts",
        "vcf",
        &["BEGIN:VCARD"],
        &["contacts.people", "contacts.groups"],
    ),
    ("mail", "eml", &[], &["mail.messages"]),
];
/// What the program prints before its reasons.
const NOT: [&str; 2] = ["  refused: ", "  not read: "];

/// The report on one file: its lines, and its row of the table (entries, stored, refused).
struct Told<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
    counts: [u64; 3],
}

/// The files in the order of the report.
fn each(ran: &Ran) -> Vec<Told<'_>> {
    let own = fixture("").to_str().unwrap().to_owned();
    let mut files: Vec<Told<'_>> = Vec::new();
    for line in ran.out.lines() {
        let mut words = line.split_whitespace();
        let name = words.next().filter(|name| name.starts_with(&own));
        let counts: Vec<u64> = words.map_while(|word| word.parse().ok()).take(3).collect();
        match (name, <[u64; 3]>::try_from(counts)) {
            (Some(name), Ok(counts)) => {
                let file = files.iter_mut().find(|told| told.name == name);
                file.unwrap().counts = counts;
            }
            (Some(name), Err(_)) => files.push(Told {
                name,
                lines: Vec::new(),
                counts: [0; 3],
            }),
            (None, _) => {
                let file = files.last_mut().filter(|_| line.starts_with("  "));
                file.into_iter().for_each(|file| file.lines.push(line));
            }
        }
    }
    files
}

/// How many entries begin in a file, counted by its lines alone; a mail file is one.
fn begun_in(name: &str) -> u64 {
    let text = std::fs::read(name).unwrap();
    let text = String::from_utf8_lossy(&text).to_uppercase();
    let kind = KINDS
        .iter()
        .find(|(_, ending, ..)| name.ends_with(&format!(".{ending}")));
    let (.., beginnings, _) = kind.unwrap();
    let begun = text
        .lines()
        .filter(|line| beginnings.contains(&line.trim()));
    if beginnings.is_empty() {
        1
    } else {
        begun.count() as u64
    }
}

async fn rows(newcomer: &Newcomer) -> Vec<i64> {
    let mut rows = Vec::new();
    for table in KINDS.iter().flat_map(|(.., tables)| *tables) {
        rows.push(newcomer.count(table).await);
    }
    rows
}

#[actix_web::test]
async fn every_real_file_is_stored_or_refused_with_its_reason_and_again_nothing_changes() {
    let newcomer = Newcomer::arrive().await;
    let folders = KINDS.map(|(kind, ..)| fixture(kind).to_str().unwrap().to_owned());
    let folders = folders.each_ref().map(String::as_str);
    let all = [&folders[..], &["--create", "--secret-file", "secrets"]].concat();
    let first = newcomer.push(&all).await;
    assert_eq!(
        (first.code, first.err.as_str()),
        (Some(1), ""),
        "{}",
        first.out
    );
    let [entries, stored, refused] = totals(&first.out);
    let told = each(&first);
    let files: Vec<_> = KINDS
        .iter()
        .flat_map(|(kind, ending, ..)| fixtures(kind, ending))
        .collect();
    let names: Vec<_> = told.iter().map(|told| told.name).collect();
    assert_eq!(
        names,
        files
            .iter()
            .map(|file| file.to_str().unwrap())
            .collect::<Vec<_>>()
    );
    let mut sum = [0; 3];
    for Told {
        name,
        lines,
        counts,
    } in &told
    {
        let is_told = |beginning: &&str| lines.iter().any(|line| line.starts_with(*beginning));
        assert_eq!(counts[0], counts[1] + counts[2], "{name}");
        assert!(counts[2] == 0 || is_told(&NOT[0]), "{name}: {lines:?}");
        assert!(counts[0] > 0 || !lines.is_empty(), "{name}");
        sum = [0, 1, 2].map(|at| sum[at] + counts[at]);
    }
    assert_eq!(
        sum,
        [entries, stored, refused],
        "the table is the sum of the files"
    );
    for Told {
        name,
        lines,
        counts,
    } in told.iter().filter(|told| !told.name.ends_with(".ofx"))
    {
        assert_eq!(counts[0], begun_in(name), "{name}: {lines:?}");
    }
    let (connections, before) = (newcomer.connections().await.len(), rows(&newcomer).await);
    let again = newcomer.push(&all).await;
    assert_eq!(totals(&again.out), [entries, stored, refused]);
    assert!(!again.out.contains("made connection"), "{}", again.out);
    let is_nothing_new = |line: &str| !line.contains(" stored (") || line.contains("(0 new");
    assert!(again.out.lines().all(is_nothing_new), "{}", again.out);
    assert_eq!(newcomer.connections().await.len(), connections);
    assert_eq!(rows(&newcomer).await, before);
}
