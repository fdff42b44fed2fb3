//! Bodies of requests.

use bytes::Bytes;
use quick_xml::escape::escape;

use super::kind::DavKind;

/// Who asks, and where the collections lie.
pub(super) const FIND_HOME: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:R="urn:ietf:params:xml:ns:carddav"><D:prop><D:current-user-principal/><C:calendar-home-set/><R:addressbook-home-set/></D:prop></D:propfind>"#;

/// Which collections lie there. No version is asked for: Radicale reads all that a collection holds to tell one, which may take longer than
/// the trial of a credential.
pub(super) const TRY_HOME: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:resourcetype/><C:supported-calendar-component-set/></D:prop></D:propfind>"#;

/// What lies there, and where each collection stands.
pub(super) const LIST_HOME: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/"><D:prop><D:resourcetype/><D:displayname/><D:sync-token/><S:getctag/><A:calendar-color/><C:supported-calendar-component-set/></D:prop></D:propfind>"#;

/// The versions of what a collection holds.
pub(super) const LIST_VERSIONS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/><D:resourcetype/></D:prop></D:propfind>"#;

/// What changed in a collection since a token; without one, everything (RFC 6578 §3.2).
pub(super) fn sync_collection(token: &str) -> Bytes {
    let token = escape(token);
    let body = format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<D:sync-collection xmlns:D="DAV:"><D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/><D:resourcetype/></D:prop></D:sync-collection>"#
    );
    Bytes::from(body)
}

/// The bodies of resources.
pub(super) fn multiget<'a>(kind: DavKind, hrefs: impl Iterator<Item = &'a str>) -> Bytes {
    let (namespace, report, data) = match kind {
        DavKind::Calendar => ("caldav", "calendar-multiget", "calendar-data"),
        DavKind::Contacts => ("carddav", "addressbook-multiget", "address-data"),
    };
    let hrefs: String = hrefs
        .map(|href| format!("<D:href>{}</D:href>", escape(href)))
        .collect();
    let body = format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<X:{report} xmlns:D="DAV:" xmlns:X="urn:ietf:params:xml:ns:{namespace}"><D:prop><D:getetag/><X:{data}/></D:prop>{hrefs}</X:{report}>"#
    );
    Bytes::from(body)
}
