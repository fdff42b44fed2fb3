use super::*;

fn told(tell: impl FnOnce(&mut Report<'_>) -> io::Result<bool>) -> (String, bool) {
    let mut output = Vec::new();
    let is_all_stored = tell(&mut Report::new(&mut output, None)).unwrap();
    (String::from_utf8(output).unwrap(), is_all_stored)
}

#[test]
fn a_report_counts_every_entry_once() {
    let (text, is_all_stored) = told(|report| {
        report.begin_file("a\x07.ics", None)?;
        report.refuse(&EntryPlace::new(9, "VEVENT", "y"), "title: is too long");
        report.refuse(
            &EntryPlace::new(7, "VTODO", "x\x1b[2J"),
            "to-dos are not stored",
        );
        report.store(FileCounts {
            inserted: 2,
            unchanged: 1,
            ..FileCounts::default()
        });
        report.end()?;
        report.finish(&PassedOver::default())
    });
    assert!(!is_all_stored);
    let expected = "a\u{fffd}.ics
  refused: line 7, VTODO x\u{fffd}[2J: to-dos are not stored
  refused: line 9, VEVENT y: title: is too long
  5 entries: 3 stored (2 new, 0 changed, 1 unchanged), 2 refused

file      entries     stored    refused
a\u{fffd}.ics          5          3          2
total           5          3          2
Not everything was stored: see the lines that begin with `refused` or `not read`.
";
    assert_eq!(text, expected);
}

#[test]
fn what_is_left_out_of_an_entry_is_told_and_no_success() {
    let (text, is_all_stored) = told(|report| {
        report.begin_file("a.vcf", None)?;
        report.leave_out(
            &EntryPlace::new(1, "VCARD", "Ann"),
            "BDAY `30 Feb`\nis no date",
        );
        report.store(FileCounts {
            inserted: 1,
            ..FileCounts::default()
        });
        report.end()?;
        report.finish(&PassedOver::default())
    });
    assert!(!is_all_stored);
    let line = "  left out: line 1, VCARD Ann: BDAY `30 Feb`\u{fffd}is no date\n";
    assert!(text.contains(line), "{text}");
    let end = "total          1          1          0\nNot all of each entry was stored: see the lines that begin with `left out`.\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn a_rehearsal_says_where_each_record_would_go() {
    let (text, is_all_stored) = told(|report| {
        report.rehearse();
        report.begin_file("a.ics", None)?;
        report.plan("calendar.series", "by connection c1");
        report.plan("calendar.series", "by connection c1");
        report.plan_none("it is for mail.messages");
        report.end()?;
        report.finish(&PassedOver::default())
    });
    assert!(!is_all_stored);
    let expected = "a.ics
  refused: 1 entry: it is for mail.messages
  would send: 2 to calendar.series, by connection c1
  3 entries: 2 would be sent, 1 refused

file     entries    to send    refused
a.ics          3          2          1
total          3          2          1
Not everything would be stored: see the lines that begin with `refused` or `not read`.
Nothing was sent. What the server itself would refuse is not known before it is.
";
    assert_eq!(text, expected);
}

#[test]
fn a_file_that_cannot_be_read_is_no_success_but_one_passed_over_is() {
    let (text, is_all_stored) = told(|report| {
        report.begin_file("a.xls", None)?;
        report.leave_unread("files ending in `xls` are not read")?;
        report.end()?;
        report.begin_file("b.csv", None)?;
        report.fail("it was cut off")?;
        report.end()?;
        report.begin_file("c.mbox", None)?;
        report.find_empty()?;
        report.end()?;
        report.finish(&PassedOver::default())
    });
    let table = "
a.xls           0          0          0  not read
b.csv           0          0          0  not read to its end
c.mbox          0          0          0  empty
total           0          0          0  not all was read
";
    assert!(
        !is_all_stored && text.contains("  not read: files ending in `xls`"),
        "{text}"
    );
    assert!(text.contains(table), "{text}");
    let (text, is_all_stored) = told(|report| {
        report.begin_file("a.xml", None)?;
        report.pass_over("it is something else")?;
        report.end()?;
        report.begin_file("b.mbox", None)?;
        report.find_empty()?;
        report.end()?;
        report.finish(&PassedOver::default())
    });
    assert!(
        is_all_stored && text.contains("  passed over: it is something"),
        "{text}"
    );
    assert!(text.contains("  empty: there is nothing in it"), "{text}");
}
