//! Entries are read back as written, and a torn or damaged file is never read as other entries.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit_queue::frame::{self, EntryFrames, HEADER_BYTES, SegmentHeader, whole};
use crate::domain::{CleanText, Decision, Outcome, Sector};
use crate::entry::{AuditEntry, SafeArgs, decode, encode};
use crate::limits::JOURNAL_ENTRY_BYTES_MAX;

const JOURNAL: Uuid = Uuid::from_u128(1);

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(count)
    }
}

fn args() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,12}".prop_map(Value::from),
        Just(serde_json::from_str("-1.50e-3000").unwrap()),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn entries() -> impl Strategy<Value = AuditEntry> {
    let who = (
        prop::option::of(any::<u128>().prop_map(Uuid::from_u128)),
        prop::option::of(".{0,12}"),
        prop::option::of(prop::sample::select(Sector::ALL.to_vec())),
    );
    let what = (
        ".{0,12}",
        prop::option::of(".{0,20}"),
        prop::option::of(args()),
        prop::option::of(any::<i32>()),
        prop::option::of(any::<bool>()),
        prop::option::of(".{0,12}"),
    );
    (who, what).prop_map(
        |((user_id, agent_id, sector), (tool, denied, args, result_count, worked, request_id))| {
            AuditEntry {
                user_id,
                agent_id: agent_id.map(CleanText::from),
                tool: tool.into(),
                sector,
                decision: denied.map_or(Decision::Allow, |reason| Decision::Deny(reason.into())),
                args: args.as_ref().map(SafeArgs::of),
                result_count,
                outcome: worked.map(|worked| match worked {
                    true => Outcome::Ok,
                    false => Outcome::Error,
                }),
                request_id: request_id.map(CleanText::from),
            }
        },
    )
}

fn append(frames: &mut Vec<u8>, number: u64, line: &[u8]) -> Option<usize> {
    frame::append(frames, JOURNAL, number, |frames| {
        frames.extend(line);
        Some(())
    })
}

/// A segment of these lines, each `leap` above the one before; where each entry ends.
fn segment(lines: &[Vec<u8>], before: u64, leap: u64) -> (Vec<u8>, Vec<usize>) {
    let header = SegmentHeader {
        journal: JOURNAL,
        before,
    };
    let (mut bytes, mut ends, mut number) = (header.encode(), Vec::new(), before);
    for line in lines {
        number += leap;
        append(&mut bytes, number, line).unwrap();
        ends.push(bytes.len());
    }
    (bytes, ends)
}

fn read(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let frames = EntryFrames::of_segment(JOURNAL, bytes)
        .into_iter()
        .flatten();
    frames
        .map(|frame| (frame.number, frame.line.to_vec()))
        .collect()
}

fn lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..12)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn an_entry_is_read_as_it_was_written(entry in entries()) {
        let mut line = Vec::new();
        encode(&entry, &mut line).unwrap();
        prop_assert_eq!(decode(&line), Some(entry));
    }

    #[test]
    fn r024_a_torn_segment_gives_what_was_whole(lines in lines(), before in 0..1_u64 << 40, leap in 1..9_u64, cut in any::<prop::sample::Index>()) {
        let (bytes, ends) = segment(&lines, before, leap);
        let all = read(&bytes);
        prop_assert_eq!(all.len(), lines.len());
        let cut = cut.index(bytes.len() + 1);
        let whole = match cut < HEADER_BYTES {
            true => 0,
            false => ends.iter().filter(|end| **end <= cut).count(),
        };
        prop_assert_eq!(read(&bytes[..cut]), all[..whole].to_vec());
    }

    #[test]
    fn r024_a_flipped_bit_ends_the_segment_before_it(lines in lines(), bit in any::<prop::sample::Index>()) {
        let (mut bytes, ends) = segment(&lines, 7, 1);
        let all = read(&bytes);
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let whole = match bit / 8 < HEADER_BYTES {
            true => 0,
            false => ends.iter().filter(|end| **end <= bit / 8).count(),
        };
        prop_assert_eq!(read(&bytes), all[..whole].to_vec());
    }

    #[test]
    fn r024_garbage_behind_a_segment_is_no_entry(lines in lines(), garbage in prop::collection::vec(any::<u8>(), 0..80)) {
        let (mut bytes, _) = segment(&lines, 7, 1);
        let all = read(&bytes);
        bytes.extend(garbage);
        prop_assert_eq!(read(&bytes), all);
    }

    #[test]
    fn a_write_that_broke_off_is_cut_back_to_whole_entries(lines in lines(), written in any::<prop::sample::Index>()) {
        let (bytes, ends) = segment(&lines, 0, 1);
        let frames = &bytes[HEADER_BYTES..];
        let written = written.index(frames.len() + 1);
        let last = ends.iter().map(|end| end - HEADER_BYTES).filter(|end| *end <= written).max();
        prop_assert_eq!(whole(frames, written), last.unwrap_or(0));
    }
}

#[test]
fn a_line_of_an_earlier_version_is_read_and_made_safe() {
    let line = br#"{"u":"00000000-0000-0000-0000-000000000001","a":"amy","t":"query","s":"mail","p":{"n":1.50,"api_key":"x"},"n":3,"o":true,"r":"7\u0000"}"#;
    let expected = AuditEntry {
        user_id: Some(Uuid::from_u128(1)),
        agent_id: Some("amy".into()),
        sector: Some(Sector::Mail),
        args: Some(SafeArgs::of(
            &serde_json::from_str(r#"{"n":1.50,"api_key":0}"#).unwrap(),
        )),
        result_count: Some(3),
        outcome: Some(Outcome::Ok),
        request_id: Some("7\u{fffd}".into()),
        ..AuditEntry::unfinished("query")
    };
    assert_eq!(decode(line), Some(expected));
}

#[test]
fn another_journals_entries_are_none_of_this() {
    let (bytes, _) = segment(&[b"a".to_vec(), b"b".to_vec()], 0, 1);
    assert!(EntryFrames::of_segment(Uuid::from_u128(2), &bytes).is_none());
    assert_eq!(
        EntryFrames::of(Uuid::from_u128(2), 0, &bytes[HEADER_BYTES..]).count(),
        0
    );
}

#[test]
fn an_entry_that_was_written_twice_is_read_once() {
    let (mut bytes, _) = segment(&[b"a".to_vec()], 0, 1);
    append(&mut bytes, 1, b"a").unwrap();
    assert_eq!(read(&bytes), [(1, b"a".to_vec())]);
}

#[test]
fn an_entry_beyond_the_bound_is_not_written() {
    let mut frames = b"before".to_vec();
    let long = vec![b' '; JOURNAL_ENTRY_BYTES_MAX + 1];
    assert_eq!(append(&mut frames, 1, &long), None);
    assert_eq!(frame::append(&mut frames, JOURNAL, 1, |_| None), None);
    assert_eq!(frames, b"before");
}
