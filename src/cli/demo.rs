//! `sextant demo`: the whole of it in one go, in a folder that is thrown away (docs/operating.md#commands).
//!
//! A private database and the service start, the sample household is pushed through the ingest route, an agent gets its
//! key, and a real MCP client asks under it. What it asked, what it was answered and what the record kept is printed. The
//! service runs in this process and stops in order whatever happens, Ctrl-C included; then the folder goes.
//!
//! ```text
//! folder.rs     where it happens, and under which settings      operator.rs   what the person does: pushes, a key, the record
//! agent.rs      an MCP client on the agent port                 questions.rs  what is asked, and what is shown of the answers
//! ```

mod agent;
mod error;
mod folder;
mod operator;
mod questions;

use std::future::pending;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use chrono_tz::Tz;
use clap::Args;
use sextant_actors::clock::{Clock, SystemClock};

use self::agent::Agent;
use self::folder::Folder;
use self::operator::Operator;
use self::questions::QUESTIONS;
use super::{EXIT_INTERRUPTED, Terminal, logging, write_line};
use crate::app::{self, App};
use crate::config::{Config, Environment};
use crate::sample;

pub(crate) use error::DemoError;

/// What the agent may read; mail and home it may not, and one question shows that.
const GRANTED: [&str; 4] = ["calendar", "contacts", "finance", "health"];

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArguments {
    /// Leave it running until Ctrl-C, and print its addresses and the agent's key
    #[arg(long)]
    keep: bool,
}

/// Shows everything, and ends: 0 when all of it worked.
pub(crate) fn run(
    arguments: &DemoArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    match demonstrate(arguments, environment, &mut *terminal.out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            write_line(terminal.err, &format!("sextant: {error}"));
            match error {
                DemoError::Interrupted => ExitCode::from(EXIT_INTERRUPTED),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// Where it happens, and where it is told.
struct DemoRun<'a> {
    folder: Folder,
    zone: Tz,
    out: &'a mut (dyn Write + Send),
}

impl<'a> DemoRun<'a> {
    fn set(
        environment: Environment,
        out: &'a mut (dyn Write + Send),
    ) -> Result<(Config, Self), DemoError> {
        let folder = Folder::make().map_err(DemoError::Folder)?;
        let config = folder.config(environment).map_err(DemoError::Config)?;
        logging::start(&config.log_filter);
        let path = folder.path().display();
        writeln!(out, "A private database and the service start in {path} …")?;
        out.flush()?;
        let zone = config.zone.zone;
        Ok((config, Self { folder, zone, out }))
    }
}

fn demonstrate(
    arguments: &DemoArguments,
    environment: Environment,
    out: &mut (dyn Write + Send),
) -> Result<(), DemoError> {
    let mut is_kept = false;
    let visited = app::run_while(
        || DemoRun::set(environment, out),
        |ports| ports,
        async |app, stage: &mut DemoRun<'_>| {
            let key = visit(app, stage.zone, stage.out).await?;
            if arguments.keep {
                say_kept(app, &key, &stage.folder, stage.out)?;
                is_kept = true;
                pending::<()>().await;
            }
            Ok(())
        },
    );
    match visited? {
        Some(end) => end,
        None if is_kept => Ok(()),
        None => Err(DemoError::Interrupted),
    }
}

/// Everything but the end; answers the agent's key.
async fn visit(app: &App, zone: Tz, out: &mut (dyn Write + Send)) -> Result<String, DemoError> {
    writeln!(
        out,
        "  Console http://{}   agents http://{}/mcp\n",
        app.console, app.agents
    )?;
    let operator = Operator::new(app.console)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let shares = sample::household(clock.now(), zone).map_err(DemoError::Sample)?;
    writeln!(out, "A sample household, pushed through the ingest route:")?;
    let mut records = 0;
    for share in &shares {
        let stored = operator.push(share).await?;
        writeln!(out, "  {stored:>5}  {}", share.target)?;
        records += stored;
    }
    writeln!(out, "  {records:>5}  records in all\n")?;
    let key = operator.key(&GRANTED).await?;
    writeln!(
        out,
        "An agent and its key. It may read {}; not mail, not home.\n",
        GRANTED.join(", ")
    )?;
    ask(app, &key, zone, out).await?;
    say_audit(&operator, zone, out).await?;
    Ok(key)
}

async fn ask(
    app: &App,
    key: &str,
    zone: Tz,
    out: &mut (dyn Write + Send),
) -> Result<(), DemoError> {
    let agent = Agent::connect(&format!("http://{}/mcp", app.agents), key).await?;
    let tools = agent.tools().await?;
    writeln!(
        out,
        "It connects over MCP {} and finds {}.\n",
        agent.version(),
        tools.join(", ")
    )?;
    for question in &QUESTIONS {
        let call = question.call();
        writeln!(out, "{}\n  query {call}", question.asked)?;
        let answer = agent.query(call).await?;
        for line in question.show(&answer, zone)? {
            writeln!(out, "  {line}")?;
        }
        writeln!(out)?;
    }
    agent.leave().await
}

async fn say_audit(
    operator: &Operator,
    zone: Tz,
    out: &mut (dyn Write + Send),
) -> Result<(), DemoError> {
    let rows = operator.audit_rows(QUESTIONS.len()).await?;
    writeln!(out, "What the record kept of it, for ever:")?;
    for line in questions::audit_lines(&rows, zone) {
        writeln!(out, "  {line}")?;
    }
    Ok(writeln!(out)?)
}

fn say_kept(
    app: &App,
    key: &str,
    folder: &Folder,
    out: &mut (dyn Write + Send),
) -> Result<(), DemoError> {
    writeln!(
        out,
        "It stays up until you press Ctrl-C. Then it stops, and {} is removed.",
        folder.path().display()
    )?;
    writeln!(out, "  Console  http://{}", app.console)?;
    writeln!(out, "  agents   http://{}/mcp", app.agents)?;
    writeln!(out, "  key      {key}")?;
    Ok(out.flush()?)
}
