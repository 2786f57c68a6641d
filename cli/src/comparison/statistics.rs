//! Numbers about repeated measurements.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The middle of some durations, and how far they lie apart; seconds in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Spread {
    /// The middle one, or the mean of the two middle ones.
    #[serde(serialize_with = "seconds")]
    #[schemars(with = "f64")]
    pub median: Duration,
    /// The shortest.
    #[serde(serialize_with = "seconds")]
    #[schemars(with = "f64")]
    pub min: Duration,
    /// The longest.
    #[serde(serialize_with = "seconds")]
    #[schemars(with = "f64")]
    pub max: Duration,
}

impl Spread {
    /// That of some durations; zero for none.
    pub fn of(durations: impl IntoIterator<Item = Duration>) -> Self {
        let mut sorted: Vec<Duration> = durations.into_iter().collect();
        sorted.sort();
        let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
        let last = sorted.len().saturating_sub(1);
        Self { median: (at(last / 2) + at(sorted.len() / 2)) / 2, min: at(0), max: at(last) }
    }
}

/// Writes a duration in seconds.
///
/// # Errors
/// Those of the serializer.
pub fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

/// The fractional overhead of paper 004: what is added, as a part of the base; `None` without a base.
pub fn overhead(time: Duration, base: Duration) -> Option<f64> {
    (!base.is_zero()).then(|| difference(time, base) / base.as_secs_f64())
}

/// The speedup of paper 004: by which part the cost of full checking falls; `None` where that costs nothing.
pub fn speedup(time: Duration, full: Duration, base: Duration) -> Option<f64> {
    (full > base).then(|| difference(full, time) / difference(full, base))
}

/// A part of a whole; `None` of nothing.
pub fn fraction(part: Duration, whole: Duration) -> Option<f64> {
    (!whole.is_zero()).then(|| part.as_secs_f64() / whole.as_secs_f64())
}

/// Seconds from one to the other, negative if it is the shorter one.
pub fn difference(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() - b.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(milliseconds: &[u64]) -> (u128, u128, u128) {
        let spread = Spread::of(milliseconds.iter().map(|n| Duration::from_millis(*n)));
        (spread.min.as_millis(), spread.median.as_millis(), spread.max.as_millis())
    }

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(spread(&[]), (0, 0, 0));
        assert_eq!(spread(&[7]), (7, 7, 7));
        assert_eq!(spread(&[9, 1, 5]), (1, 5, 9));
        assert_eq!(spread(&[10, 2, 4, 1]), (1, 3, 10));
    }

    #[test]
    fn overhead_and_speedup_are_those_of_the_paper() {
        // Its line on `elevator`; the paper rounds after it has averaged.
        let [base, full, field] = [610, 920, 860].map(Duration::from_millis);
        let percent = |fraction: Option<f64>| fraction.map(|fraction| (fraction * 100.0).round());
        assert_eq!(percent(overhead(field, base)), Some(41.0));
        assert_eq!(percent(speedup(field, full, base)), Some(19.0));
        assert_eq!(percent(speedup(Duration::from_secs(1), full, base)), Some(-26.0));
        assert_eq!((overhead(full, Duration::ZERO), speedup(field, base, base)), (None, None));
    }
}
