use super::*;
use crate::ingest::RecordOutcome;
use crate::intake::{BatchOutcome, OnProgress, Route, Routes, StoredBatch};
use futures_util::FutureExt as _;
use sextant_formats::Options;
use std::path::PathBuf;

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTART:20260601T100000Z\r\nSUMMARY:One\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:two\r\nDTSTART:20260602T100000Z\r\nSUMMARY:Two\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
const BOOKINGS: &str = "Date,Description,Amount\n2026-06-01,Bread,-3.20\n";

/// Keeps how many rows of a batch came for which connection.
struct KeptBatches {
    routes: Routes,
    rows_max: usize,
    pushed: Vec<(usize, usize)>,
}

impl KeptBatches {
    fn with_calendar(rows_max: usize) -> Self {
        let calendar = Route {
            id: "dates".to_owned(),
            table: Some("calendar.series".to_owned()),
            closed: None,
        };
        Self {
            routes: Routes::new(vec![calendar], 0),
            rows_max,
            pushed: Vec::new(),
        }
    }
}

impl Sink for KeptBatches {
    type Error = io::Error;

    async fn route(&mut self, target: Option<&str>) -> io::Result<RecordRoute> {
        Ok(match self.routes.find(target) {
            Ok(connection) => RecordRoute::To(connection),
            Err(_) => RecordRoute::None("no connection takes it".to_owned()),
        })
    }

    async fn push(&mut self, connection: usize, batch: &PushBatch) -> io::Result<BatchOutcome> {
        if batch.len() > self.rows_max {
            return Ok(BatchOutcome::TooLarge("it is too large"));
        }
        self.pushed.push((connection, batch.len()));
        Ok(BatchOutcome::Stored(StoredBatch {
            outcomes: vec![RecordOutcome::Inserted; batch.len()],
            ..StoredBatch::default()
        }))
    }
}

/// Keeps what was told, a line each.
#[derive(Default)]
struct KeptEvents(Vec<String>);

impl Listener for KeptEvents {
    fn begin_file(&mut self, _: &str, _: Option<u64>) -> io::Result<OnProgress> {
        self.0.push("begun".to_owned());
        Ok(OnProgress::new(|_| {}))
    }

    fn hear(&mut self, event: IntakeEvent) -> io::Result<()> {
        self.0.push(match event {
            IntakeEvent::Stored {
                connection, counts, ..
            } => format!("{} stored by {connection}", counts.inserted),
            IntakeEvent::Unread { question, .. } => format!("unread: {question:?}"),
            IntakeEvent::Refused { reason, .. } => format!("refused: {reason}"),
            IntakeEvent::LeftBehind(kinds) if kinds.is_empty() => return Ok(()),
            event => format!("{event:?}"),
        });
        Ok(())
    }

    fn is_full(&self) -> bool {
        false
    }
}

fn load(
    sink: &mut KeptBatches,
    files: &[(&str, &str)],
    stop: &StopRequest,
    options: Options,
) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, text): &(&str, &str)| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let paths: Vec<PathBuf> = files.iter().map(write).collect();
    let mut events = KeptEvents::default();
    let mut loader = FileLoader::new(Answers::of_all(options), true, (sink, &mut events), stop);
    let loaded = loader.load(&mut FileWalk::new(&paths)).now_or_never();
    loaded.unwrap().unwrap();
    events.0
}

#[test]
fn records_reach_the_connection_of_their_table_in_halves_if_need_be() {
    let mut sink = KeptBatches::with_calendar(1);
    let stop = StopRequest::default();
    let events = load(
        &mut sink,
        &[("dates.ics", CALENDAR)],
        &stop,
        Options::default(),
    );
    assert_eq!(sink.pushed, [(0, 1), (0, 1)]);
    assert_eq!(
        events,
        ["begun", "1 stored by 0", "1 stored by 0", "FileEnded"]
    );
    let mut none = KeptBatches::with_calendar(0);
    let events = load(
        &mut none,
        &[("dates.ics", CALENDAR)],
        &stop,
        Options::default(),
    );
    assert_eq!(events[1..3], ["refused: it is too large"; 2]);
}

#[test]
fn what_a_file_leaves_open_is_a_question_and_an_answer_is_heeded() {
    let mut sink = KeptBatches::with_calendar(9);
    let stop = StopRequest::default();
    let bank = |options| ("bank.csv", BOOKINGS, options);
    let named = |currency: Option<&str>| Options {
        currency: currency.map(str::to_owned),
        account: Some("Checking".to_owned()),
        ..Options::default()
    };
    let (name, text, options) = bank(named(None));
    let events = load(&mut sink, &[(name, text)], &stop, options);
    assert_eq!(events, ["begun", "unread: Some(Currency)", "FileEnded"]);
    let (name, text, options) = bank(named(Some("EUR")));
    let events = load(&mut sink, &[(name, text)], &stop, options);
    assert!(
        events.contains(&"refused: no connection takes it".to_owned()),
        "{events:?}"
    );
}

#[test]
fn statements_without_an_account_are_questions_if_they_are_several() {
    let mut sink = KeptBatches::with_calendar(9);
    let files = [("a.csv", BOOKINGS), ("b.csv", BOOKINGS)];
    let events = load(
        &mut sink,
        &files,
        &StopRequest::default(),
        Options::default(),
    );
    let unread = ["begun", "unread: Some(Account)", "FileEnded"];
    assert_eq!(events, [unread, unread].concat());
}

#[test]
fn a_stop_ends_it_before_the_next_file() {
    let mut sink = KeptBatches::with_calendar(9);
    let stop = StopRequest::default();
    assert!(!stop.ask() && stop.ask());
    let files = [("a.ics", CALENDAR), ("b.ics", CALENDAR)];
    let events = load(&mut sink, &files, &stop, Options::default());
    assert_eq!(events.iter().filter(|event| *event == "begun").count(), 1);
    assert!(sink.pushed.is_empty());
}

#[test]
fn small_files_share_a_batch_and_are_told_one_after_another() {
    let mut sink = KeptBatches::with_calendar(9);
    let stop = StopRequest::default();
    let empty = ("c.ics", "");
    let files = [
        ("a.ics", CALENDAR),
        ("b.csv", BOOKINGS),
        empty,
        ("d.ics", CALENDAR),
    ];
    let events = load(&mut sink, &files, &stop, Options::default());
    assert_eq!(sink.pushed, [(0, 4)], "{events:?}");
    let stored = ["begun", "2 stored by 0", "FileEnded"];
    let unread = ["begun", "unread: Some(Currency)", "FileEnded"];
    assert_eq!(
        events,
        [
            &stored[..],
            &["begun", "Empty", "FileEnded"],
            &stored,
            &unread
        ]
        .concat()
    );
}
