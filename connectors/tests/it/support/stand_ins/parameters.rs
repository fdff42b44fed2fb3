//! What prism lets pass: a parameter that the contract does not have, as of a misspelt name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock};

use serde_json::Value;

use super::contracts::peers;
use super::wire;

/// Documents by their name, each read once.
static DOCUMENTS: OnceLock<Mutex<BTreeMap<&'static str, Value>>> = OnceLock::new();

/// The parameters of a request's query that a document does not have at its path.
pub fn unknown(document: &'static str, request: &str) -> Vec<String> {
    let address = wire::address(request);
    let method = request.split(' ').next().unwrap().to_lowercase();
    let mut documents = DOCUMENTS.get_or_init(Mutex::default).lock().unwrap();
    let document = documents.entry(document).or_insert_with(|| read(document));
    let paths = document["paths"].as_object().unwrap().iter();
    let mut own = paths.filter(|(template, _)| is_of(template, address.path()));
    let Some((_, item)) = own.next() else {
        return Vec::new();
    };
    let lists = [&item["parameters"], &item[method]["parameters"]];
    let known = lists.into_iter().filter_map(Value::as_array).flatten();
    let known: BTreeSet<_> = known.map(|one| name_of(document, one)).collect();
    let names = address.query_pairs().map(|(name, _)| name.into_owned());
    let unknown = names.filter(|name| !known.contains(name.as_str()));
    unknown
        .map(|name| format!("there is no parameter {name}"))
        .collect()
}

fn read(document: &str) -> Value {
    let path = peers().join(format!("contracts/{document}.openapi.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Whether a path is one of a template such as `/v1/people/{id}`.
fn is_of(template: &str, path: &str) -> bool {
    let (own, given) = (template.split('/'), path.split('/'));
    own.clone().count() == given.clone().count()
        && own
            .zip(given)
            .all(|(own, given)| own == given || own.starts_with('{'))
}

/// The name of a parameter, which may stand elsewhere in the document.
fn name_of<'a>(document: &'a Value, parameter: &'a Value) -> &'a str {
    let parameter = match parameter["$ref"].as_str() {
        Some(at) => document.pointer(at.trim_start_matches('#')).unwrap(),
        None => parameter,
    };
    parameter["name"].as_str().unwrap()
}
