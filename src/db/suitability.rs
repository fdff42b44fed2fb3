//! Whether a server that the operator chose can store our data: its version, encoding and locale.
//!
//! The private cluster is created suitable; a foreign one is checked before anything is written to it.

use std::fmt;

use tokio_postgres::Client;

use super::embedded::POSTGRES_MAJOR_MIN;

/// What makes a database unsuitable.
#[derive(Debug)]
pub enum SuitabilityError {
    TooOld {
        version: String,
    },
    Encoding {
        database: String,
        encoding: String,
    },
    /// The locale `C` has no upper and lower case beyond ASCII: a search for `ü` would not find `Ü`.
    Locale {
        database: String,
        locale: String,
    },
    Failed(tokio_postgres::Error),
}

impl fmt::Display for SuitabilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooOld { version } => write!(
                f,
                "DATABASE_URL leads to PostgreSQL {version}; {POSTGRES_MAJOR_MIN} or newer is needed: upgrade it, or unset \
                 DATABASE_URL for a private one"
            ),
            Self::Encoding { database, encoding } => write!(
                f,
                "the database {database} has the encoding {encoding}; {}",
                remedy(database)
            ),
            Self::Locale { database, locale } => write!(
                f,
                "the database {database} has the locale {locale}, which knows no letters beyond ASCII; {}",
                remedy(database)
            ),
            Self::Failed(source) => write!(f, "the database could not be examined: {source}"),
        }
    }
}

fn remedy(database: &str) -> String {
    format!(
        "make another with: CREATE DATABASE \"{}_utf8\" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'; \
         and name it in DATABASE_URL",
        database.replace('"', "\"\"")
    )
}

impl std::error::Error for SuitabilityError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(source) => Some(source),
            _ => None,
        }
    }
}

/// The properties of a database.
#[derive(Clone, Debug)]
struct Properties {
    version_number: i32,
    version: String,
    database: String,
    encoding: String,
    /// The locale provider: `c` is the system's library, `i` ICU, `b` built into PostgreSQL.
    provider: String,
    ctype: String,
    provider_locale: Option<String>,
}

/// Refuses a server or database that cannot store or compare text correctly.
///
/// # Errors
/// What makes it unsuitable, or why it could not be examined.
pub(super) async fn check(client: &Client) -> Result<(), SuitabilityError> {
    judge(describe(client).await.map_err(SuitabilityError::Failed)?)
}

async fn describe(client: &Client) -> Result<Properties, tokio_postgres::Error> {
    let row = client
        .query_one(
            include_str!("../../sql/statements/server/describe.sql"),
            &[],
        )
        .await?;
    Ok(Properties {
        version_number: row.try_get(0)?,
        version: row.try_get(1)?,
        database: row.try_get(2)?,
        encoding: row.try_get(3)?,
        provider: row.try_get(4)?,
        ctype: row.try_get(5)?,
        provider_locale: row.try_get(6)?,
    })
}

fn judge(found: Properties) -> Result<(), SuitabilityError> {
    if found.version_number / 10_000 < POSTGRES_MAJOR_MIN.cast_signed() {
        return Err(SuitabilityError::TooOld {
            version: found.version,
        });
    }
    if found.encoding != "UTF8" {
        return Err(SuitabilityError::Encoding {
            database: found.database,
            encoding: found.encoding,
        });
    }
    let folding = match found.provider.as_str() {
        "i" => None,
        "b" => found.provider_locale,
        _ => Some(found.ctype),
    };
    match folding {
        Some(locale) if locale == "C" || locale == "POSIX" => Err(SuitabilityError::Locale {
            database: found.database,
            locale,
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(provider: &str, ctype: &str, provider_locale: Option<&str>) -> Properties {
        Properties {
            version_number: 150_014,
            version: "15.14".into(),
            database: "data".into(),
            encoding: "UTF8".into(),
            provider: provider.into(),
            ctype: ctype.into(),
            provider_locale: provider_locale.map(str::to_owned),
        }
    }

    #[test]
    fn plain_c_is_refused_whichever_library_provides_it() {
        for refused in [
            database("c", "C", None),
            database("c", "POSIX", None),
            database("b", "C", Some("C")),
        ] {
            assert!(
                matches!(judge(refused.clone()), Err(SuitabilityError::Locale { .. })),
                "{refused:?}"
            );
        }
        for accepted in [
            database("c", "C.UTF-8", None),
            database("c", "de_DE.utf8", None),
            database("i", "C", Some("und")),
            database("b", "C", Some("C.UTF-8")),
        ] {
            assert!(judge(accepted.clone()).is_ok(), "{accepted:?}");
        }
    }

    #[test]
    fn an_old_server_and_another_encoding_are_refused() {
        let old = Properties {
            version_number: 140_019,
            version: "14.19".into(),
            ..database("c", "C.UTF-8", None)
        };
        assert!(judge(old).unwrap_err().to_string().contains("14.19"));
        let latin = Properties {
            encoding: "LATIN1".into(),
            ..database("c", "C.UTF-8", None)
        };
        assert!(
            judge(latin)
                .unwrap_err()
                .to_string()
                .contains("ENCODING 'UTF8'")
        );
    }
}
