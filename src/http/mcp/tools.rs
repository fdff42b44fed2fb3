//! The seven tools as agents see them: names, titles, hints, descriptions and schemas, built once.
//!
//! No argument's name may contain a word that the audit log redacts (r508). There is no output schema, since an answer with one
//! would have to be sent twice, as text and as structured content.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};
use sextant_actors::domain::Tool as Named;

use crate::calls::arguments as schema;

/// What a tool does, for the hints by which clients ask for permission.
#[derive(Clone, Copy)]
enum Effect {
    /// Reads what is stored here.
    Reads,
    /// Reads, after asking the sources outside.
    ReadsOutside,
    /// Changes something outside.
    ActsOutside,
}

struct Definition {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
    schema: fn() -> Map<String, Value>,
}

/// The definitions of the seven, in the order of their use.
pub fn all() -> Vec<Tool> {
    DEFINITIONS.iter().map(build).collect()
}

fn build(definition: &Definition) -> Tool {
    Tool::new(
        definition.name,
        definition.description,
        (definition.schema)(),
    )
    .with_title(definition.title)
    .with_annotations(hints(definition))
}

fn hints(definition: &Definition) -> ToolAnnotations {
    let (acts, outside) = match definition.effect {
        Effect::Reads => (false, false),
        Effect::ReadsOutside => (false, true),
        Effect::ActsOutside => (true, true),
    };
    ToolAnnotations::with_title(definition.title)
        .read_only(!acts)
        .destructive(acts)
        .idempotent(!acts)
        .open_world(outside)
}

const DEFINITIONS: [Definition; 7] = [
    Definition {
        name: Named::DescribeContext.name(),
        title: "What is here for you",
        description: "Start here. Says which sectors your key opens (finance, mail, calendar, contacts, health, home), \
            the present time and the person's time zone, when your key expires, and for each sector its tables \
            and how fresh each connected source is.\n\
            Takes no arguments.\n\
            Example: {}",
        effect: Effect::Reads,
        schema: schema::none,
    },
    Definition {
        name: Named::GetSchema.name(),
        title: "Tables and fields",
        description: "Shows the tables of a sector, or one table, before you query: fields with type and unit, values seen in \
            enumerations, what is searchable, which text was written by other people (`untrusted`), row counts, the dates \
            covered, and two queries a table that run as they stand. Every record also tells `as_of`, when it was stored \
            here, and `updated_at`, when its source last changed it, if that was said.\n\
            Without `target`: every sector your key opens.\n\
            Example: {\"target\": \"finance.transactions\"}",
        effect: Effect::Reads,
        schema: schema::get_schema,
    },
    Definition {
        name: Named::Query.name(),
        title: "Query",
        description: "Reads one table (`sector.table`; `get_schema` names them and their fields): its rows, or groups with counts, sums and \
            means, so that you never add up pages yourself.\n\
            `where` maps a field to a value, a list (any of), null, or operators: eq ne lt lte gt gte in not_in contains \
            starts_with is_null; `and`, `or` and `not` nest. Times are RFC 3339, a date (the person's whole local day), or \
            relative: now, now-6h, today, today-30d, start_of_week, start_of_month, start_of_year.\n\
            `search` is full text over the table's searchable fields. `order_by` takes fields, `-` for descending. \
            `count: true` adds `matched`, the exact number of rows that match. For more rows send `next_cursor` as `cursor` \
            with the same query.\n\
            `group_by` takes fields, and times as local buckets: field:hour, day, week, month, quarter, year, weekday. \
            `aggregate` names count, count(f), count_distinct(f), sum, avg, min, max or median(f); unlike currencies and units \
            stay apart. `changed_since` takes the `change_cursor` of an earlier answer and tells rows that changed since, and the ids \
            `deleted`.\n\
            The answer says which sources it rests on and how fresh they are, and if it is empty, why. `budget` bounds \
            its length in tokens: rows are never cut, long texts are, and `get_record` shows them whole.\n\
            Example: {\"target\": \"finance.transactions\", \"select\": [\"booked_on\", \"amount\", \"merchant_name\"], \
            \"where\": {\"amount\": {\"lt\": 0}, \"booked_on\": {\"gte\": \"today-30d\"}}, \"order_by\": [\"-booked_on\"], \
            \"limit\": 20, \"count\": true}\n\
            Example: {\"target\": \"finance.transactions\", \"where\": {\"amount\": {\"lt\": 0}}, \"group_by\": \
            [\"category\", \"booked_on:month\"], \"aggregate\": {\"spent\": \"sum(amount)\", \"n\": \"count\"}, \
            \"order_by\": [\"spent\"]}",
        effect: Effect::Reads,
        schema: schema::query,
    },
    Definition {
        name: Named::GetRecord.name(),
        title: "One record",
        description: "Reads one record with every field, long texts whole. `id` is the `id` of a row that `query` answered; \
            `raw: true` adds what the source sent beyond the table's fields. An answer has at most 1 MiB: a text that is cut \
            ends in a mark with the call that reads on, by `field` and `from`.\n\
            Example: {\"target\": \"mail.messages\", \"id\": \"6f1c1b8e-0c0e-5f6e-9a59-0d2d6a1f3c11\"}",
        effect: Effect::Reads,
        schema: schema::get_record,
    },
    Definition {
        name: Named::FetchLive.name(),
        title: "Fetch now, then query",
        description: "Answers like `query`, with `fetched`: what each connection of the sector could do for newer data. \
            Connections that devices push to cannot be asked, and say so (`push_only`): where there is no other, use `query`, \
            which says how old its data is.\n\
            Takes the arguments of `query`, and `timeout_s` (at most 60). A bare sector as `target` fetches without rows.\n\
            Example: {\"target\": \"calendar.events\", \"where\": {\"start_at\": {\"gte\": \"now\"}}, \"timeout_s\": 20}",
        effect: Effect::ReadsOutside,
        schema: schema::fetch_live,
    },
    Definition {
        name: Named::ListActions.name(),
        title: "Possible actions",
        description: "Lists what `invoke_action` can do: each action's name, what it does, the JSON Schema of its `params`, and \
            the entities it applies to. Where the list is empty nothing can be done; only the home sector can have actions.\n\
            Example: {\"target\": \"home\"}",
        effect: Effect::Reads,
        schema: schema::list_actions,
    },
    Definition {
        name: Named::InvokeAction.name(),
        title: "Do something",
        description: "Carries out one of the actions that `list_actions` names, and answers what was reported and which \
            states changed; where that list is empty there is nothing to carry out. It acts on the real world: only do what \
            the person asked for.\n\
            Example: {\"action\": \"home.light.turn_on\", \"params\": {\"entity_id\": \"light.hall\"}}",
        effect: Effect::ActsOutside,
        schema: schema::invoke_action,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What the audit log redacts (r026).
    const REDACTED: [&str; 6] = ["pass", "secret", "token", "key", "authorization", "cookie"];
    /// Longest description, in bytes.
    const DESCRIPTION_BYTES_MAX: usize = 2048;

    fn properties(tool: &Tool) -> Map<String, Value> {
        let properties = tool.input_schema.get("properties").cloned();
        serde_json::from_value(properties.unwrap_or_default()).unwrap_or_default()
    }

    #[test]
    fn there_are_seven_tools_with_title_hints_and_a_short_description() {
        let names: Vec<_> = all().iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(
            names,
            [
                "describe_context",
                "get_schema",
                "query",
                "get_record",
                "fetch_live",
                "list_actions",
                "invoke_action"
            ]
        );
        for tool in all() {
            let description = tool.description.unwrap();
            assert!(description.len() < DESCRIPTION_BYTES_MAX, "{}", tool.name);
            assert!(
                tool.title.is_some() && tool.output_schema.is_none(),
                "{}",
                tool.name
            );
            let hints = tool.annotations.unwrap();
            assert_eq!(hints.read_only_hint.unwrap(), tool.name != "invoke_action");
            assert_eq!(
                hints.destructive_hint.unwrap(),
                tool.name == "invoke_action"
            );
            assert!(hints.idempotent_hint.is_some() && hints.open_world_hint.is_some());
        }
    }

    #[test]
    fn every_description_ends_in_an_example_that_fits_its_schema() {
        for tool in all() {
            let description = tool.description.clone().unwrap();
            let (_, example) = description.rsplit_once("Example: ").unwrap();
            let example: Map<String, Value> = serde_json::from_str(example).unwrap();
            let known = properties(&tool);
            assert!(
                example.keys().all(|name| known.contains_key(name)),
                "{}",
                tool.name
            );
            let required = tool
                .input_schema
                .get("required")
                .cloned()
                .unwrap_or_default();
            let required: Vec<String> = serde_json::from_value(required).unwrap_or_default();
            assert!(
                required.iter().all(|name| example.contains_key(name)),
                "{}",
                tool.name
            );
        }
    }

    #[test]
    fn r508_no_argument_has_a_name_that_the_record_redacts() {
        for tool in all() {
            assert_eq!(
                tool.input_schema["additionalProperties"], false,
                "{}",
                tool.name
            );
            for name in properties(&tool).keys() {
                assert!(!REDACTED.iter().any(|word| name.contains(word)), "{name}");
            }
        }
    }
}
