//! What calcard makes of one component.

use calcard::icalendar::{ICalendar, ICalendarComponent, ICalendarProperty};
use calcard::{Entry, Parser};

/// The component that a text holds, with its parts; `None` if it is no iCalendar.
pub(super) fn parse(text: &str) -> Option<ICalendar> {
    match Parser::new(text).entry() {
        Entry::ICalendar(parsed) => Some(parsed),
        _ => None,
    }
}

/// The trimmed text of a property, if it holds any.
pub(super) fn text(component: &ICalendarComponent, property: &ICalendarProperty) -> Option<String> {
    let text = component.property(property)?.values.first()?;
    let text = text.as_text()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
