//! From a request as rmcp has read it to the call that the tool service serves.

use rmcp::model::{CallToolRequestParams, RequestId};
use serde_json::{Map, Value};
use sextant_actors::domain::Call;

/// The call that a request makes.
pub fn of(request: CallToolRequestParams, id: &RequestId) -> Call {
    Call {
        tool: request.name.into_owned(),
        arguments: Value::Object(request.arguments.unwrap_or_default()),
        request_id: Some(id.to_string()),
    }
}

/// A malformed call, for its audit row: name and arguments as far as they can be read, else empty.
pub fn misread(params: Option<Value>, id: &RequestId) -> Call {
    let part = |name: &str| params.as_ref().and_then(|params| params.get(name)).cloned();
    let name = part("name").and_then(|name| name.as_str().map(str::to_owned));
    Call {
        tool: name.unwrap_or_default(),
        arguments: part("arguments").unwrap_or_else(|| Value::Object(Map::new())),
        request_id: Some(id.to_string()),
    }
}
