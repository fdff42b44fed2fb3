//! Where records go: to connections that were given, that are known, or that are made when the first record needs
//! them; in a rehearsal nowhere, but it says where they would.

use std::path::{Path, PathBuf};

use crate::catalog::Table;
use crate::cli::push::arguments::PushArguments;
use crate::cli::push::create::Keeper;
use crate::cli::push::error::PushError;
use crate::cli::push::listing::Namesake;
use crate::cli::push::report::Report;
use crate::cli::push::routes::connection_routes;
use crate::cli::push::secrets::{EnvironmentSecret, MissingFile, Secrets};
use crate::cli::push::server::PushServer;
use crate::intake::{BatchOutcome, NoRoute, PushBatch, RecordRoute, Routes, Sink};
use crate::intake::{label, pushable};

const NO_DESTINATION: &str = "say where to push: name connections with --connection or --secret-file, or let \
    `--create --secret-file FILE` make them";
const NOT_HERE: &str = "--create makes connections on this computer only, and --url is another one: make them in its \
    Console, and name them with --connection";
const NO_LIST: &str = "the server does not list its connections";
const UNTOLD: &str =
    "it does not say for which table it is (`target`), and several connections are given";

/// Where the records of a push go: the server, its connections, and their secrets.
pub(super) struct HttpSink {
    server: PushServer,
    secrets: Secrets,
    routes: Routes,
    /// How many of them were there before the push.
    there: usize,
    /// Where the secrets of new connections are kept, if any may be made.
    keep_in: Option<PathBuf>,
    /// Whether one that is there under the label of a new one is taken over.
    adopts: bool,
    is_rehearsal: bool,
}

impl HttpSink {
    pub(super) async fn new(
        arguments: &PushArguments,
        url: &str,
        secret: EnvironmentSecret,
        report: &mut Report<'_>,
    ) -> Result<Self, PushError> {
        let given = &arguments.connections;
        let is_rehearsal = arguments.dry_run;
        if given.is_empty() && arguments.secret_file.is_none() && !is_rehearsal {
            return Err(PushError::Connection(NO_DESTINATION.to_owned()));
        }
        let server = PushServer::new(url)?;
        if arguments.create && !server.is_here() {
            return Err(PushError::Connection(NOT_HERE.to_owned()));
        }
        let absent = match arguments.create || is_rehearsal {
            true => MissingFile::IsEmpty,
            false => MissingFile::IsAnError,
        };
        let file = arguments.secret_file.as_deref();
        let secrets = Secrets::read(given, file.map(|file| (file, absent)), secret)?;
        if !is_rehearsal {
            secrets.check(given)?;
        }
        let mut destination = Self {
            server,
            secrets,
            routes: Routes::default(),
            there: 0,
            keep_in: arguments.secret_file.clone().filter(|_| arguments.create),
            adopts: arguments.adopt,
            is_rehearsal,
        };
        destination.routes = destination.routes_of(given, report).await?;
        destination.there = destination.routes.len();
        Ok(destination)
    }

    async fn routes_of(
        &self,
        given: &[String],
        report: &mut Report<'_>,
    ) -> Result<Routes, PushError> {
        let known = match given.is_empty() || self.keep_in.is_some() {
            true => self.secrets.ids(),
            false => Vec::new(),
        };
        if given.is_empty() && known.is_empty() && self.is_rehearsal {
            return Ok(Routes::default());
        }
        let listing = self.server.connections().await;
        if listing.is_none() && self.is_rehearsal {
            report.note(&format!(
                "{NO_LIST}: which of them takes which table is not known"
            ))?;
            let first = given.iter().chain(&known).next().cloned();
            return connection_routes(first.as_slice(), &[], None);
        }
        if listing.is_none() && given.is_empty() {
            return Err(self.server.silent(NO_LIST));
        }
        connection_routes(given, &known, listing.as_ref())
    }

    fn route_to(&self, connection: usize, target: Option<&str>) -> Result<RecordRoute, PushError> {
        if !self.is_rehearsal {
            return Ok(RecordRoute::To(connection));
        }
        let table = target.unwrap_or("the table of its connection");
        let id = self.id(connection)?;
        let by = match connection < self.there {
            true => format!("by connection {id}"),
            false => id.to_owned(),
        };
        Ok(RecordRoute::Would(table.to_owned(), by))
    }

    async fn make(&mut self, table: &Table, file: PathBuf) -> Result<RecordRoute, PushError> {
        let target = table.target();
        if self.is_rehearsal {
            return self.plan(table, &file).await;
        }
        let keeper = Keeper::of(file).await?;
        self.learn(keeper.path()).await?;
        match self.routes.find(Some(&target)) {
            Ok(connection) => return Ok(RecordRoute::To(connection)),
            Err(NoRoute::Closed(reason)) => return Ok(RecordRoute::None(reason)),
            Err(NoRoute::Missing | NoRoute::Untold) => {}
        }
        let (created, verb) = match self.namesake(&target, keeper.path()).await? {
            Some(there) => (keeper.adopt(&self.server, &there.id).await?, "took over"),
            None => (keeper.create(&self.server, table).await?, "made"),
        };
        let label = label(table);
        let note = format!("  {verb} connection {} `{label}` for {target}", created.id);
        self.secrets.add(created.id.clone(), created.secret);
        Ok(RecordRoute::Made(
            self.routes.add(created.id, &target),
            note,
        ))
    }

    /// What would be made for a table, or taken over.
    async fn plan(&mut self, table: &Table, file: &Path) -> Result<RecordRoute, PushError> {
        let target = table.target();
        let label = label(table);
        let there = match self.server.connections().await {
            Some(_) => self.namesake(&target, file).await,
            None => Ok(None),
        };
        let planned = match there {
            Ok(None) => format!("by a new connection `{label}`"),
            Ok(Some(there)) => format!("by connection {}, under a new secret", there.id),
            Err(error) => return Ok(RecordRoute::WouldNot(error.to_string())),
        };
        let connection = self.routes.add(planned, &target);
        self.route_to(connection, Some(&target))
    }

    /// The connection that is there under the label of the one to be made, if it may be taken over.
    async fn namesake(&self, target: &str, file: &Path) -> Result<Option<Namesake>, PushError> {
        let listing = self.server.connections().await;
        let listing = listing.ok_or_else(|| self.server.silent(NO_LIST))?;
        let known = self.secrets.ids();
        let there: Vec<_> = listing
            .namesakes()
            .filter(|there| !known.contains(&there.id))
            .collect();
        let mut fitting = there.iter().filter(|there| there.target == target);
        match (fitting.next(), fitting.next()) {
            (None, _) => Ok(None),
            (Some(only), None) if self.adopts => Ok(Some(only.clone())),
            (Some(_), other) => {
                let adopts = self.adopts && other.is_some();
                Err(PushError::Connection(exist(&there, file, adopts)))
            }
        }
    }

    /// Takes in the connections that other pushes have made meanwhile.
    async fn learn(&mut self, file: &Path) -> Result<(), PushError> {
        let file = Some((file, MissingFile::IsEmpty));
        let now = Secrets::read(&[], file, EnvironmentSecret::default())?;
        let new = self.secrets.learn(now);
        if new.is_empty() {
            return Ok(());
        }
        let listing = self.server.connections().await;
        let listing = listing.ok_or_else(|| self.server.silent(NO_LIST))?;
        let routes = new.iter().filter_map(|id| listing.known(id));
        self.routes.extend(routes);
        Ok(())
    }

    fn id(&self, connection: usize) -> Result<&str, PushError> {
        self.routes.id(connection).ok_or_else(|| {
            PushError::Connection(format!("this push has no connection {connection}"))
        })
    }
}

impl Sink for HttpSink {
    type Error = PushError;

    /// The way of a record for a table; makes its connection if that is wanted and there is none.
    async fn route(&mut self, target: Option<&str>) -> Result<RecordRoute, PushError> {
        let reason = match self.routes.find(target) {
            Ok(connection) => return self.route_to(connection, target),
            Err(NoRoute::Untold) => UNTOLD.to_owned(),
            Err(NoRoute::Closed(reason)) => reason,
            Err(NoRoute::Missing) => {
                // A record that names no table is never without a connection: it is `NoRoute::Untold`.
                let target = target.unwrap_or_default();
                match (self.keep_in.clone(), pushable(target)) {
                    (Some(file), Some(table)) => return self.make(table, file).await,
                    (Some(_), None) => {
                        format!("it is for {target}, and that is no table that takes pushes")
                    }
                    (None, _) => format!(
                        "it is for {target}, and no --connection takes that table (--create makes one)"
                    ),
                }
            }
        };
        Ok(match self.is_rehearsal {
            true => RecordRoute::WouldNot(reason),
            false => RecordRoute::None(reason),
        })
    }

    async fn push(
        &mut self,
        connection: usize,
        batch: &PushBatch,
    ) -> Result<BatchOutcome, PushError> {
        let id = self.id(connection)?;
        self.server.push(id, self.secrets.of(id)?, batch).await
    }
}

/// Why a push stops before it makes a second connection of one label.
fn exist(there: &[Namesake], file: &Path, adopts: bool) -> String {
    let listed: Vec<_> = there.iter().map(|there| format!("\n  {there}")).collect();
    let advice = match adopts {
        true => {
            "--adopt takes over one of a table: disconnect the others, or name the one to use with --connection"
        }
        false => {
            "name the file that holds their secrets with --secret-file, or take them over with --adopt, which ends those secrets"
        }
    };
    format!(
        "there are connections of files already whose secrets are not in {}, and new ones would store everything twice:{}\n{advice}",
        file.display(),
        listed.concat()
    )
}
