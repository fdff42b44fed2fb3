//! What leaks: unmistakable words are planted wherever a secret or something personal can enter, faults are caused
//! around them, and then everything that the service wrote, answered, stored or started is searched for them, in
//! every encoding.

mod agents;
mod console;
mod devices;
mod faults;
mod foreign;
mod markers;
mod pushes;
mod sources;
mod sweep;

use std::path::Path;

use nix::sys::signal::Signal;
use reqwest::{RequestBuilder, StatusCode};
use sextant_actors::domain::AgentKey;

use self::markers::{Kind, Markers};
use self::sweep::{Place, Sweep};
use super::service::{Device, Service, Setup, log_in};
use crate::support::cluster::search_places;
use crate::support::database::dump;
use crate::support::users::in_scratch;

/// Everything is logged, and of every library whatever the cap allows.
const LOUDEST: &str =
    "trace,rmcp=trace,tokio_postgres=trace,hyper=trace,actix_http=trace,sextant::db=trace";

/// One run of the service, the words planted in it, and all its answers.
struct Run {
    service: Service,
    markers: Markers,
    answers: Vec<(Place<'static>, String, String)>,
}

impl Run {
    async fn start(home: &Path, mut markers: Markers) -> Self {
        let mut setup = Setup::in_home(home)
            .env("RUST_LOG", LOUDEST)
            .env("TMPDIR", home.join("tmp").to_str().unwrap());
        std::fs::create_dir_all(home.join("tmp")).unwrap();
        for name in [
            "SEXTANT_INGEST_SECRET",
            "PGPASSWORD",
            "SOMEONE_ELSES_SECRET",
        ] {
            setup = setup.env(name, &markers.word(Kind::Secret, name));
        }
        Self {
            service: setup.start().await,
            markers,
            answers: Vec::new(),
        }
    }

    /// Sends a request; the answer is searched as one of this kind.
    async fn ask(
        &mut self,
        place: Place<'static>,
        request: RequestBuilder,
    ) -> (StatusCode, String) {
        let (client, request) = request.build_split();
        let request = request.unwrap();
        let name = format!("{} {}", request.method(), request.url().path());
        let answer = client.execute(request).await.unwrap();
        let (status, head) = (answer.status(), format!("{:?}", answer.headers()));
        // An answer cut short by a kill has no body to search.
        let body = answer.text().await.unwrap_or_default();
        self.answers
            .push((place, name, format!("{status} {head} {body}")));
        (status, body)
    }

    /// Sends a request, and asserts this status.
    async fn expect(
        &mut self,
        place: Place<'static>,
        request: RequestBuilder,
        status: u16,
    ) -> String {
        let (given, body) = self.ask(place, request).await;
        assert_eq!(given.as_u16(), status, "{body}");
        body
    }

    /// Whether an answer of this kind holds the text: shows that what was planted did arrive.
    fn was_answered(&self, place: Place<'_>, text: &str) -> bool {
        let mut answers = self.answers.iter();
        answers.any(|(kind, _, answer)| *kind == place && answer.contains(text))
    }
}

#[test]
fn r028_nothing_planted_leaks_into_a_log_an_answer_a_file_a_process_or_the_record() {
    let seed = AgentKey::mint().unwrap().reveal();
    println!("seed {seed}");
    in_scratch(async |home| {
        let mut run = Run::start(home, Markers::seeded(&seed)).await;
        let key = console::plant(&mut run).await;
        let device = devices::plant(&mut run).await;
        agents::plant(&mut run, &key).await;
        pushes::plant(&mut run, home).await;
        let _source = sources::plant(&mut run).await;
        sources::know_key(&mut run);
        faults::plant(&mut run, &key, &device).await;
        console::read_all(&mut run).await;
        let server = run.service.postgres();
        let socket_dir = super::service::postgres_socket(&run.service);
        let dumped = dump(&programs(), &socket_dir, "sextant");
        let mut sweep = Sweep::of(&run.markers);
        assert!(sweep.search_processes(server) > 5, "no server was searched");
        // While it runs: rows that have reached the audit log may be gone from the journal after a stop.
        assert!(sweep.search_files(&home.join("data/journal")) > 0);
        run.service.stop(Signal::SIGTERM).await;
        for (place, name, answer) in &run.answers {
            sweep.search(*place, name, answer.as_bytes());
        }
        let log = log_in(home);
        assert!(log.contains("TRACE") || log.contains("DEBUG"), "{log}");
        sweep.search(Place::Log, "the service", log.as_bytes());
        sweep.search_dump(&dumped);
        sweep.search_files(&home.join("data"));
        sweep.search_files(&home.join("tmp"));
        sweep.assert_clean();
    });
}

/// The folder of PostgreSQL's programs.
fn programs() -> std::path::PathBuf {
    let found = sextant::db::embedded::find(&search_places(), None);
    found.unwrap().dir().to_owned()
}
