//! Lines of vCard (RFC 6350 §3.3) and iCalendar (RFC 5545 §3.1), for the readers of files.

/// Lines in the making.
#[derive(Default)]
pub(super) struct GraphLines(String);

impl GraphLines {
    /// A line as it is: a name with its parameters, and a value that needs no escapes.
    pub(super) fn bare(&mut self, name: &str, value: &str) {
        let value = value.replace(char::is_control, " ");
        self.0.push_str(&format!("{name}:{value}\r\n"));
    }

    /// A line whose value is a text.
    pub(super) fn text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.bare(name, &escape(value));
        }
    }

    /// A line whose value has components; none if all are empty.
    pub(super) fn components(&mut self, name: &str, parts: &[Option<&str>]) {
        if parts.iter().any(Option::is_some) {
            let parts = parts.iter().map(|part| escape(part.unwrap_or_default()));
            self.bare(name, &parts.collect::<Vec<_>>().join(";"));
        }
    }

    /// A line whose value is a list; none if it is empty.
    pub(super) fn list<'a>(&mut self, name: &str, values: impl Iterator<Item = &'a str>) {
        let values: Vec<_> = values.map(escape).collect();
        if !values.is_empty() {
            self.bare(name, &values.join(","));
        }
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// A text as the value of a parameter. It can hold no quotes.
pub(super) fn parameter(text: &str) -> String {
    let text = text.replace('"', "'").replace(char::is_control, " ");
    format!("\"{text}\"")
}

fn escape(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    text.replace(';', "\\;").replace(',', "\\,")
}
