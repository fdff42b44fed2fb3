//! Migrates the schema, one transaction a step.
//!
//! It knows the list of steps. A step that has run is never edited, not even its comments, and a schema newer than this
//! program is refused. Why this is written here and not taken from `refinery` is said in `db.rs`.

use std::fmt;

use sha2::{Digest, Sha256};
use tokio_postgres::{Client, Transaction};

use super::rows::destructure;
use super::statement_error::StatementError;

/// One migration. Versions count from 1 without a gap.
#[derive(Debug)]
pub struct Migration {
    pub version: i32,
    pub name: &'static str,
    pub sql: &'static str,
}

/// Every migration, in order.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        name: "schema",
        sql: include_str!("../../sql/migrations/0001_schema.sql"),
    },
    Migration {
        version: 2,
        name: "derived",
        sql: include_str!("../../sql/migrations/0002_derived.sql"),
    },
    Migration {
        version: 3,
        name: "agent editions",
        sql: include_str!("../../sql/migrations/0003_agent_editions.sql"),
    },
    Migration {
        version: 4,
        name: "generations",
        sql: include_str!("../../sql/migrations/0004_generations.sql"),
    },
    Migration {
        version: 5,
        name: "ways into the counted record",
        sql: include_str!("../../sql/migrations/0005_audit_hourly.sql"),
    },
    Migration {
        version: 6,
        name: "sums",
        sql: include_str!("../../sql/migrations/0006_sums.sql"),
    },
    Migration {
        version: 7,
        name: "names",
        sql: include_str!("../../sql/migrations/0007_names.sql"),
    },
    Migration {
        version: 8,
        name: "made booking days",
        sql: include_str!("../../sql/migrations/0008_booked_on_from.sql"),
    },
    Migration {
        version: 9,
        name: "users of the counted record",
        sql: include_str!("../../sql/migrations/0009_audit_hourly_users.sql"),
    },
    Migration {
        version: 10,
        name: "sleeps by their end",
        sql: include_str!("../../sql/migrations/0010_sleeps_by_end.sql"),
    },
    Migration {
        version: 11,
        name: "counts",
        sql: include_str!("../../sql/migrations/0011_counts.sql"),
    },
    Migration {
        version: 12,
        name: "sums of both signs",
        sql: include_str!("../../sql/migrations/0012_sums_of_both_signs.sql"),
    },
    Migration {
        version: 13,
        name: "writes",
        sql: include_str!("../../sql/migrations/0013_writes.sql"),
    },
    Migration {
        version: 14,
        name: "messages without time",
        sql: include_str!("../../sql/migrations/0014_messages_without_time.sql"),
    },
    Migration {
        version: 15,
        name: "sample connections",
        sql: include_str!("../../sql/migrations/0015_sample_connections.sql"),
    },
    Migration {
        version: 16,
        name: "pushes",
        sql: include_str!("../../sql/migrations/0016_pushes.sql"),
    },
    Migration {
        version: 17,
        name: "sources",
        sql: include_str!("../../sql/migrations/0017_sources.sql"),
    },
    Migration {
        version: 18,
        name: "history is kept for a time",
        sql: include_str!("../../sql/migrations/0018_history_kept.sql"),
    },
    Migration {
        version: 19,
        name: "consents",
        sql: include_str!("../../sql/migrations/0019_consents.sql"),
    },
    Migration {
        version: 20,
        name: "wishes of sources",
        sql: include_str!("../../sql/migrations/0020_wishes.sql"),
    },
    Migration {
        version: 21,
        name: "renewed sign-ins",
        sql: include_str!("../../sql/migrations/0021_renewed_sign_ins.sql"),
    },
    Migration {
        version: 22,
        name: "account identities",
        sql: include_str!("../../sql/migrations/0022_account_identities.sql"),
    },
    Migration {
        version: 23,
        name: "source requests",
        sql: include_str!("../../sql/migrations/0023_source_requests.sql"),
    },
    Migration {
        version: 24,
        name: "present balances",
        sql: include_str!("../../sql/migrations/0024_present_balances.sql"),
    },
    Migration {
        version: 25,
        name: "accounts served once",
        sql: include_str!("../../sql/migrations/0025_accounts_served_once.sql"),
    },
    Migration {
        version: 26,
        name: "remote access",
        sql: include_str!("../../sql/migrations/0026_remote_access.sql"),
    },
];

/// Why the schema is not what this program needs.
#[derive(Debug)]
pub enum MigrateError {
    /// The database was already used by a newer program.
    NewerDatabase { database: i32, program: i32 },
    /// A step that has run differs from the one in this program.
    Edited { version: i32, name: String },
    /// A step failed and was rolled back.
    Failed {
        version: i32,
        source: tokio_postgres::Error,
    },
    /// The list of steps that have run could not be read.
    Unreadable(StatementError),
}

impl fmt::Display for MigrateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewerDatabase { database, program } => write!(
                f,
                "the database is at schema {database} and this program knows {program}: it was used by a newer sextant; \
                 start that one, or restore a backup from before it"
            ),
            Self::Edited { version, name } => write!(
                f,
                "schema step {version} ({name}) of this program differs from the one the database has run; \
                 start the release that made the database"
            ),
            Self::Failed { version, source } => write!(
                f,
                "schema step {version} failed, nothing was changed: {source}"
            ),
            Self::Unreadable(source) => {
                write!(f, "the schema's version could not be read: {source}")
            }
        }
    }
}

impl std::error::Error for MigrateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed { source, .. } => Some(source),
            Self::Unreadable(source) => Some(source),
            _ => None,
        }
    }
}

/// Runs the migrations that have not run yet, and returns how many.
///
/// # Errors
/// When the database is newer than the program, a migration that has run was edited, or one fails; it is rolled back then.
pub async fn migrate(client: &mut Client, migrations: &[Migration]) -> Result<usize, MigrateError> {
    client
        .batch_execute(include_str!(
            "../../sql/statements/schema_migrations/create.sql"
        ))
        .await
        .map_err(unreadable)?;
    let done = applied(client).await?;
    let pending = pending(&done, migrations)?;
    for migration in pending {
        apply(client, migration)
            .await
            .map_err(|source| MigrateError::Failed {
                version: migration.version,
                source,
            })?;
        log::info!(
            "schema step {} ({}) done",
            migration.version,
            migration.name
        );
    }
    Ok(pending.len())
}

/// A migration that the database has run.
struct Applied {
    version: i32,
    name: String,
    sha256: Vec<u8>,
}

async fn applied(client: &Client) -> Result<Vec<Applied>, MigrateError> {
    let rows = client
        .query(
            include_str!("../../sql/statements/schema_migrations/list.sql"),
            &[],
        )
        .await
        .map_err(unreadable)?;
    rows.iter()
        .map(|row| {
            let (version, name, sha256) = destructure("schema_migrations/list", row)?;
            Ok(Applied {
                version,
                name,
                sha256,
            })
        })
        .collect::<Result<_, _>>()
        .map_err(MigrateError::Unreadable)
}

fn unreadable(source: tokio_postgres::Error) -> MigrateError {
    MigrateError::Unreadable(source.into())
}

/// The migrations after the last one that has run, provided that those that have run are the program's.
fn pending<'a>(
    done: &[Applied],
    migrations: &'a [Migration],
) -> Result<&'a [Migration], MigrateError> {
    for (index, step) in done.iter().enumerate() {
        let Some(ours) = migrations.get(index) else {
            let newest = done.last().map_or(step.version, |last| last.version);
            return Err(MigrateError::NewerDatabase {
                database: newest,
                program: newest_of(migrations),
            });
        };
        if ours.version != step.version || digest(ours) != step.sha256 {
            return Err(MigrateError::Edited {
                version: step.version,
                name: step.name.clone(),
            });
        }
    }
    // Each one that has run is one of `migrations`, so the range exists.
    Ok(migrations.get(done.len()..).unwrap_or_default())
}

fn newest_of(migrations: &[Migration]) -> i32 {
    migrations.last().map_or(0, |last| last.version)
}

fn digest(migration: &Migration) -> Vec<u8> {
    Sha256::digest(migration.sql.as_bytes()).to_vec()
}

async fn apply(client: &mut Client, migration: &Migration) -> Result<(), tokio_postgres::Error> {
    let transaction: Transaction<'_> = client.transaction().await?;
    transaction.batch_execute(migration.sql).await?;
    transaction
        .execute(
            include_str!("../../sql/statements/schema_migrations/insert.sql"),
            &[&migration.version, &migration.name, &digest(migration)],
        )
        .await?;
    transaction.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: &[Migration] = &[
        Migration {
            version: 1,
            name: "one",
            sql: "SELECT 1",
        },
        Migration {
            version: 2,
            name: "two",
            sql: "SELECT 2",
        },
    ];

    fn ran(steps: &[Migration]) -> Vec<Applied> {
        steps
            .iter()
            .map(|step| Applied {
                version: step.version,
                name: step.name.into(),
                sha256: digest(step),
            })
            .collect()
    }

    #[test]
    fn only_what_has_not_run_is_pending() {
        assert_eq!(pending(&[], STEPS).unwrap().len(), 2);
        assert_eq!(pending(&ran(&STEPS[..1]), STEPS).unwrap()[0].version, 2);
        assert!(pending(&ran(STEPS), STEPS).unwrap().is_empty());
    }

    #[test]
    fn a_newer_database_and_an_edited_step_are_refused() {
        let newer = pending(&ran(STEPS), &STEPS[..1]);
        assert!(matches!(
            newer,
            Err(MigrateError::NewerDatabase {
                database: 2,
                program: 1
            })
        ));
        let mut edited = ran(STEPS);
        edited[0].sha256[0] ^= 1;
        assert!(matches!(
            pending(&edited, STEPS),
            Err(MigrateError::Edited { version: 1, .. })
        ));
    }

    #[test]
    fn versions_count_from_one_without_a_gap() {
        for (index, migration) in MIGRATIONS.iter().enumerate() {
            assert_eq!(usize::try_from(migration.version).unwrap(), index + 1);
        }
    }
}
