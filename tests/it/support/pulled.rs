//! Connections that are read from a source, with their sign-in and their runs, written as the service leaves them: what the Console
//! shows of states that no source is brought into at will.

use serde_json::Value;
use sextant_actors::random;
use tokio_postgres::Client;
use uuid::Uuid;

/// A sign-in of `ada@example.org` and one connection a sector. Publish the connections afterwards.
pub struct PulledSource<'a> {
    client: &'a Client,
    pub sign_in: Uuid,
    provider: &'static str,
}

impl<'a> PulledSource<'a> {
    pub async fn sign_in(client: &'a Client, provider: &'static str) -> Self {
        let sign_in = random::identifier().unwrap();
        let sql = "INSERT INTO sign_ins (id, user_id, provider, identity, account)
            SELECT $1, id, $2, 'ada@example.org', 'ada@example.org' FROM users";
        client.execute(sql, &[&sign_in, &provider]).await.unwrap();
        Self {
            client,
            sign_in,
            provider,
        }
    }

    /// An active connection that reads every quarter of an hour and has never been read.
    pub async fn connection(&self, target: &str, label: &str) -> Uuid {
        let id = random::identifier().unwrap();
        let (sector, _) = target.split_once('.').unwrap();
        let sql = "INSERT INTO connections (id, user_id, sign_in_id, provider, label, sector, target_table, health, interval_s)
            SELECT $1, id, $2, $3, $4, $5, $6, 'waiting', 900 FROM users";
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 6] =
            [&id, &self.sign_in, &self.provider, &label, &sector, &target];
        self.client.execute(sql, &values).await.unwrap();
        id
    }

    /// Health, problem and the time of a retry in so many minutes from now, if there is one.
    pub async fn fares(&self, id: Uuid, health: &str, problem: Value, retry_in_min: Option<i32>) {
        let sql = "UPDATE connections
            SET health = $2, problem = nullif($3::jsonb, 'null'), last_success_at = now() - interval '3 min',
                retry_at = now() + make_interval(mins => $4)
            WHERE id = $1";
        self.client
            .execute(sql, &[&id, &health, &problem, &retry_in_min])
            .await
            .unwrap();
    }

    /// A run that began so many minutes ago and took 4 seconds; without an outcome it goes on.
    pub async fn run(&self, id: Uuid, minutes_ago: i32, outcome: Option<&str>, upserted: i32) {
        let sql = "INSERT INTO sync_runs (user_id, connection_id, started_at, ended_at, outcome, upserted, message)
            SELECT user_id, id, at, CASE WHEN $3::text IS NOT NULL THEN at + interval '4 s' END, $3, $4,
                CASE $3 WHEN 'failed' THEN 'The server did not answer within 30 s.'
                    WHEN 'partial' THEN '1 item was left out: /op/cal/a.ics: it cannot be read' END
            FROM connections, LATERAL (SELECT now() - make_interval(mins => $2) AS at) AS began
            WHERE id = $1";
        self.client
            .execute(sql, &[&id, &minutes_ago, &outcome, &upserted])
            .await
            .unwrap();
    }
}
