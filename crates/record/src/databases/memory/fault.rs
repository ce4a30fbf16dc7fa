//! When the faults of the store strike.

use tristan_generate::Rng;
use tristan_store::{Fault, Faults};

use crate::url::UrlError;

/// Probabilities are kept in millionths.
const WHOLE: u64 = 1_000_000;

/// Faults that strike at random, each with its own probability.
#[derive(Debug)]
pub(super) struct RandomFaults {
    chosen: Vec<(Fault, u64)>,
    rng: Rng,
}

impl RandomFaults {
    /// Reads `name:probability,…` and a seed.
    pub(super) fn parse(faults: Option<&str>, seed: Option<&str>) -> Result<Self, UrlError> {
        let chosen = faults.map_or(Ok(Vec::new()), |text| text.split(',').map(one).collect())?;
        let seed = seed.map_or(Ok(1), |text| {
            text.parse().map_err(|_| UrlError::new(format!("seed={text}"), "a number"))
        })?;
        Ok(Self { chosen, rng: Rng::new(seed) })
    }
}

impl Faults for RandomFaults {
    fn strikes(&mut self, fault: Fault) -> bool {
        let chosen = self.chosen.iter().find(|(known, _)| *known == fault);
        chosen.is_some_and(|(_, share)| self.rng.below(WHOLE) < *share)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u64) as usize
    }
}

fn one(text: &str) -> Result<(Fault, u64), UrlError> {
    let (name, share) = text.split_once(':').unwrap_or((text, "1"));
    let fault = Fault::from_name(name).ok_or_else(|| {
        let names = Fault::ALL.map(Fault::name).join(", ");
        UrlError::new(format!("the fault \"{name}\""), names)
    })?;
    let share: f64 = share
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| UrlError::new(format!("\"{text}\""), "a probability from 0 to 1"))?;
    Ok((fault, (share * WHOLE as f64) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_strike_as_often_as_asked() {
        let text = Some("lost-update:0.25,dirty-read");
        let mut faults = RandomFaults::parse(text, Some("3")).expect("two faults");
        let mut count = |fault| (0..1_000).filter(|_| faults.strikes(fault)).count();
        assert!((200..300).contains(&count(Fault::LostUpdate)));
        assert_eq!((count(Fault::DirtyRead), count(Fault::StaleRead)), (1_000, 0));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "lost-updates:0.5", "lost-update:2", "lost-update:often"] {
            assert!(RandomFaults::parse(Some(text), None).is_err(), "{text}");
        }
        assert!(RandomFaults::parse(None, Some("x")).is_err());
    }
}
