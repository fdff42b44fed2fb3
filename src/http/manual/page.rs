use crate::http::endpoint::Endpoint;

/// A row a route. All words are our own, and none holds a mark of HTML.
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
