//! Records as the interface sends them: what becomes columns of them. Scores are there once a record is scored.

use chrono::{DateTime, Utc};
use serde::Deserialize;

/// Whether a record has its scores. A state of another name cannot be told from these and makes its record unreadable.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ScoreState {
    Scored,
    PendingScore,
    Unscorable,
}

impl ScoreState {
    /// As the columns have it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Scored => "SCORED",
            Self::PendingScore => "PENDING_SCORE",
            Self::Unscorable => "UNSCORABLE",
        }
    }
}

#[derive(Deserialize)]
pub(super) struct SentSleep {
    pub(super) start: DateTime<Utc>,
    pub(super) end: Option<DateTime<Utc>>,
    pub(super) timezone_offset: String,
    pub(super) cycle_id: Option<i64>,
    pub(super) nap: Option<bool>,
    pub(super) score_state: ScoreState,
    pub(super) score: Option<SleepScore>,
}

#[derive(Default, Deserialize)]
pub(super) struct SleepScore {
    #[serde(default)]
    pub(super) stage_summary: SleepStages,
    #[serde(default)]
    pub(super) sleep_needed: SleepNeeded,
    pub(super) respiratory_rate: Option<f64>,
    pub(super) sleep_performance_percentage: Option<f64>,
    pub(super) sleep_consistency_percentage: Option<f64>,
    pub(super) sleep_efficiency_percentage: Option<f64>,
}

#[derive(Default, Deserialize)]
pub(super) struct SleepStages {
    pub(super) total_in_bed_time_milli: Option<i64>,
    pub(super) total_awake_time_milli: Option<i64>,
    pub(super) total_no_data_time_milli: Option<i64>,
    pub(super) total_light_sleep_time_milli: Option<i64>,
    pub(super) total_slow_wave_sleep_time_milli: Option<i64>,
    pub(super) total_rem_sleep_time_milli: Option<i64>,
    pub(super) sleep_cycle_count: Option<i32>,
    pub(super) disturbance_count: Option<i32>,
}

#[derive(Default, Deserialize)]
pub(super) struct SleepNeeded {
    pub(super) baseline_milli: Option<i64>,
    pub(super) need_from_sleep_debt_milli: Option<i64>,
    pub(super) need_from_recent_strain_milli: Option<i64>,
    pub(super) need_from_recent_nap_milli: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct SentRecovery {
    pub(super) sleep_id: Option<String>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) score_state: ScoreState,
    pub(super) score: Option<RecoveryScore>,
}

#[derive(Default, Deserialize)]
pub(super) struct RecoveryScore {
    pub(super) user_calibrating: Option<bool>,
    pub(super) recovery_score: Option<f64>,
    pub(super) resting_heart_rate: Option<f64>,
    pub(super) hrv_rmssd_milli: Option<f64>,
    pub(super) spo2_percentage: Option<f64>,
    pub(super) skin_temp_celsius: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct SentCycle {
    pub(super) start: DateTime<Utc>,
    /// Absent while the cycle runs.
    pub(super) end: Option<DateTime<Utc>>,
    pub(super) timezone_offset: String,
    pub(super) score_state: ScoreState,
    pub(super) score: Option<CycleScore>,
}

#[derive(Default, Deserialize)]
pub(super) struct CycleScore {
    pub(super) strain: Option<f64>,
    pub(super) kilojoule: Option<f64>,
    pub(super) average_heart_rate: Option<f64>,
    pub(super) max_heart_rate: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct SentWorkout {
    pub(super) start: DateTime<Utc>,
    pub(super) end: Option<DateTime<Utc>>,
    pub(super) timezone_offset: String,
    pub(super) sport_name: Option<String>,
    pub(super) sport_id: Option<i32>,
    pub(super) score_state: ScoreState,
    pub(super) score: Option<WorkoutScore>,
}

#[derive(Default, Deserialize)]
pub(super) struct WorkoutScore {
    pub(super) strain: Option<f64>,
    pub(super) average_heart_rate: Option<f64>,
    pub(super) max_heart_rate: Option<f64>,
    pub(super) kilojoule: Option<f64>,
    pub(super) percent_recorded: Option<f64>,
    pub(super) distance_meter: Option<f64>,
    pub(super) altitude_gain_meter: Option<f64>,
    pub(super) altitude_change_meter: Option<f64>,
    pub(super) zone_durations: Option<ZoneDurations>,
}

#[derive(Deserialize)]
pub(super) struct ZoneDurations {
    pub(super) zone_zero_milli: i64,
    pub(super) zone_one_milli: i64,
    pub(super) zone_two_milli: i64,
    pub(super) zone_three_milli: i64,
    pub(super) zone_four_milli: i64,
    pub(super) zone_five_milli: i64,
}

impl ZoneDurations {
    /// From the lowest zone to the highest.
    pub(super) const fn in_order(&self) -> [i64; 6] {
        [
            self.zone_zero_milli,
            self.zone_one_milli,
            self.zone_two_milli,
            self.zone_three_milli,
            self.zone_four_milli,
            self.zone_five_milli,
        ]
    }
}
