//! Prometheus' text format, version 0.0.4: families of samples, each with its kind and what it means.

use std::fmt::{Display, Write as _};

use sextant_actors::audit::DurationCounts;

/// What it is sent as.
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Names and values that tell the samples of a family apart.
pub(super) type Labels<'a> = &'a [(&'static str, &'a str)];

/// The text as it grows.
#[derive(Debug, Default)]
pub(super) struct Text(String);

/// One family of it.
pub(super) struct Family<'text> {
    text: &'text mut String,
    name: &'static str,
}

impl Text {
    /// Begins a family of values that go up and down.
    pub(super) fn gauge(&mut self, name: &'static str, about: &str) -> Family<'_> {
        self.family(name, "gauge", about)
    }

    /// Begins a family of values that only grow.
    pub(super) fn counter(&mut self, name: &'static str, about: &str) -> Family<'_> {
        self.family(name, "counter", about)
    }

    /// A family of one histogram.
    pub(super) fn histogram(&mut self, name: &'static str, about: &str, counts: &DurationCounts) {
        self.family(name, "histogram", about)
            .samples(&counts.up_to, |family, (bound, count)| {
                family.line("_bucket", &[("le", &bound.to_string())], count)
            })
            .line("_bucket", &[("le", "+Inf")], counts.count)
            .line("_sum", &[], counts.sum_s)
            .line("_count", &[], counts.count);
    }

    /// The whole.
    pub(super) fn finish(self) -> String {
        self.0
    }

    fn family(&mut self, name: &'static str, kind: &str, about: &str) -> Family<'_> {
        put(
            &mut self.0,
            format_args!("# HELP {name} {about}\n# TYPE {name} {kind}\n"),
        );
        Family {
            text: &mut self.0,
            name,
        }
    }
}

impl Family<'_> {
    /// Adds a sample.
    pub(super) fn sample(self, labels: Labels<'_>, value: impl Display) -> Self {
        self.line("", labels, value)
    }

    /// Adds a sample of each.
    pub(super) fn samples<T>(
        self,
        of: impl IntoIterator<Item = T>,
        add: impl Fn(Self, T) -> Self,
    ) -> Self {
        of.into_iter().fold(self, add)
    }

    fn line(self, suffix: &str, labels: Labels<'_>, value: impl Display) -> Self {
        put(self.text, format_args!("{}{suffix}", self.name));
        for (at, (name, text)) in labels.iter().enumerate() {
            let before = if at == 0 { '{' } else { ',' };
            put(
                self.text,
                format_args!("{before}{name}=\"{}\"", escaped(text)),
            );
        }
        let after = if labels.is_empty() { "" } else { "}" };
        put(self.text, format_args!("{after} {value}\n"));
        self
    }
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    // A text takes every character.
    let _ = text.write_fmt(what);
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_under_their_family_and_labels_are_escaped() {
        let mut text = Text::default();
        text.gauge("a", "What a is.").sample(&[], 1);
        text.counter("b_total", "What b is.")
            .sample(&[("x", "1"), ("y", "a\"b\\c\nd")], 2);
        let expected = "# HELP a What a is.\n# TYPE a gauge\na 1\n# HELP b_total What b is.\n# TYPE b_total counter\n\
                        b_total{x=\"1\",y=\"a\\\"b\\\\c\\nd\"} 2\n";
        assert_eq!(text.finish(), expected);
    }
}
