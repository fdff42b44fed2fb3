use crate::http::endpoint::Endpoint;

/// A table row for each route. All texts are our own, and none has a character that HTML would need escaped.
pub(super) fn rows(endpoints: &[Endpoint]) -> String {
    let row = |endpoint: &Endpoint| {
        let Endpoint {
            verb,
            path,
            summary,
            ..
        } = endpoint;
        let verb = verb.name();
        format!("<tr><td><code>{verb} {path}</code></td><td>{summary}</td></tr>\n")
    };
    endpoints.iter().map(row).collect()
}
