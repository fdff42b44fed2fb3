//! Zips: members are streamed, what the directory promises is checked against what comes, and a fault costs only its
//! own member.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::health::{export, quantity};
use sextant_formats::{
    FileEntry, FileError, FileReader, FileSource, FileWalk, Member, MemberFault, ZipDirectory,
};

/// The signature of a member's header in the directory, and the offsets of its fields.
const LISTED: &[u8] = b"PK\x01\x02";
const FLAGS: usize = 8;
const METHOD: usize = 10;
const CRC: usize = 16;
const PACKED_BYTES: usize = 20;
const SIZE_BYTES: usize = 24;
const HEADER_AT: usize = 42;

/// An archive of these files, in a folder that is removed with it.
struct Zip {
    folder: tempfile::TempDir,
}

impl Zip {
    fn of(files: &[(&str, &[u8])]) -> Self {
        Self::packed(files, SimpleFileOptions::default())
    }

    fn stored(files: &[(&str, &[u8])]) -> Self {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        Self::packed(files, options)
    }

    fn packed(files: &[(&str, &[u8])], options: SimpleFileOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(folder.path().join("export.zip")).unwrap();
        let mut zip = ZipWriter::new(file);
        for (name, bytes) in files {
            match name.strip_suffix('/') {
                Some(name) => zip.add_directory(name, options).unwrap(),
                None => {
                    zip.start_file(*name, options).unwrap();
                    zip.write_all(bytes).unwrap();
                }
            }
        }
        zip.finish().unwrap();
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("export.zip")
    }

    /// Overwrites bytes in a member's header in the directory.
    fn patch(self, member: usize, at: usize, bytes: &[u8]) -> Self {
        self.rewrite(|zip| {
            let start = starts(zip, LISTED)[member] + at;
            zip[start..start + bytes.len()].copy_from_slice(bytes);
        })
    }

    fn rewrite(self, change: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut zip = std::fs::read(self.path()).unwrap();
        change(&mut zip);
        std::fs::write(self.path(), zip).unwrap();
        self
    }

    fn members(&self) -> Vec<Member> {
        ZipDirectory::open(&self.path()).unwrap().into_members()
    }
}

fn starts(bytes: &[u8], of: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(of.len()).enumerate();
    windows
        .filter(|(_, window)| *window == of)
        .map(|(at, _)| at)
        .collect()
}

fn content(member: &Member) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    let mut reader = member.open().map_err(|error| error.to_string())?;
    reader
        .read_to_end(&mut content)
        .map_err(|error| error.to_string())?;
    Ok(content)
}

fn refusal(path: &Path) -> String {
    ZipDirectory::open(path).unwrap_err().to_string()
}

fn read_all(path: PathBuf) -> Result<(usize, Option<String>), FileError> {
    let (mut stored, mut failure) = (0, None);
    for found in FileWalk::new(&[path]) {
        for entry in FileReader::default().entries(&found.source.unwrap())? {
            match entry {
                Ok(FileEntry::Record { .. }) => stored += 1,
                Ok(refused) => panic!("{refused:?}"),
                Err(error) => failure = Some(error.to_string()),
            }
        }
    }
    Ok((stored, failure))
}

#[test]
fn members_are_streamed_and_can_be_opened_again() {
    let large = SimpleFileOptions::default().large_file(true);
    let files: [(&str, &[u8]); 3] = [
        ("a/", b""),
        ("a/one.txt", b"first"),
        ("two.txt", &[7; 100_000]),
    ];
    for zip in [
        Zip::of(&files),
        Zip::stored(&files),
        Zip::packed(&files, large),
    ] {
        let members = zip.members();
        let names: Vec<_> = members.iter().map(Member::name).collect();
        assert_eq!(names, ["a/one.txt", "two.txt"]);
        assert_eq!(
            (members[0].size_bytes(), members[1].size_bytes()),
            (5, 100_000)
        );
        for _ in 0..2 {
            assert_eq!(content(&members[0]).unwrap(), b"first");
            assert_eq!(content(&members[1]).unwrap(), [7; 100_000]);
        }
        assert_eq!(FileSource::Member(members[0].clone()).stem(), "one");
    }
}

#[test]
fn names_are_for_showing_alone() {
    let zip = Zip::of(&[
        ("../../etc/a.xml", b"1"),
        ("/b.xml", b"2"),
        ("c@\\d.xml", b"3"),
    ]);
    let zip = zip.rewrite(|zip| {
        for at in starts(zip, b"c@\\d") {
            zip[at + 1] = 0xE4;
        }
    });
    let members = zip.members();
    let names: Vec<_> = members.iter().map(Member::name).collect();
    assert_eq!(names, ["../../etc/a.xml", "/b.xml", "cä/d.xml"]);
    let contents: Vec<_> = members
        .iter()
        .map(|member| content(member).unwrap())
        .collect();
    assert_eq!(contents, [b"1", b"2", b"3"]);
}

#[test]
fn a_member_at_fault_is_named_and_costs_itself_alone() {
    let zeros = vec![0; 64 * 1024 * 1024];
    let files: [(&str, &[u8]); 4] = [
        ("secret", b"1"),
        ("odd", b"2"),
        ("bomb", &zeros),
        ("good", b"4"),
    ];
    let zip = Zip::of(&files);
    let zip = zip.patch(0, FLAGS, &[1]).patch(1, METHOD, &[12]);
    let members = zip.members();
    let faults: Vec<_> = members.iter().map(Member::fault).collect();
    assert_eq!(faults[0], Some(MemberFault::Encrypted));
    assert!(matches!(faults[1], Some(MemberFault::Method(_))));
    assert_eq!((faults[2], faults[3]), (Some(MemberFault::Bomb), None));
    let told: Vec<_> = members
        .iter()
        .take(3)
        .map(|member| content(member).unwrap_err())
        .collect();
    assert!(told[0].contains("encrypted"), "{told:?}");
    assert!(
        told[1].contains("packed in a way that is not read (Bzip2)"),
        "{told:?}"
    );
    assert!(told[2].contains("zip bomb"), "{told:?}");
    assert_eq!(content(&members[3]).unwrap(), b"4");
}

/// Each member is too small to be taken for a bomb; together they would be one.
#[test]
fn small_members_that_come_to_far_more_than_the_archive_are_no_archive() {
    const SMALL: u32 = 15 * 1024 * 1024;
    let names: Vec<String> = (0..8).map(|number| format!("{number}.ics")).collect();
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), &b"x"[..]))
        .collect();
    let swollen = |members: usize| {
        let zip = Zip::of(&files);
        (0..members).fold(zip, |zip, member| {
            zip.patch(member, SIZE_BYTES, &SMALL.to_le_bytes())
        })
    };
    let few = swollen(4);
    assert!(few.members().iter().all(|member| member.fault().is_none()));
    let said = refusal(&swollen(8).path());
    assert!(said.contains("far more than any honest one"), "{said}");
}

#[test]
fn what_comes_out_is_held_against_the_directory() {
    let text = b"twenty bytes of text";
    for (at, bytes, reason) in [
        (CRC, &[0, 0, 0, 0][..], "checksum"),
        (SIZE_BYTES, &[19, 0, 0, 0], "longer than it says"),
        (SIZE_BYTES, &[21, 0, 0, 0], "shorter than it says"),
        (
            HEADER_AT,
            &[5, 0, 0, 0],
            "not where the archive's directory says",
        ),
    ] {
        let zip = Zip::of(&[("a", text)]).patch(0, at, bytes);
        let told = content(&zip.members()[0]).unwrap_err();
        assert!(told.contains(reason), "{reason}: {told}");
    }
    let zip = Zip::of(&[("a", text)]).patch(0, PACKED_BYTES, &[5, 0, 0, 0]);
    assert!(
        content(&zip.members()[0])
            .unwrap_err()
            .contains("cannot be unpacked further")
    );
}

#[test]
fn an_archive_that_is_none_or_cut_off_or_too_good_to_be_true_is_refused() {
    let files: [(&str, &[u8]); 2] = [("a", b"first"), ("b", b"second")];
    let cut = Zip::of(&files).rewrite(|zip| zip.truncate(zip.len() - 30));
    assert!(refusal(&cut.path()).contains("cut off"));
    let none = Zip::of(&files).rewrite(|zip| *zip = b"PK\x03\x04 and nothing more".to_vec());
    assert!(refusal(&none.path()).contains("no zip"));
    let overlapping = Zip::of(&files).patch(1, PACKED_BYTES, &[0, 0, 1, 0]);
    assert!(refusal(&overlapping.path()).contains("on top of one another"));
}

#[test]
fn a_health_export_is_found_in_its_zip_by_its_content() {
    let xml = export(&quantity("BodyMass", "70", "kg"));
    let clinical = b"<?xml version=\"1.0\"?><ClinicalDocument/>";
    let zip = Zip::of(&[
        ("apple_health_export/workout-routes/route.gpx", b"<gpx/>"),
        ("apple_health_export/Exportieren.xml", xml.as_bytes()),
    ]);
    assert_eq!(read_all(zip.path()).unwrap(), (1, None));
    let other = Zip::of(&[("apple_health_export/export_cda.xml", clinical)]);
    let told = read_all(other.path()).unwrap_err().to_string();
    assert!(told.contains("push export.xml beside it"), "{told}");
}

#[test]
fn a_damaged_export_keeps_what_was_read_before_and_is_not_read_to_its_end() {
    let lines = (0..400).map(|kilograms| quantity("BodyMass", &kilograms.to_string(), "kg"));
    let xml = export(&lines.collect::<String>());
    let zip = Zip::stored(&[("export.xml", xml.as_bytes())]);
    let damaged = zip.patch(0, CRC, &[1, 2, 3, 4]);
    let (stored, failure) = read_all(damaged.path()).unwrap();
    assert_eq!(stored, 400);
    let failure = failure.unwrap();
    assert!(failure.contains("its checksum does not fit"), "{failure}");
}
