//! The certificate that is shown to others: whether they trust it, for this name, now and for some time yet.

use std::fmt;
use std::io;
use std::time::Duration;

use chrono::{DateTime, Utc};
use rustls::CertificateError;
use rustls::pki_types::{ServerName, UnixTime};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::PublicProbe;
use crate::limits::PROBE_DEADLINE;

/// Why others do not take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateFault {
    /// It is for another name.
    OtherName,
    /// It has ended.
    Expired,
    /// It has not begun.
    NotYetValid,
    /// Nobody who is trusted signed it.
    Untrusted,
    /// It is not taken for another reason, in words of the library.
    Refused(String),
    /// What answers there does not speak TLS.
    NoTls,
    /// It did not answer in time, or the connection broke.
    Broken(io::ErrorKind),
}

impl PublicProbe {
    /// The end of the certificate that is shown, if it ends before `until`.
    ///
    /// # Errors
    /// Why others do not take it.
    pub async fn certificate_ends_before(
        &self,
        until: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, CertificateFault> {
        let name = ServerName::try_from(self.found.host.clone());
        let name = name.map_err(|_| CertificateFault::OtherName)?;
        let stream = self.stream().await.map_err(|cause| of_error(&cause))?;
        let tls = TlsConnector::from(self.trust.config());
        let shaking = timeout(PROBE_DEADLINE, tls.connect(name.clone(), stream)).await;
        let stream = shaking
            .map_err(|_| CertificateFault::Broken(io::ErrorKind::TimedOut))?
            .map_err(|cause| of_error(&cause))?;
        let (_, session) = stream.get_ref();
        let Some([own, others @ ..]) = session.peer_certificates() else {
            return Err(CertificateFault::NoTls);
        };
        let until = Duration::from_secs(u64::try_from(until.timestamp()).unwrap_or_default());
        let then = UnixTime::since_unix_epoch(until);
        let judged = self
            .trust
            .verifier()
            .verify_server_cert(own, others, &name, &[], then);
        Ok(judged.err().and_then(|cause| end(&cause)))
    }
}

/// When a certificate ends that has ended by the time it was judged for.
fn end(cause: &rustls::Error) -> Option<DateTime<Utc>> {
    match cause {
        rustls::Error::InvalidCertificate(CertificateError::ExpiredContext {
            not_after, ..
        }) => DateTime::from_timestamp(i64::try_from(not_after.as_secs()).ok()?, 0),
        _ => None,
    }
}

fn of_error(cause: &io::Error) -> CertificateFault {
    let inner = cause.get_ref();
    match inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(why)) => of_certificate(why),
        Some(rustls::Error::InvalidMessage(_)) => CertificateFault::NoTls,
        Some(other) => CertificateFault::Refused(other.to_string()),
        None => CertificateFault::Broken(cause.kind()),
    }
}

fn of_certificate(why: &CertificateError) -> CertificateFault {
    match why {
        CertificateError::UnknownIssuer => CertificateFault::Untrusted,
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            CertificateFault::Expired
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            CertificateFault::NotYetValid
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            CertificateFault::OtherName
        }
        other => CertificateFault::Refused(other.to_string()),
    }
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherName => formatter.write_str("the certificate is for another name"),
            Self::Expired => formatter.write_str("the certificate has expired"),
            Self::NotYetValid => formatter.write_str("the certificate is not valid yet"),
            Self::Untrusted => formatter.write_str("nobody who is trusted signed the certificate"),
            Self::Refused(why) => write!(formatter, "the certificate is not taken ({why})"),
            Self::NoTls => formatter.write_str("what answers there does not speak TLS"),
            Self::Broken(kind) => write!(formatter, "the connection broke ({kind})"),
        }
    }
}

impl std::error::Error for CertificateFault {}
