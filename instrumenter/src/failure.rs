//! Why weaving stopped.

use classfile::Malformed;

use crate::plan::{Reason, WeaveError};

/// Why weaving stopped: for this method, or for the class.
pub(crate) enum Failure {
    Method(Reason),
    Class(WeaveError),
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Self::Method(reason)
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Self {
        Self::Method(malformed.into())
    }
}

impl From<WeaveError> for Failure {
    fn from(error: WeaveError) -> Self {
        Self::Class(error)
    }
}
