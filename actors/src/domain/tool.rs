use std::fmt;
use std::str::FromStr;

/// The seven tools that agents may call. Their names are verbs of the audit log (r043).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    /// What the key opens, and how fresh it is.
    DescribeContext,
    /// Tables, fields and examples.
    GetSchema,
    /// Rows of one table.
    Query,
    /// One record, whole.
    GetRecord,
    /// Reach the sources, then query.
    FetchLive,
    /// What can be done.
    ListActions,
    /// Do it.
    InvokeAction,
}

impl Tool {
    /// All seven, in the order in which an agent meets them.
    pub const ALL: [Tool; 7] = [
        Tool::DescribeContext,
        Tool::GetSchema,
        Tool::Query,
        Tool::GetRecord,
        Tool::FetchLive,
        Tool::ListActions,
        Tool::InvokeAction,
    ];

    /// The name in MCP and in the audit log.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::DescribeContext => "describe_context",
            Tool::GetSchema => "get_schema",
            Tool::Query => "query",
            Tool::GetRecord => "get_record",
            Tool::FetchLive => "fetch_live",
            Tool::ListActions => "list_actions",
            Tool::InvokeAction => "invoke_action",
        }
    }
}

/// A name that is none of the seven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTool;

impl fmt::Display for UnknownTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no such tool; tools/list names the seven")
    }
}

impl std::error::Error for UnknownTool {}

impl FromStr for Tool {
    type Err = UnknownTool;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|tool| tool.name() == name)
            .ok_or(UnknownTool)
    }
}
