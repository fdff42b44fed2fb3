//! All kinds of load at once: three devices push, the operator edits, two agents call, and a reader reads the audit
//! log.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder};
use tokio::task::JoinHandle;

use super::audit::Reader;
use super::caller::{Caller, Era};
use super::device::{Form, Pusher};
use super::operator::Operator;
use super::plan::Round;
use super::tally::Tally;
use crate::process::Service;

/// How long a server may take to come back.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long an answer may take. A request whose body was being streamed when the service died is sometimes left
/// without one.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(90);
const HEALTH_POLL: Duration = Duration::from_millis(10);

/// The clients that make the load, with what they know.
pub struct Clients {
    pub devices: Vec<Pusher>,
    pub operator: Operator,
    pub callers: Vec<Caller>,
    pub reader: Reader,
}

impl Clients {
    pub async fn move_in(service: &Service) -> Self {
        let mut devices = Vec::new();
        for form in [Form::Json, Form::Gzip, Form::Lines] {
            devices.push(Pusher::new(
                service.device("finance.transactions").await,
                form,
            ));
        }
        let mut callers = Vec::new();
        for era in [Era::Session, Era::Stateless] {
            let key = service.key(era.name(), &["finance", "home"]).await;
            callers.push(Caller::new(era, key));
        }
        Self {
            devices,
            callers,
            operator: Operator::default(),
            reader: Reader::default(),
        }
    }

    /// Starts the load; it goes on until it is told to end or the service is gone.
    pub fn begin(self, service: &Service, round: &Round) -> Load {
        let (reach, tally) = (Reach::of(service), Arc::new(Tally::new()));
        let mut parts = 1..;
        let mut chance = || round.chance(parts.next().unwrap());
        let devices = self
            .devices
            .into_iter()
            .map(|device| tokio::spawn(device.work(reach.clone(), Arc::clone(&tally), chance())));
        let devices = devices.collect();
        let operator = self
            .operator
            .work(reach.clone(), Arc::clone(&tally), chance());
        let callers = self.callers.into_iter().map(|caller| {
            tokio::spawn(caller.work(reach.clone(), Arc::clone(&tally), round.number))
        });
        Load {
            devices,
            operator: tokio::spawn(operator),
            callers: callers.collect(),
            reader: tokio::spawn(self.reader.work(reach.clone(), Arc::clone(&tally))),
            tally,
        }
    }
}

/// The running load.
pub struct Load {
    pub tally: Arc<Tally>,
    devices: Vec<JoinHandle<Pusher>>,
    operator: JoinHandle<Operator>,
    callers: Vec<JoinHandle<Caller>>,
    reader: JoinHandle<Reader>,
}

impl Load {
    /// Waits until all clients have ended.
    pub async fn wait_for_end(self) -> Clients {
        let (mut devices, mut callers) = (Vec::new(), Vec::new());
        for device in self.devices {
            devices.push(device.await.unwrap());
        }
        for caller in self.callers {
            callers.push(caller.await.unwrap());
        }
        Clients {
            devices,
            callers,
            operator: self.operator.await.unwrap(),
            reader: self.reader.await.unwrap(),
        }
    }
}

/// Access to one run of the service, for the clients' tasks.
#[derive(Clone)]
pub struct Reach {
    pub agents: String,
    console: String,
    client: Client,
}

impl Reach {
    pub fn of(service: &Service) -> Self {
        Self {
            agents: service.agents.clone(),
            console: service.console.clone(),
            client: crate::support::http::builder()
                .timeout(ANSWER_TIMEOUT)
                .build()
                .unwrap(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.console))
    }

    /// Waits until the service is healthy again or gone, or the load is over.
    pub async fn recovery(&self, tally: &Tally) {
        let recovered = async {
            while !(tally.is_over() || tally.was_cut() || self.is_well().await) {
                tokio::time::sleep(HEALTH_POLL).await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, recovered).await;
        assert!(waited.is_ok(), "the service never was well again");
    }

    async fn is_well(&self) -> bool {
        let health = self.request(Method::GET, "/healthz").send().await;
        health.is_ok_and(|answer| answer.status() == 200)
    }
}
