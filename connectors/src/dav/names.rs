//! The elements of answers, by their namespaces: prefixes are each server's own.

use quick_xml::name::{Namespace, ResolveResult};

/// The namespace of WebDAV.
const DAV: &str = "DAV:";
/// That of CalDAV.
const CALDAV: &str = "urn:ietf:params:xml:ns:caldav";
/// That of CardDAV.
const CARDDAV: &str = "urn:ietf:params:xml:ns:carddav";
/// That of what Apple's server began with, and others took over.
const CALENDAR_SERVER: &str = "http://calendarserver.org/ns/";
/// That of Apple's own properties of a calendar.
const APPLE: &str = "http://apple.com/ns/ical/";

/// An element that means something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DavElement {
    Multistatus,
    Response,
    Href,
    Status,
    PropStat,
    Prop,
    Error,
    ValidSyncToken,
    SyncToken,
    ETag,
    DisplayName,
    ResourceType,
    Collection,
    Calendar,
    AddressBook,
    Principal,
    CalendarHome,
    AddressBookHome,
    ComponentSet,
    Component,
    CTag,
    Color,
    CalendarData,
    AddressData,
    Other,
}

impl DavElement {
    /// The element of this namespace and name.
    pub(super) fn of(namespace: &ResolveResult<'_>, name: &str) -> Self {
        let ResolveResult::Bound(Namespace(namespace)) = namespace else {
            return Self::Other;
        };
        match (*namespace, name) {
            (DAV, name) => Self::of_dav(name),
            (CALDAV, "calendar") => Self::Calendar,
            (CALDAV, "calendar-home-set") => Self::CalendarHome,
            (CALDAV, "supported-calendar-component-set") => Self::ComponentSet,
            (CALDAV, "comp") => Self::Component,
            (CALDAV, "calendar-data") => Self::CalendarData,
            (CARDDAV, "addressbook") => Self::AddressBook,
            (CARDDAV, "addressbook-home-set") => Self::AddressBookHome,
            (CARDDAV, "address-data") => Self::AddressData,
            (CALENDAR_SERVER, "getctag") => Self::CTag,
            (APPLE, "calendar-color") => Self::Color,
            _ => Self::Other,
        }
    }

    fn of_dav(name: &str) -> Self {
        match name {
            "multistatus" => Self::Multistatus,
            "response" => Self::Response,
            "href" => Self::Href,
            "status" => Self::Status,
            "propstat" => Self::PropStat,
            "prop" => Self::Prop,
            "error" => Self::Error,
            "valid-sync-token" => Self::ValidSyncToken,
            "sync-token" => Self::SyncToken,
            "getetag" => Self::ETag,
            "displayname" => Self::DisplayName,
            "resourcetype" => Self::ResourceType,
            "collection" => Self::Collection,
            "current-user-principal" => Self::Principal,
            _ => Self::Other,
        }
    }

    /// Whether it is a property whose value is a text.
    pub(super) const fn is_text(self) -> bool {
        matches!(
            self,
            Self::ETag
                | Self::DisplayName
                | Self::SyncToken
                | Self::CTag
                | Self::Color
                | Self::CalendarData
                | Self::AddressData
        )
    }

    /// Whether it is a property whose value is a list of addresses.
    pub(super) const fn is_addresses(self) -> bool {
        matches!(
            self,
            Self::Principal | Self::CalendarHome | Self::AddressBookHome
        )
    }
}
