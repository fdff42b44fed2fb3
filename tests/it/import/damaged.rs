//! Files that are incomplete, or not what they claim to be: refused, and nothing has changed.

use std::io::Cursor;
use std::ops::Range;

use serde_json::json;
use zip::ZipArchive;

use super::{Entries, export, import, refused};
use crate::support::TestApp;
use crate::support::planted::plant_some;

const BOMB_BYTES: usize = 8 * 1024 * 1024;

async fn bundle() -> Vec<u8> {
    let app = TestApp::start().await;
    plant_some(&app, &["mail.messages", "contacts.people", "health.sleeps"]).await;
    app.key_of("laptop", &["mail"]).await;
    export(&app).await
}

#[actix_web::test]
async fn a_file_that_was_cut_or_is_none_is_refused() {
    let (bundle, app) = (bundle().await, TestApp::start().await);
    for part in [0, 1, 2, 5, 9] {
        let cut = bundle[..bundle.len() * part / 10].to_vec();
        refused(&app, cut, 400).await;
    }
    for bytes in [
        bundle[..bundle.len() - 1].to_vec(),
        b"{}".to_vec(),
        [&bundle[..], b"x"].concat(),
        [b"x", &bundle[..]].concat(),
    ] {
        refused(&app, bytes, 400).await;
    }
    import(&app, bundle).await.expect(200);
}

/// Some bytes of the zip format mean nothing (the time of an entry); then what is imported is what was exported.
#[actix_web::test]
async fn a_file_with_one_byte_changed_is_refused_or_means_the_same() {
    let (bundle, mut app) = (bundle().await, TestApp::start().await);
    let data = data_of_entries(&bundle);
    // Spread over the whole file, and denser at its end.
    let step = bundle.len() / 24;
    let spread = (0..bundle.len()).step_by(step);
    let end = (bundle.len() - 60..bundle.len()).step_by(7);
    let longest = data.iter().filter(|range| range.len() > 100);
    let amid = longest.map(|range| range.start + range.len() / 2);
    for (number, place) in spread.chain(end).chain(amid).enumerate() {
        let mut changed = bundle.clone();
        changed[place] ^= 1 << (number % 8);
        let answer = import(&app, changed).await;
        match answer.status.as_u16() {
            200 => {
                let is_data = data.iter().any(|range| range.contains(&place));
                assert!(!is_data, "byte {place} is of an entry's data");
                let (was, is) = (Entries::of(&bundle), Entries::of(&export(&app).await));
                for name in [
                    "mail.messages.jsonl",
                    "contacts.people.jsonl",
                    "connections.jsonl",
                ] {
                    assert_eq!(was.named()[name], is.named()[name], "byte {place}");
                }
                app = TestApp::start().await;
            }
            400 => super::assert_nothing_came(&app).await,
            _ => panic!("byte {place}: {answer:?}"),
        }
    }
}

/// Where the data of the entries lies, each without its last byte, some bits of which mean nothing. None of it can change unseen: each
/// entry has its checksum.
fn data_of_entries(bundle: &[u8]) -> Vec<Range<usize>> {
    let mut zip = ZipArchive::new(Cursor::new(bundle)).unwrap();
    let entries = 0..zip.len();
    let range = |entry| {
        let entry = zip.by_index_raw(entry).unwrap();
        let (start, length) = (entry.data_start().unwrap(), entry.compressed_size());
        let start = usize::try_from(start).unwrap();
        start..start + usize::try_from(length).unwrap().saturating_sub(1)
    };
    entries.map(range).collect()
}

#[actix_web::test]
async fn entries_that_are_missing_more_or_twice_are_refused() {
    let entries = Entries::of(&bundle().await);
    let app = TestApp::start().await;
    for name in [
        "manifest.json",
        "mail.messages.jsonl",
        "connections.jsonl",
        "mail.mbox",
    ] {
        let mut less = entries.clone();
        less.0.retain(|(there, _)| there != name);
        refused(&app, less.packed(), 400).await;
    }
    for name in [
        "more.txt",
        "../../etc/passwd",
        "/etc/passwd",
        "mail.messages.jsonl/",
        "C:\\x",
        "mail.messages.jsonl ",
    ] {
        let mut more = entries.clone();
        more.0.push((name.to_owned(), b"{}\n".to_vec()));
        refused(&app, more.packed(), 400).await;
    }
    // Listed in the manifest as well.
    for name in ["finance.secrets", "public.users", "../x"] {
        let mut more = entries.clone();
        more.0.push((format!("{name}.jsonl"), Vec::new()));
        more.edit(name, Vec::clear);
        refused(&app, more.packed(), 400).await;
    }
    let mut twice = entries.packed();
    // The writer cannot produce such a zip: one name is overwritten with another of the same length.
    for (from, to) in [(b"health.sleeps.jsonl", b"health.cycles.jsonl")] {
        while let Some(place) = twice.windows(from.len()).position(|bytes| bytes == from) {
            twice[place..place + from.len()].copy_from_slice(to);
        }
    }
    let said = refused(&app, twice, 400).await;
    assert!(said.contains("twice"), "{said}");
}

#[actix_web::test]
async fn a_manifest_that_says_something_else_is_refused() {
    let entries = Entries::of(&bundle().await);
    let app = TestApp::start().await;
    let zeros = "0".repeat(64);
    for (pointer, value, said) in [
        ("/format", json!("sextant"), "another program's"),
        ("/version", json!(5), "version 5"),
        ("/version", json!(0), "version 0"),
        ("/sector", json!("mail"), "no export holds"),
        (
            "/tables/mail.messages/sha256",
            json!(zeros),
            "mail.messages.jsonl: it is not what was written",
        ),
        (
            "/files/mail.mbox/sha256",
            json!(zeros),
            "mail.mbox: it is not what was written",
        ),
        (
            "/tables/audit_log/sha256",
            json!(zeros),
            "audit_log.jsonl: it is not what was written",
        ),
        (
            "/tables/mail.messages/bytes",
            json!(7),
            "mail.messages.jsonl: it is not as long",
        ),
        (
            "/tables/mail.messages/rows",
            json!(7),
            "mail.messages.jsonl: it has not as many lines",
        ),
        ("/tables", json!({}), "does not tell of"),
    ] {
        let (mut changed, mut manifest) = (entries.clone(), entries.manifest());
        *manifest.pointer_mut(pointer).unwrap() = value;
        changed.set_manifest(&manifest);
        let told = refused(&app, changed.packed(), 400).await;
        assert!(told.contains(said), "{pointer}: {told}");
    }
    for manifest in ["", "{}", "[]", "\u{0}"] {
        let mut changed = entries.clone();
        *changed.entry("manifest.json") = manifest.as_bytes().to_vec();
        refused(&app, changed.packed(), 400).await;
    }
}

#[actix_web::test]
async fn a_bomb_is_refused_as_soon_as_it_gives_more_than_was_told() {
    let mut entries = Entries::of(&bundle().await);
    let app = TestApp::start().await;
    // A line without an end, which compresses to a thousandth; the manifest does not list it.
    *entries.entry("mail.messages.jsonl") = vec![b' '; BOMB_BYTES];
    let said = refused(&app, entries.packed(), 400).await;
    assert!(said.contains("not as long"), "{said}");
    // A line that the manifest lists correctly, but that is no row.
    let line = " ".repeat(BOMB_BYTES);
    entries.edit("mail.messages", |lines| *lines = vec![line]);
    let said = refused(&app, entries.packed(), 400).await;
    assert!(said.contains("mail.messages.jsonl, line 1"), "{said}");
}

/// The sizes in the zip's directory are enough to refuse it: nothing is decompressed.
#[actix_web::test]
async fn a_file_that_would_unpack_to_far_more_than_it_holds_is_refused() {
    const LISTED: &[u8] = b"PK\x01\x02";
    const SIZE_AT: usize = 24;
    let entries = Entries::of(&bundle().await);
    let app = TestApp::start().await;
    let mut swollen = entries.packed();
    let places: Vec<usize> = swollen
        .windows(LISTED.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == LISTED)
        .map(|(place, _)| place + SIZE_AT)
        .collect();
    for place in places.into_iter().take(20) {
        let size = 15_u32 * 1024 * 1024;
        swollen[place..place + 4].copy_from_slice(&size.to_le_bytes());
    }
    let said = refused(&app, swollen, 400).await;
    assert!(said.contains("more than any export holds"), "{said}");
    let mut many = entries;
    many.0
        .extend((0..200).map(|number| (format!("{number}.jsonl"), Vec::new())));
    let said = refused(&app, many.packed(), 400).await;
    assert!(said.contains("more entries than any export"), "{said}");
}
