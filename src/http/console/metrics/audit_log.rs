//! The metrics of the audit log and its journal.

use sextant_actors::audit::{AuditHandle, AuditStats};
use sextant_actors::journal::{JournalState, JournalStats};

use super::text::Text;

/// Writes the families of the audit log, then those of the journal.
pub(super) fn write(text: &mut Text, audit: &AuditHandle) {
    let stats = audit.stats();
    write_audit(text, audit, &stats);
    write_journal(text, &stats.journal);
}

fn write_audit(text: &mut Text, audit: &AuditHandle, stats: &AuditStats) {
    text.gauge(
        "sextant_audit_waiting_rows",
        "Rows of the record that the database does not have yet.",
    )
    .sample(&[], stats.waiting_rows);
    text.gauge(
        "sextant_audit_waiting_bytes",
        "Their size in memory, roughly.",
    )
    .sample(&[], stats.waiting_bytes);
    text.counter(
        "sextant_audit_written_total",
        "Rows of the record that were committed.",
    )
    .sample(&[], stats.written_rows);
    text.counter(
        "sextant_audit_dropped_total",
        "Rows of the record that were lost.",
    )
    .sample(&[], stats.dropped_rows);
    text.histogram(
        "sextant_audit_flush_duration_seconds",
        "Time to write the rows of a flush.",
        &audit.metrics().flush_durations.read(),
    );
}

fn write_journal(text: &mut Text, stats: &JournalStats) {
    let states = [
        ("ok", stats.state == JournalState::Ok),
        (
            "failing",
            matches!(stats.state, JournalState::Failing { .. }),
        ),
        ("absent", stats.state == JournalState::Absent),
    ];
    text.gauge(
        "sextant_audit_journal_state",
        "Whether the journal takes rows: 1 for the state it is in.",
    )
    .samples(states, |family, (state, is_so)| {
        family.sample(&[("state", state)], u8::from(is_so))
    });
    text.counter(
        "sextant_audit_journaled_total",
        "Rows that were written to the journal, in time or later.",
    )
    .sample(&[], stats.journaled_rows);
    text.counter(
        "sextant_audit_unjournaled_total",
        "Rows whose answer left without the journal's word; a crash before they are written would lose them.",
    )
    .sample(&[], stats.unjournaled_rows);
    text.gauge(
        "sextant_audit_stored_rows",
        "Rows that wait for the database in the journal alone.",
    )
    .sample(&[], stats.stored_rows);
    text.gauge(
        "sextant_audit_journal_bytes",
        "What the journal takes on the disk.",
    )
    .sample(&[], stats.disk_bytes);
}
