//! In what calendars and contacts differ.

use super::names::DavElement;

/// Which sector of a server is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DavKind {
    /// Calendars, by CalDAV.
    Calendar,
    /// Address books, by CardDAV.
    Contacts,
}

impl DavKind {
    /// Where a server says where it begins (RFC 6764 §5).
    pub(super) const fn well_known(self) -> &'static str {
        match self {
            Self::Calendar => "/.well-known/caldav",
            Self::Contacts => "/.well-known/carddav",
        }
    }

    /// The property that names where the collections lie.
    pub(super) const fn home(self) -> DavElement {
        match self {
            Self::Calendar => DavElement::CalendarHome,
            Self::Contacts => DavElement::AddressBookHome,
        }
    }

    /// The type of a collection.
    pub(super) const fn collection(self) -> DavElement {
        match self {
            Self::Calendar => DavElement::Calendar,
            Self::Contacts => DavElement::AddressBook,
        }
    }

    /// The property that holds a resource's body.
    pub(super) const fn data(self) -> DavElement {
        match self {
            Self::Calendar => DavElement::CalendarData,
            Self::Contacts => DavElement::AddressData,
        }
    }

    /// What a resource is called as a file.
    pub(super) const fn file_name(self) -> &'static str {
        match self {
            Self::Calendar => "calendar.ics",
            Self::Contacts => "contacts.vcf",
        }
    }

    /// What is missing where there is no home.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Calendar => "calendars",
            Self::Contacts => "address books",
        }
    }
}
