//! Damaged health exports: complete entries are read, the others are reported with their place, and no entry is held
//! in memory or expanded.

use std::io::Write as _;

use super::health::{export, quantity, read_export};
use super::{Read, read_bytes};
use sextant_formats::{FileEntry, FileError, FileReader, FileSource};

fn weight(kilograms: u32) -> String {
    quantity("BodyMass", &kilograms.to_string(), "kg")
}

fn reasons(read: &Read) -> Vec<&str> {
    read.refused
        .iter()
        .map(|(_, reason)| reason.as_str())
        .collect()
}

/// The entries before the end, and the error at the end.
fn read_to_its_end(bytes: &[u8]) -> (Vec<FileEntry>, Option<String>) {
    let source = FileSource::Bytes {
        name: "export.xml".to_owned(),
        bytes: bytes.into(),
    };
    let (mut whole, mut failure) = (Vec::new(), None);
    for entry in FileReader::default().entries(&source).unwrap() {
        match entry {
            Ok(entry) => whole.push(entry),
            Err(error) => failure = Some(error.to_string()),
        }
    }
    (whole, failure)
}

fn refusal(name: &str, bytes: impl Into<Vec<u8>>) -> String {
    let source = FileSource::Bytes {
        name: name.to_owned(),
        bytes: bytes.into().into(),
    };
    match FileReader::default().entries(&source) {
        Err(error @ FileError::NotThisFormat(_)) => error.to_string(),
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("it was read"),
    }
}

#[test]
fn an_export_cut_off_in_the_middle_keeps_what_is_whole_and_says_so() {
    let whole = export(&(weight(70) + &weight(71)));
    let last = whole.rfind("value=\"71\"").unwrap();
    let (entries, failure) = read_to_its_end(&whole.as_bytes()[..last]);
    assert!(matches!(&entries[0], FileEntry::Record { .. }));
    let FileEntry::Refused { place, reason } = &entries[1] else {
        panic!("{:?}", entries[1])
    };
    assert_eq!(
        (place.to_string().as_str(), reason.as_str()),
        ("line 10, Record", "the file ends within it")
    );
    assert!(failure.unwrap().contains("something was cut off"));
}

#[test]
fn no_cut_loses_a_whole_entry_or_goes_unsaid() {
    let whole = export(&(weight(70) + &weight(71)));
    let (first, end) = (
        whole.find("70\"/>").unwrap() + 5,
        whole.rfind("</HealthData").unwrap(),
    );
    for cut in (first..end + "</HealthData>".len()).filter(|cut| whole.is_char_boundary(*cut)) {
        let (entries, failure) = read_to_its_end(&whole.as_bytes()[..cut]);
        let stored = entries
            .iter()
            .filter(|entry| matches!(entry, FileEntry::Record { .. }))
            .count();
        assert!(stored >= 1 && failure.is_some(), "cut at {cut}");
        assert!(entries.len() <= 2, "cut at {cut}: {entries:?}");
    }
}

#[test]
fn a_fault_costs_the_entry_it_stands_in_and_names_it() {
    for (from, to, reason) in [
        ("+0100\" endDate", "+9900\" endDate", "no time that exists"),
        (
            "startDate=\"2026-03-01",
            "startDate=\"2026-02-30",
            "its startDate `2026-02-30 07:12:00 +0100` is no time that exists",
        ),
        (
            "endDate=\"2026-03-01 07:12:30",
            "endDate=\"2026-03-01 07:11:59",
            "its endDate is before its startDate",
        ),
        ("\"70\"", "\"70,5\"", "its value `70,5` is not a number"),
        (
            "\"70\"",
            "\"seventy\"",
            "its value `seventy` is not a number",
        ),
        ("\"70\"", "\"NaN\"", "its value `NaN` is not a number"),
        ("value=\"70\"", "", "it has no value"),
        ("unit=\"kg\"", "", "it has no unit"),
        ("unit=\"kg\"", "unit=kg", "an attribute is broken"),
        ("unit=\"kg\"", "unit=\"kg", "another tag begins within it"),
        (
            "unit=\"kg\"",
            "unit=\"k\"g\"",
            "another tag begins within it",
        ),
        ("/>\n", "\n", "another tag begins within it"),
        ("\"Scale\"", "\"&lol9;\"", "`sourceName`: it cannot be read"),
        (
            "type=\"HKQuantityTypeIdentifierBodyMass\"",
            "",
            "it has no type",
        ),
    ] {
        let broken = weight(70).replace(from, to);
        assert_ne!(broken, weight(70));
        let read = read_export(&(broken + &weight(71)));
        assert_eq!(read.records.len(), 1, "{to}");
        assert_eq!(read.records[0].2["value"].to_string(), "71", "{to}");
        let reasons = reasons(&read);
        assert!(
            reasons.len() == 1 && reasons[0].contains(reason),
            "{to}: {reasons:?}"
        );
        assert!(read.refused[0].0.starts_with("line 9, Record"), "{to}");
    }
}

#[test]
fn what_has_no_table_is_refused_by_name() {
    let read = read_export(
        "<ClinicalRecord type=\"Immunization\" identifier=\"1\"/>\n<Audiogram type=\"x\"><SensitivityPoint frequencyValue=\"250\"/>\
         </Audiogram>\n<Surprise/>\nwords\n",
    );
    let expected = [
        (
            "line 9, ClinicalRecord Immunization",
            "clinical records have no table",
        ),
        (
            "line 10, Audiogram x",
            "no table takes entries of this kind",
        ),
        ("line 11, Surprise", "no table takes entries of this kind"),
        ("line 12", "the text `words` belongs to no entry"),
    ];
    assert_eq!(
        read.refused,
        expected.map(|(place, reason)| (place.to_owned(), reason.to_owned()))
    );
}

#[test]
fn other_files_are_refused_by_what_they_are() {
    for (bytes, reason) in [
        (
            "<?xml version=\"1.0\"?><ClinicalDocument xmlns=\"urn:hl7-org:v3\"/>".to_owned(),
            "clinical document",
        ),
        (
            "<rss><channel/></rss>".to_owned(),
            "neither the export of Apple Health",
        ),
        (weight(70), "neither the export of Apple Health"),
        ("<!-- -->".to_owned(), "no first tag was found"),
        ("x".repeat(3_000_000), "no first tag was found"),
    ] {
        let told = refusal("export.xml", bytes);
        assert!(told.contains(reason), "{told}");
    }
    let text = export(&weight(70));
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
    let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain(wide).collect();
    let told = refusal("export.xml", wide);
    assert!(told.contains("UTF-8"), "{told}");
}

#[test]
fn entities_are_never_expanded() {
    let lines = (1..10).map(|level| {
        let inner = format!("&lol{};", level - 1).repeat(10);
        format!("<!ENTITY lol{level} \"{inner}\">\n")
    });
    let bomb = format!("<!ENTITY lol0 \"lol\">\n{}", lines.collect::<String>());
    let body = weight(70) + &weight(71).replace("Scale", "&lol9;");
    let text = export(&body).replace("<!ELEMENT", &format!("{bomb}<!ELEMENT"));
    let read = read_bytes("export.xml", text);
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
    assert!(read.refused[0].1.contains("cannot be read"));
}

#[test]
fn a_document_type_that_is_broken_does_not_take_the_file_with_it() {
    for head in [
        "<!ATTLIST Audiogram\n  device CDATA #IMPLIED\n<!ELEMENT SensitivityPoint EMPTY>\n<!ELEMENT",
        "<!ATTLIST Record note CDATA \"a > b\">\n<!ELEMENT",
        "<!-- a > b ]> <Record/> -->\n<!ELEMENT",
    ] {
        let text = export(&weight(70)).replace("<!ELEMENT", head);
        let read = read_bytes("export.xml", text);
        assert_eq!((read.records.len(), read.refused.len()), (1, 0), "{head}");
    }
}

#[test]
fn control_characters_and_a_wrong_charset_are_read_as_they_are_meant() {
    let text = export(&weight(70).replace("Scale", "Sc\u{b}ale"));
    assert_eq!(
        read_bytes("export.xml", text).records[0].2["device"]["app_bundle"],
        "Scale"
    );
    let latin: Vec<u8> = export(&weight(70).replace("Scale", "B@renwaage"))
        .bytes()
        .map(|byte| if byte == b'@' { 0xE4 } else { byte })
        .collect();
    assert_eq!(
        read_bytes("export.xml", latin).records[0].2["device"]["app_bundle"],
        "Bärenwaage"
    );
    let marked = format!("\u{feff}{}", export(&weight(70)));
    assert_eq!(read_bytes("export.xml", marked).records.len(), 1);
}

#[test]
fn what_has_no_end_is_bounded_and_named() {
    let endless = "x".repeat(100 * 1024 * 1024);
    let attribute = weight(70).replace("Scale", &endless);
    let read = read_export(&(attribute + &weight(71)));
    assert_eq!(
        (read.records.len(), reasons(&read)),
        (1, vec!["it is longer than 65536 bytes"])
    );
    let endless = &endless[..10 * 1024 * 1024];
    let read = read_export(&format!("{}{endless}\n{}", weight(70), weight(71)));
    assert_eq!(read.records.len(), 2);
    let reason = reasons(&read)[0];
    assert!(reason.starts_with("the text `xxx") && reason.len() < 600);
    let (entries, failure) =
        read_to_its_end(export(&format!("{}<!-- {endless}", weight(70))).as_bytes());
    assert!(entries.len() == 1 && failure.is_some());
}

#[test]
fn what_was_not_closed_ends_where_the_next_begins() {
    let open = weight(70).replace("/>", ">");
    let part = "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\">";
    let read = read_export(&format!("{open}{part}{}</Workout></Record>", weight(71)));
    assert_eq!((read.records.len(), read.refused.len()), (2, 0));
    assert_eq!(read.records[0].2["meta"]["HKWasUserEntered"], "1");
    let read = read_export(&format!(
        "{}<Correlation type=\"x\">{}",
        weight(70),
        weight(71).repeat(200)
    ));
    assert_eq!(read.records.len(), 1 + 200 - 128);
    assert!(reasons(&read)[0].contains("it has no end"));
}

#[test]
fn a_part_that_is_broken_spoils_its_entry() {
    let whole = "<Record type=\"HKQuantityTypeIdentifierBodyMass\" unit=\"kg\" startDate=\"2026-03-01 07:12:00 +0100\" value=\"70\">\n\
                 <MetadataEntry key=\"a\" value=b/>\n</Record>\n";
    let read = read_export(&(whole.to_owned() + &weight(71)));
    assert_eq!(read.ids().len(), 1);
    assert!(
        reasons(&read)[0].starts_with("line 10, MetadataEntry in it: an attribute is broken"),
        "{:?}",
        read.refused
    );
}

#[test]
fn a_number_that_is_none_spoils_its_workout_and_its_day() {
    let read = read_export(
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" duration=\"an hour\" durationUnit=\"min\" \
         startDate=\"2026-03-01 07:00:00 +0100\" endDate=\"2026-03-01 08:00:00 +0100\"/>\n\
         <Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" totalDistance=\"3\" totalDistanceUnit=\"furlong\" \
         startDate=\"2026-03-01 07:00:00 +0100\" endDate=\"2026-03-01 08:00:00 +0100\"/>\n\
         <ActivitySummary dateComponents=\"2026-02-30\" appleExerciseTime=\"3\"/>\n\
         <ActivitySummary dateComponents=\"2026-02-28\" appleExerciseTime=\"3 min\"/>\n",
    );
    let expected = [
        "duration: its value `an hour` is not a number",
        "totalDistance: its unit `furlong` is not known",
        "its dateComponents `2026-02-30` is no day that exists",
        "its value `3 min` is not a number",
    ];
    assert_eq!(reasons(&read), expected);
}

#[test]
fn the_head_of_a_file_is_not_searched_for_ever() {
    let mut head = Vec::from(&b"<!-- "[..]);
    head.write_all(&vec![b'x'; 4 * 1024 * 1024]).unwrap();
    head.extend_from_slice(export(&weight(70)).as_bytes());
    assert!(refusal("export.xml", head).contains("no first tag was found"));
}
