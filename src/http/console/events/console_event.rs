use actix_web::web::Bytes;
use serde_json::{Value, json};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConsoleEvent {
    Audit {
        count: u64,
        last_id: Option<i64>,
    },
    Connection {
        id: String,
    },
    Agent {
        name: String,
    },
    AgentSessions {
        name: String,
        count: usize,
    },
    Actor {
        id: String,
        state: &'static str,
        restarts: u64,
    },
    Attention {
        count: usize,
    },
    Duplicates {
        open: u64,
    },
    Upload {
        id: String,
    },
    Exposure {
        url: Option<String>,
    },
}

impl ConsoleEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Audit { .. } => "audit",
            Self::Connection { .. } => "connection",
            Self::Agent { .. } => "agent",
            Self::AgentSessions { .. } => "agent.sessions",
            Self::Actor { .. } => "actor",
            Self::Attention { .. } => "attention",
            Self::Duplicates { .. } => "duplicates",
            Self::Upload { .. } => "upload",
            Self::Exposure { .. } => "exposure",
        }
    }

    fn data(&self) -> Value {
        match self {
            // As everywhere, an id is a text: it may not fit a number of JavaScript.
            Self::Audit { count, last_id } => {
                json!({ "count": count, "lastId": last_id.map(|id| id.to_string()) })
            }
            Self::Connection { id } | Self::Upload { id } => json!({ "id": id }),
            Self::Agent { name } => json!({ "name": name }),
            Self::AgentSessions { name, count } => json!({ "name": name, "count": count }),
            Self::Actor {
                id,
                state,
                restarts,
            } => {
                json!({ "id": id, "state": state, "restarts": restarts })
            }
            Self::Attention { count } => json!({ "count": count }),
            Self::Duplicates { open } => json!({ "open": open }),
            Self::Exposure { url } => json!({ "url": url }),
        }
    }

    /// The event as it is sent. JSON has no line break outside its strings, and escapes those within.
    pub(super) fn frame(&self) -> Bytes {
        frame(self.name(), &self.data().to_string())
    }
}

/// An event of this name; an `EventSource` ignores one without data.
pub(super) fn frame(name: &str, data: &str) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_name_and_one_line_of_json() {
        let event = ConsoleEvent::Agent {
            name: "a\nb".to_owned(),
        };
        assert_eq!(
            event.frame(),
            "event: agent\ndata: {\"name\":\"a\\nb\"}\n\n"
        );
        let event = ConsoleEvent::Audit {
            count: 3,
            last_id: Some(9_007_199_254_740_993),
        };
        let frame = "event: audit\ndata: {\"count\":3,\"lastId\":\"9007199254740993\"}\n\n";
        assert_eq!(event.frame(), frame);
    }
}
