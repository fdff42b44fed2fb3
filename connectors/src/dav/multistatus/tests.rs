use proptest::prelude::*;

use super::*;

const XANDIKOS: &str = r#"<?xml version="1.0"?>
<ns0:multistatus xmlns:ns0="DAV:" xmlns:ns1="urn:ietf:params:xml:ns:caldav" xmlns:D="http://other.example/">
 <ns0:response><ns0:href>/op/cal/</ns0:href>
  <ns0:propstat><ns0:status>HTTP/1.1 200 OK</ns0:status><ns0:prop>
   <ns0:resourcetype><ns0:collection/><ns1:calendar/></ns0:resourcetype>
   <ns0:displayname>A &amp; B &#x1F600; <![CDATA[<c>]]></ns0:displayname>
   <D:sync-token>not this</D:sync-token>
   <ns1:supported-calendar-component-set><ns1:comp name="vtodo"/></ns1:supported-calendar-component-set>
  </ns0:prop></ns0:propstat>
  <ns0:propstat><ns0:prop><ns0:getetag>gone</ns0:getetag></ns0:prop><ns0:status>HTTP/1.1 404 Not Found</ns0:status></ns0:propstat>
 </ns0:response>
 <ns0:response><ns0:href>/op/cal/a.ics</ns0:href><ns0:status>HTTP/1.1 404 Not Found</ns0:status></ns0:response>
 <ns0:sync-token> t1 </ns0:sync-token>
</ns0:multistatus>"#;

#[test]
fn elements_are_known_by_their_namespace() {
    let answer = Multistatus::parse(XANDIKOS.as_bytes()).unwrap();
    let [calendar, removed] = &answer.responses[..] else {
        panic!("two responses");
    };
    assert_eq!(calendar.hrefs, ["/op/cal/"]);
    assert!(calendar.is(DavElement::Calendar) && !calendar.is(DavElement::AddressBook));
    assert_eq!(
        calendar.text(DavElement::DisplayName),
        Some("A & B \u{1F600} <c>")
    );
    assert_eq!(calendar.text(DavElement::SyncToken), None);
    assert_eq!(calendar.text(DavElement::ETag), None);
    let components: Vec<_> = calendar.all(DavElement::Component).collect();
    assert_eq!(components, ["VTODO"]);
    assert_eq!((removed.status, calendar.status), (Some(404), None));
    assert_eq!(answer.sync_token.as_deref(), Some("t1"));
}

#[test]
fn entities_of_a_document_are_not_expanded() {
    let text = r#"<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
        <multistatus xmlns="DAV:"><response><href>/&b;&f;</href></response></multistatus>"#;
    let answer = Multistatus::parse(text.as_bytes()).unwrap();
    assert_eq!(answer.responses[0].hrefs, ["/&b;&f;"]);
}

#[test]
fn what_is_no_whole_answer_is_malformed() {
    let cut = &XANDIKOS[..XANDIKOS.len() - 20];
    for text in [
        "",
        "hello",
        "<html><body></body></html>",
        "<multistatus/>",
        "<D:multistatus xmlns:D=\"http://other.example/\"/>",
        cut,
        "\u{0}",
    ] {
        let failure = Multistatus::parse(text.as_bytes()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{text}");
    }
}

#[test]
fn a_refused_token_is_told_from_other_refusals() {
    let refusal = |inner: &str| format!("<e:error xmlns:e='DAV:'>{inner}</e:error>").into_bytes();
    assert!(is_token_refused(&refusal("<e:valid-sync-token/>")));
    assert!(!is_token_refused(&refusal("<e:need-privileges/>")));
    assert!(!is_token_refused(b"valid-sync-token"));
}

#[test]
fn a_document_that_nests_without_end_is_malformed() {
    let deep = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
    let text = format!("<multistatus xmlns='DAV:'>{deep}</multistatus>");
    // A stack that overflows would end the process.
    let failure = Multistatus::parse(text.as_bytes()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Malformed);
}

proptest! {
    #[test]
    fn nothing_panics(at in 0_usize..1200, byte: u8, cut in 0_usize..1200) {
        let mut bytes = XANDIKOS.as_bytes().to_vec();
        let length = bytes.len();
        bytes[at % length] = byte;
        let _ = Multistatus::parse(&bytes);
        let _ = Multistatus::parse(&bytes[..cut % length]);
    }
}
