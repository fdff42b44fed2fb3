//! A tool service over a migrated database and the real actors, and rows to query.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant::calls::{Clients, ToolService, ToolServiceParts};
use sextant::capacity::Quotas;
use sextant::catalog::{Field, Kind, Table};
use sextant::db::{Database, DatabaseOptions, Place, PoolLimits, Readers, ServicePool};
use sextant::store::connections::ConnectionTable;
use sextant_actors::clock::FrozenClock;
use sextant_actors::domain::{AgentName, Call, Caller, OPERATOR, Reply, SectorSet, Served};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::{
    AuditStore, Flush, Flushed, GrantApplied, GrantChange, GrantStore, Outlets, PortError,
    PortFuture, ToolCalls as _,
};
use sextant_actors::tree::{ActorTree, TreePorts};
use tokio_postgres::Client;
use uuid::Uuid;

use crate::support::TestDatabase;
use crate::support::database::drivers;
use crate::support::rounds::NoRounds;

/// The present time in these tests.
pub const NOW: &str = "2026-03-17T12:00:00Z";

/// Everything that an agent's call needs, without a surface.
pub struct House {
    pub owner: Arc<Client>,
    pub tree: ActorTree,
    pub tool_service: Arc<ToolService>,
    pub granted: SectorSet,
    pub expires_at: Option<DateTime<Utc>>,
    open: Database,
    pub database: TestDatabase,
}

impl House {
    /// Built inside a running actor system; every sector is granted. Its one agent makes many calls at once, so that
    /// its share is a large one.
    pub async fn build() -> Self {
        Self::within(PoolLimits {
            other_connections_max: 64,
            ..PoolLimits::default()
        })
        .await
    }

    /// As [`Self::build`], with other limits on reads.
    pub async fn within(limits: PoolLimits) -> Self {
        let database = TestDatabase::create().await;
        let options = DatabaseOptions {
            place: Place::Foreign(database.url()),
            reader_role: true,
            limits,
            drivers: drivers(),
        };
        let open = Database::open(options)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let owner = Arc::new(database.connect().await);
        let clock = Arc::new(FrozenClock::at(now()));
        let ports = TreePorts {
            audit: Arc::new(Nowhere),
            grants: Arc::new(Nowhere),
            connections: Arc::new(ConnectionTable::new(open.service().clone())),
            outlets: Arc::new(Nowhere),
            journal: None,
            rounds: Arc::new(NoRounds),
            sign_ins: None,
            draw: Arc::new(|| 0),
            clock: clock.clone(),
        };
        let readers = open.readers().clone();
        let mut built = None;
        let tree = ActorTree::start(ports, TreeLimits::default(), |_, connections| {
            let tool_service = Arc::new(ToolService::new(ToolServiceParts {
                clients: Clients::agents(&readers, &Quotas::default()),
                readers,
                homes: sextant::sync::LiveHomes::default(),
                connections: connections.clone(),
                clock,
                zone: chrono_tz::Europe::Berlin,
            }));
            built = Some(tool_service.clone());
            tool_service
        })
        .await;
        Self {
            owner,
            tree,
            tool_service: built.unwrap(),
            granted: SectorSet::ALL,
            expires_at: None,
            open,
            database,
        }
    }

    /// Makes a push connection that has delivered.
    pub async fn connect(&self, table: &str, label: &str) -> Uuid {
        let id = Uuid::from_u128(u128::from_str_radix(&hex(label), 16).unwrap());
        let sector = table.split('.').next().unwrap();
        let sql = "INSERT INTO connections (id, user_id, provider, label, sector, target_table, last_success_at)
            VALUES ($1, $2, 'push', $3, $4, $5, '2026-03-17T08:00:00Z')";
        self.owner
            .execute(sql, &[&id, &OPERATOR, &label, &sector, &table])
            .await
            .unwrap();
        self.tree.connections.reload(id).await.unwrap();
        id
    }

    /// Changes the connections with `SET <change>`.
    pub async fn alter_connections(&self, change: &str) {
        self.owner
            .batch_execute(&format!("UPDATE connections SET {change}"))
            .await
            .unwrap();
        self.publish_connections().await;
    }

    /// Publishes the connections as a test has written them.
    pub async fn publish_connections(&self) {
        self.tree.connections.reload(Uuid::nil()).await.unwrap();
    }

    /// Moves the operator to another zone, at another time.
    pub fn move_to(&mut self, zone: chrono_tz::Tz, now: DateTime<Utc>) {
        self.tool_service = Arc::new(ToolService::new(ToolServiceParts {
            readers: self.open.readers().clone(),
            clients: Clients::agents(self.open.readers(), &Quotas::default()),
            homes: sextant::sync::LiveHomes::default(),
            connections: self.tree.connections.clone(),
            clock: Arc::new(FrozenClock::at(now)),
            zone,
        }));
    }

    /// The connections that agents read on.
    pub fn readers(&self) -> &Readers {
        self.open.readers()
    }

    /// The service's own database connections.
    pub fn pool(&self) -> &ServicePool {
        self.open.service()
    }

    /// Serves one call.
    pub async fn call(&self, tool: &str, arguments: Value) -> Served {
        let caller = Caller {
            user: OPERATOR,
            agent: Some("claude".parse::<AgentName>().unwrap()),
            sectors: self.granted,
            expires_at: self.expires_at,
        };
        let call = Call {
            tool: tool.into(),
            arguments,
            request_id: None,
        };
        self.tool_service.serve(caller, call).await
    }

    /// The answer to a call that succeeds.
    pub async fn answer(&self, tool: &str, arguments: Value) -> Value {
        match self.call(tool, arguments).await.reply {
            Reply::Answer(text) => serde_json::from_str(&text.to_string()).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// The text of a call that fails or is refused.
    pub async fn fault(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments).await.reply {
            Reply::Fault(text) | Reply::Failure(_, text) => text,
            other => panic!("{other:?}"),
        }
    }

    /// `query`.
    pub async fn query(&self, arguments: Value) -> Value {
        self.answer("query", arguments).await
    }

    /// The values of one column of a query that must fit into one answer.
    pub async fn column(&self, target: &str, name: &str, filter: Value) -> Vec<Value> {
        let arguments = json!({"target": target, "select": [name], "where": filter, "limit": 1000, "budget": 25000});
        let answer = self.query(arguments).await;
        assert_eq!(answer["next_cursor"], Value::Null);
        rows(&answer)
            .into_iter()
            .map(|row| row[0].clone())
            .collect()
    }

    /// Fills `table` with the rows `from..=to`: values that repeat, and nulls wherever they are allowed.
    pub async fn fill(&self, connection: Uuid, table: &Table, from: i32, to: i32) {
        self.fill_with(value, connection, table, from, to).await;
    }

    /// As [`Self::fill`] with other values: `value` gives the SQL for row `i` of a field, by the field's position.
    pub async fn fill_with(
        &self,
        value: fn((usize, &Field)) -> String,
        connection: Uuid,
        table: &Table,
        from: i32,
        to: i32,
    ) {
        let names: Vec<String> = table
            .fields
            .iter()
            .map(|field| format!("\"{}\"", field.told_column()))
            .collect();
        let values: Vec<String> = table.fields.iter().enumerate().map(value).collect();
        let sql = format!(
            "INSERT INTO {target} (id, user_id, connection_id, source_id, {names})
             SELECT md5('{target}' || i)::uuid, $1, $2, 'row ' || i, {values} FROM generate_series($3::int, $4::int) AS i",
            target = table.target(),
            names = names.join(", "),
            values = values.join(", "),
        );
        self.owner
            .execute(&sql, &[&OPERATOR, &connection, &from, &to])
            .await
            .unwrap();
    }
}

pub fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

pub fn rows(answer: &Value) -> Vec<Vec<Value>> {
    let rows = answer["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row.as_array().unwrap().clone())
        .collect()
}

fn hex(label: &str) -> String {
    label
        .bytes()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A value of row `i` in field number `place`, sometimes null.
fn value((place, field): (usize, &Field)) -> String {
    let seed = format!("((i * 7 + {place} * 3) % 11)");
    let value = match field.kind {
        Kind::Text if !field.values.is_empty() => {
            let count = field.values.len();
            format!(
                "(ARRAY['{}'])[1 + {seed} % {count}]",
                field.values.join("','")
            )
        }
        Kind::Text => format!("'Wörd ' || {seed}"),
        Kind::Integer | Kind::BigInteger => format!("{seed} - 3"),
        Kind::Float => format!("{seed} / 4.0 - 1"),
        Kind::Decimal { .. } => format!("{seed}::numeric / 8 - 0.5"),
        Kind::Boolean => format!("{seed} < 5"),
        Kind::Date => format!("date '2026-01-01' + {seed}"),
        Kind::Timestamp => {
            format!("timestamptz '2026-01-01T00:00:00.000123Z' + {seed} * interval '7 hours'")
        }
        Kind::Id => format!("md5('parent' || {seed})::uuid"),
        Kind::Json => {
            format!("jsonb_build_array(jsonb_build_object('name', 'Wörd ' || {seed}, 'n', {seed}))")
        }
        Kind::TextList => format!("ARRAY['Wörd ' || {seed}, 'both']"),
        Kind::IntegerList => format!("ARRAY[{seed}, 100]::integer[]"),
    };
    if field.required {
        value
    } else {
        format!("CASE WHEN (i + {place}) % 6 = 0 THEN NULL ELSE {value} END")
    }
}

/// A store of the audit log and of grants that keeps nothing.
struct Nowhere;

impl AuditStore for Nowhere {
    fn position(&self, _: Uuid) -> PortFuture<Result<u64, PortError>> {
        Box::pin(async { Ok(0) })
    }

    fn append(&self, _: Flush) -> PortFuture<Result<Flushed, PortError>> {
        Box::pin(async { Ok(Flushed::Done) })
    }
}

impl Outlets for Nowhere {
    fn clear(&self, _: AgentName, _: u64) -> PortFuture<()> {
        Box::pin(async {})
    }
}

impl GrantStore for Nowhere {
    fn load(&self) -> PortFuture<Result<Vec<sextant_actors::domain::Grant>, PortError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn read(
        &self,
        _: AgentName,
    ) -> PortFuture<Result<Option<sextant_actors::domain::Grant>, PortError>> {
        Box::pin(async { Ok(None) })
    }

    fn apply(
        &self,
        _: AgentName,
        _: GrantChange,
        _: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        Box::pin(async { Ok(GrantApplied::NotFound) })
    }

    fn revoke_all(
        &self,
        _: DateTime<Utc>,
    ) -> PortFuture<Result<Vec<sextant_actors::domain::Grant>, PortError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// The tool service's answer to a query under a grant of all sectors.
pub async fn asked(tool_service: &ToolService, arguments: &Value) -> Value {
    let caller = Caller {
        user: OPERATOR,
        agent: Some("claude".parse().unwrap()),
        sectors: SectorSet::ALL,
        expires_at: None,
    };
    let call = Call {
        tool: "query".into(),
        arguments: arguments.clone(),
        request_id: None,
    };
    match tool_service.serve(caller, call).await.reply {
        Reply::Answer(text) => serde_json::from_str(&text.to_string()).unwrap(),
        other => panic!("{arguments}\n{other:?}"),
    }
}
