//! Entries are found whatever tags a file leaves out.

use super::*;
use proptest::prelude::*;

fn entries(text: &str) -> Vec<(Option<usize>, OfxNode)> {
    OfxItems::new(text.as_bytes())
        .filter_map(|item| match item.unwrap() {
            OfxItem::Entry { statement, node } => Some((statement, node)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_forgotten_closing_tag_costs_no_entry() {
    let text = "<OFX><STMTTRNRS><STMTRS><BANKTRANLIST><STMTTRN><FITID>1<CHECKNUM><MEMO>a
        <STMTTRN><FITID>2<MEMO/></STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS>
        <STMTTRNRS><STMTRS><STMTTRN><FITID>3</STMTTRN></STMTRS></OFX>";
    let entries = entries(text);
    let seen: Vec<_> = entries
        .iter()
        .map(|(statement, node)| (*statement, node.text("FITID")))
        .collect();
    assert_eq!(
        seen,
        [
            (Some(0), Some("1")),
            (Some(0), Some("2")),
            (Some(1), Some("3"))
        ]
    );
    assert_eq!(entries[0].1.text("MEMO"), Some("a"));
}

#[test]
fn an_unclosed_trade_ends_where_the_next_begins() {
    let text = "<INVSTMTRS><INVTRANLIST><DTSTART>2020<BUYSTOCK><INVBUY><FITID>1<SELLSTOCK><FITID>2</SELLSTOCK>
        <NOVELTY><FITID>3</NOVELTY><INVBANKTRAN><STMTTRN><FITID>4</STMTTRN></INVBANKTRAN></INVTRANLIST></INVSTMTRS>";
    let keys: Vec<_> = entries(text)
        .iter()
        .map(|(_, node)| node.find_text("FITID").unwrap().to_owned())
        .collect();
    assert_eq!(keys, ["1", "2", "3", "4"]);
}

#[test]
fn a_file_that_closes_nothing_is_read_whole() {
    let text = "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<LANGUAGE>ENG<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0
        <STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>7<BANKTRANLIST><DTSTART>20260101<STMTTRN><FITID>1<STMTTRN><FITID>2";
    assert!(
        entries(text)
            .iter()
            .all(|(statement, node)| *statement == Some(0) && !node.is_truncated)
    );
    let statement = OfxItems::new(text.as_bytes()).find_map(|item| match item.unwrap() {
        OfxItem::Statement { node, .. } => Some(node),
        _ => None,
    });
    let statement = statement.unwrap();
    assert_eq!(
        statement.child("BANKACCTFROM").unwrap().text("ACCTID"),
        Some("7")
    );
    assert_eq!(
        (entries(text).len(), statement.text("CURDEF")),
        (2, Some("USD"))
    );
}

#[test]
fn a_file_cut_off_says_which_entry_it_cut() {
    let entries = entries("<STMTRS><STMTTRN><FITID>1</STMTTRN><STMTTRN><FITID>2");
    assert_eq!(
        entries
            .iter()
            .map(|(_, node)| node.is_truncated)
            .collect::<Vec<_>>(),
        [false, true]
    );
}

proptest! {
    #[test]
    fn every_entry_that_begins_leaves_the_tree(tags in proptest::collection::vec(0_usize..8, 0..DEPTH_MAX)) {
        let names = ["<STMTTRN>", "</STMTTRN>", "<STMTRS>", "</STMTRS>", "<MEMO>", "x", "<BANKTRANLIST>", "</BANKTRANLIST>"];
        let text: String = tags.iter().map(|tag| names[*tag]).collect();
        let begun = tags.iter().filter(|tag| **tag == 0).count();
        prop_assert_eq!(entries(&text).len(), begun);
    }
}
