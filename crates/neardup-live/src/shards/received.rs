//! The answers of other shards during a step, as they are stored with the step.

use serde::{Deserialize, Serialize};

/// The answers that were received, round by round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ReceivedMessages {
    /// Documents are identified by their serial numbers.
    Serials {
        /// The answers of each round.
        serials: Vec<Vec<u64>>,
    },
    /// The form of earlier builds: documents are identified by their numbers in the folder of the log.
    Numbers(Vec<Vec<u32>>),
}

impl Default for ReceivedMessages {
    fn default() -> ReceivedMessages {
        ReceivedMessages::Numbers(Vec::new())
    }
}

impl ReceivedMessages {
    /// Creates it from answers that identify documents by serial number.
    pub fn of_serials(serials: Vec<Vec<u64>>) -> ReceivedMessages {
        if serials.is_empty() { ReceivedMessages::default() } else { ReceivedMessages::Serials { serials } }
    }

    /// Whether no answers were received.
    pub fn is_empty(&self) -> bool {
        matches!(self, ReceivedMessages::Numbers(rounds) if rounds.is_empty())
    }

    /// Whether another shard can use it.
    pub fn is_portable(&self) -> bool {
        self.is_empty() || matches!(self, ReceivedMessages::Serials { .. })
    }

    /// Returns whether documents are identified by their numbers in one folder, and the answers of each round.
    pub fn into_rounds(self) -> (bool, Vec<Vec<u64>>) {
        match self {
            ReceivedMessages::Serials { serials } => (false, serials),
            ReceivedMessages::Numbers(rounds) => {
                (true, rounds.into_iter().map(|round| round.into_iter().map(u64::from).collect()).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_earlier_builds_are_read() {
        let old: ReceivedMessages = serde_json::from_str("[[3],[7,1,8]]").unwrap();
        assert!(!old.is_portable());
        assert_eq!(old.into_rounds(), (true, vec![vec![3], vec![7, 1, 8]]));
        let new = ReceivedMessages::of_serials(vec![vec![1 << 40], Vec::new()]);
        assert_eq!(serde_json::from_str::<ReceivedMessages>(&serde_json::to_string(&new).unwrap()).unwrap(), new);
        assert!(new.is_portable() && ReceivedMessages::of_serials(Vec::new()).is_empty());
    }
}
