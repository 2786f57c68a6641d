//! Any bytes can be offered for weaving, and what comes out can be listed.
//!
//! The minor version, which nothing looks at, chooses the plan: so class files are seeds as they are.

use facts::access::Granularity;
use facts::hook::Events;
use instrumenter::{Outcome, Plan, dump, header, weave};

pub(crate) fn property(bytes: &[u8]) {
    let choice = bytes.get(5).copied().unwrap_or_default();
    let events = if choice & 1 == 0 { Events::ALL | Events::TRANSACTIONS } else { Events::ERASER };
    let granularity = if choice & 2 == 0 { Granularity::Field } else { Granularity::Object };
    let plan = Plan { shadows: choice & 4 == 0, granularity, ..Plan::new(events) };
    let _ = header(bytes);
    if let Ok(Outcome::Woven(woven)) = weave(bytes, &plan, &mut Vec::new()) {
        dump::listing(&woven.bytes).expect("woven classes can be read");
    }
}
