use sextant_connectors::guard::ProbeWay;

/// How the doctor reaches the public address: by the system's names, to public addresses, trusting the system's authorities. Only a test
/// sets it otherwise; no setting does.
#[derive(Clone, Debug, Default)]
pub struct DoctorWay {
    pub probe: ProbeWay,
}
