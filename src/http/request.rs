//! What a route is sent, read into the type that its handler takes: a JSON object as [`FromBody`], a query string as [`FromQuery`].
//!
//! The type derives `Deserialize`, and `JsonSchema` for the OpenAPI document. Every field that it does not have is refused by name
//! (r063, r075). A field that may be left out is an `Option`; one that may also be null is an `Option<OrNull<_>>`. A value with
//! rules of its own is a type of its own that derives with
//!
//! ```text
//! #[serde(try_from = "Option<Value>")]
//! #[schemars(!try_from)]
//! ```
//!
//! and says in `TryFrom<Option<Value>>` what is to be sent; `None` is a field that was left out.

mod misread;
mod object_reader;

use std::borrow::Cow;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::{LocalBoxFuture, Ready, ready};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use self::object_reader::{ObjectReader, field_names};
use super::body::{self, Fields};
use super::endpoint::Parameter;
use super::problem::Problem;
use super::query_string::Parameters;
use super::schema;

/// The body of an admin request; no body is an object without fields.
#[derive(Debug)]
pub(crate) struct FromBody<T>(pub T);

/// The query string of a request; an empty value counts as left out.
///
/// A tuple of types reads the fields of all of them.
#[derive(Debug)]
pub(crate) struct FromQuery<T>(pub T);

/// The body of a route that takes no fields.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct NoFields {}

/// A value, or null said outright. `Option<OrNull<_>>` tells a field that was left out from one that is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Option<T>")]
pub(crate) enum OrNull<T> {
    /// The field is there, and null.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> OrNull<T> {
    /// The value.
    pub(crate) fn value(self) -> Option<T> {
        match self {
            OrNull::Null => None,
            OrNull::Value(value) => Some(value),
        }
    }
}

impl<T> From<Option<T>> for OrNull<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(OrNull::Null, OrNull::Value)
    }
}

/// Null as a constant, so that it is told from the null of an `Option` around it, which means that the field may be left out.
impl<T: JsonSchema> JsonSchema for OrNull<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}_or_null", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<T>(), { "const": null }] })
    }
}

/// Reads an object.
///
/// # Errors
/// The first field, in the order in which the type declares them, that is missing or cannot be taken; then one that is not known.
pub(crate) fn read<T: DeserializeOwned + JsonSchema>(
    members: Map<String, Value>,
) -> Result<T, Problem> {
    let mut reader = ObjectReader::new(members);
    let read = T::deserialize(&mut reader)?;
    match reader.unknown() {
        None => Ok(read),
        Some(name) => Err(body::unknown(&name, &listed::<T>())),
    }
}

/// The fields that a refusal lists: those that the OpenAPI document names.
fn listed<T: DeserializeOwned + JsonSchema>() -> Vec<&'static str> {
    let described = schema::properties::<T>();
    let mut names = field_names::<T>();
    names.retain(|name| described.contains_key(*name));
    names
}

/// The parameters of a query string that is read into `T`, or into a tuple of types, in the order of their fields. A field's
/// comment is the parameter's description.
pub(crate) fn parameters<T: DeserializeOwned + JsonSchema>() -> Vec<Parameter> {
    let mut properties = schema::properties::<T>();
    let named = field_names::<T>().into_iter().filter_map(|name| {
        let property = properties.remove(name)?;
        Some(Parameter::new(name, &property.about, property.schema))
    });
    named.collect()
}

impl<T: DeserializeOwned + JsonSchema + 'static> FromRequest for FromBody<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let fields = Fields::from_request(request, payload);
        Box::pin(async move { read(fields.await?.into_members()).map(Self) })
    }
}

impl<T: DeserializeOwned + JsonSchema> FromQuery<T> {
    /// Reads a query string.
    ///
    /// # Errors
    /// A parameter that is not known, comes twice or cannot be taken.
    pub(crate) fn parse(query: &str) -> Result<Self, Problem> {
        let names = field_names::<T>();
        let mut sent = Parameters::parse(query, &names)?;
        let members = names
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), sent.take(name)?.into())));
        read(members.collect()).map(Self)
    }
}

impl<T: DeserializeOwned + JsonSchema> FromRequest for FromQuery<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Self::parse(request.query_string()))
    }
}

/// Reads the text of a body, for the tests of the types that are read.
#[cfg(test)]
pub(crate) fn read_text<T: DeserializeOwned + JsonSchema>(body: &str) -> Result<T, Problem> {
    read(Fields::parse(body.as_bytes())?.into_members())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        label: String,
        kind: Option<Kind>,
        window_days: Option<OrNull<u32>>,
        anything: Option<Value>,
        #[schemars(skip)]
        hidden: Option<String>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Big,
        Small,
    }

    fn refusal(body: &str) -> String {
        let problem = read_text::<Sample>(body).unwrap_err();
        let sent: Value = serde_json::from_str(&problem.json()).unwrap();
        let field = sent["field"].as_str().unwrap_or_default();
        format!("{field}: {}", sent["message"].as_str().unwrap())
    }

    #[test]
    fn a_field_is_left_out_or_null_or_there() {
        let window = |body: &str| read_text::<Sample>(body).unwrap().window_days;
        assert_eq!(window(r#"{"label":"a"}"#), None);
        assert_eq!(
            window(r#"{"label":"a","windowDays":null}"#),
            Some(OrNull::Null)
        );
        assert_eq!(
            window(r#"{"label":"a","windowDays":3}"#),
            Some(OrNull::Value(3))
        );
    }

    #[test]
    fn any_value_is_kept_to_its_last_digit() {
        let body = r#"{"label":"a","anything":[1.10,12345678901234567890123]}"#;
        let read = read_text::<Sample>(body).unwrap().anything.unwrap();
        assert_eq!(read.to_string(), "[1.10,12345678901234567890123]");
    }

    #[test]
    fn a_fault_names_its_field_and_what_to_send() {
        for (body, expected) in [
            ("{}", "label: send label"),
            (r#"{"label":7}"#, "label: send label as text"),
            (
                r#"{"label":"a","kind":"huge"}"#,
                "kind: send one of big, small",
            ),
            (r#"{"label":"a","kind":null}"#, "kind: send kind as text"),
            // The order is the type's, not the sender's.
            (r#"{"kind":7}"#, "label: send label"),
            (
                r#"{"label":"a","colour":1}"#,
                "colour: unknown field `colour`; this route takes label, kind, windowDays, anything",
            ),
            ("[]", ": send a JSON object"),
        ] {
            assert_eq!(refusal(body), expected, "{body}");
        }
    }

    #[test]
    fn what_may_be_null_is_described_so_and_what_may_be_left_out_is_not() {
        let described = schema::request::<Sample>();
        let null = serde_json::json!({ "type": "null" });
        assert_eq!(described["properties"]["windowDays"]["anyOf"][1], null);
        assert_eq!(described["properties"]["kind"]["type"], "string");
        assert_eq!(described["required"], serde_json::json!(["label"]));
        assert!(described["properties"].get("hidden").is_none());
    }

    #[test]
    fn a_query_string_is_read_into_several_types_at_once() {
        #[derive(Debug, Deserialize, JsonSchema)]
        struct Page {
            limit: Option<String>,
        }
        #[derive(Debug, Deserialize, JsonSchema)]
        struct Filter {
            /// Whose.
            agent: Option<String>,
            kind: Option<Kind>,
        }
        let parse = FromQuery::<(Filter, Page)>::parse;
        let FromQuery((filter, page)) = parse("limit=3&kind=big&agent=").unwrap();
        assert_eq!(
            (page.limit.as_deref(), filter.agent, filter.kind),
            (Some("3"), None, Some(Kind::Big))
        );
        let told = parameters::<(Filter, Page)>();
        let told: Vec<_> = told.iter().map(|one| (one.name, &*one.about)).collect();
        assert_eq!(told, [("agent", "Whose."), ("kind", ""), ("limit", "")]);
        for query in ["x=1", "kind=huge", "limit=1&limit=2"] {
            assert!(parse(query).is_err(), "{query}");
        }
    }
}
