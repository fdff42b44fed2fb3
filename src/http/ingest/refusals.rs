//! Notes refused pushes, so that the person can see them among the last pushes of a connection.
//!
//! Only those of whoever has the connection's secret are noted, so that nobody else can have a byte written. The device is answered
//! without waiting for it, and of many that come at once some are not noted; the audit log has a row of each.

use actix_web::rt;
use sextant_actors::domain::KnownConnection;
use uuid::Uuid;

use crate::capacity::Slots;
use crate::db::ServicePool;
use crate::http::code::Code;
use crate::ingest::{PushRefusal, note_refused};

/// Refused pushes that are noted at one time. Each takes a connection to the database for one short transaction.
const NOTED_AT_ONCE_MAX: usize = 2;

/// A refused push of a known connection.
pub(super) struct KnownRefusal {
    /// The user, and the id of their connection.
    connection: (Uuid, Uuid),
    refusal: PushRefusal,
}

impl KnownRefusal {
    pub(super) const fn of(connection: (Uuid, Uuid), refusal: PushRefusal) -> Self {
        Self {
            connection,
            refusal,
        }
    }

    /// The refusal of a push to a paused connection; the device is told nothing but `unauthorized` (r083).
    pub(super) fn of_paused(connection: &KnownConnection) -> Self {
        let refusal = PushRefusal {
            error: Code::Unauthorized.name(),
            message: "the connection is paused; resume it, and have the push sent again".to_owned(),
            problem: None,
        };
        Self::of((connection.user, connection.id), refusal)
    }
}

/// Where refused pushes are noted.
#[derive(Clone)]
pub(super) struct RefusalNotes {
    pool: ServicePool,
    slots: Slots,
}

impl RefusalNotes {
    pub(super) fn new(pool: ServicePool) -> Self {
        let slots = Slots::new(NOTED_AT_ONCE_MAX);
        Self { pool, slots }
    }

    /// Notes the refusal in a task of its own, if a slot is free.
    pub(super) fn note(&self, known: KnownRefusal) {
        let Some(slot) = self.slots.try_take() else {
            return;
        };
        let pool = self.pool.clone();
        rt::spawn(async move {
            let _held_until_noted = slot;
            if let Err(error) = note_refused(&pool, known.connection, &known.refusal).await {
                log::warn!("a refused push could not be noted: {error}");
            }
        });
    }
}
