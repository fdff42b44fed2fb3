//! All real files as one folder, by the program itself: each is stored or refused, and a second push changes nothing.

use super::fixture;
use super::program::{Newcomer, Ran};
use crate::support::household::{fixtures, totals};

/// The kinds of real files: folder, ending, how an entry begins, and the tables that hold what becomes of it.
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
/// What the program tells before its reasons.
const NOT: [&str; 2] = ["  refused: ", "  not read: "];

/// What was told of one file.
struct Told<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
}

/// The files in the order of the report.
fn each(ran: &Ran) -> Vec<Told<'_>> {
    let own = fixture("");
    let mut files: Vec<Told<'_>> = Vec::new();
    for line in ran.out.lines() {
        if line.starts_with(own.to_str().unwrap()) {
            files.push(Told {
                name: line,
                lines: Vec::new(),
            });
        } else if let Some(file) = files.last_mut().filter(|_| line.starts_with("  ")) {
            file.lines.push(line);
        }
    }
    files
}

/// Entries, stored and refused, as the line of a file says: `  3 entries: 2 stored (2 new, …), 1 refused`.
fn counts(told: &Told<'_>) -> Option<[u64; 3]> {
    let line = told
        .lines
        .iter()
        .rev()
        .find(|line| line.contains(" stored"))?;
    let number_before = |word: &str| {
        let before = line
            .split(word)
            .next()
            .filter(|before| before.len() < line.len());
        let number = before.and_then(|before| before.split_whitespace().last());
        number.map_or(0, |number| number.parse().unwrap())
    };
    let entries = line.split_whitespace().next().unwrap().parse().unwrap();
    Some([entries, number_before(" stored"), number_before(" refused")])
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
    let folder = fixture("");
    let all = [
        folder.to_str().unwrap(),
        "--create",
        "--secret-file",
        "secrets",
    ];
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
    for told in &told {
        let is_refused = NOT.map(|not| told.lines.iter().any(|line| line.starts_with(not)));
        match counts(told) {
            Some([entries, stored, refused]) => {
                assert_eq!(entries, stored + refused, "{}", told.name);
                assert!(
                    refused == 0 || is_refused[0],
                    "{}: {:?}",
                    told.name,
                    told.lines
                );
                sum = [sum[0] + entries, sum[1] + stored, sum[2] + refused];
            }
            None => assert!(
                is_refused.contains(&true),
                "{}: {:?}",
                told.name,
                told.lines
            ),
        }
    }
    assert_eq!(
        sum,
        [entries, stored, refused],
        "the table is the sum of the files"
    );
    for (kind, ending, beginnings, _) in KINDS
        .iter()
        .filter(|(.., beginnings, _)| !beginnings.is_empty())
    {
        let begun: usize = fixtures(kind, ending)
            .iter()
            .map(|file| String::from_utf8_lossy(&std::fs::read(file).unwrap()).to_uppercase())
            .flat_map(|text| {
                text.lines()
                    .map(|line| line.trim().to_owned())
                    .collect::<Vec<_>>()
            })
            .filter(|line| beginnings.contains(&line.as_str()))
            .count();
        let ours = told
            .iter()
            .filter(|told| told.name.contains(&format!("/{kind}/")));
        let ours: u64 = ours.filter_map(counts).map(|[entries, ..]| entries).sum();
        assert_eq!(ours, begun as u64, "{kind}");
    }
    let letters = fixtures("mail", "eml").len() as u64;
    let ours = told.iter().filter(|told| told.name.ends_with(".eml"));
    assert_eq!(
        ours.filter_map(counts)
            .map(|[entries, ..]| entries)
            .sum::<u64>(),
        letters
    );
    let (connections, before) = (newcomer.connections().await.len(), rows(&newcomer).await);
    let again = newcomer.push(&all).await;
    assert_eq!(totals(&again.out), [entries, stored, refused]);
    assert!(!again.out.contains("made connection"), "{}", again.out);
    let is_nothing_new = |line: &str| !line.contains(" stored (") || line.contains("(0 new");
    assert!(again.out.lines().all(is_nothing_new), "{}", again.out);
    assert_eq!(newcomer.connections().await.len(), connections);
    assert_eq!(rows(&newcomer).await, before);
}
