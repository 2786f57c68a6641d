//! Weaves every class of the JDKs, or of the jars given as arguments, and prints what that costs and what comes out.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example prints, and asks the system for its time"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use facts::hook::Events;
use instrumenter::{NewAction, NewSite, Outcome, Plan, SiteSink, weave};
use jrace_tests::jdk::Jdk;

/// Counts sites by kind.
#[derive(Default)]
struct Counter {
    next: u32,
    fields: u32,
    statics: u32,
    arrays: u32,
    arrays_of_fields: u32,
    others: u32,
}

impl SiteSink for Counter {
    fn add(&mut self, site: NewSite<'_>) -> u32 {
        self.next += 1;
        *match site.action {
            NewAction::Field(..) => &mut self.fields,
            NewAction::Static(..) => &mut self.statics,
            NewAction::Array(_, array) if array.origin.is_some() => &mut self.arrays_of_fields,
            NewAction::Array(..) => &mut self.arrays,
            _ => &mut self.others,
        } += 1;
        self.next
    }
}

fn measure(name: &str, classes: &[common::ClassFile]) {
    let mut counter = Counter::default();
    let (mut before, mut after, mut huge, mut unwoven, mut failed) = (0, 0, 0, 0, 0);
    let start = cpu_time();
    for class in classes {
        before += class.bytes.len();
        match weave(&class.bytes, &Plan { shadows: true, ..Plan::new(Events::ERASER) }, &mut counter) {
            Ok(Outcome::Woven(woven)) => {
                after += woven.bytes.len();
                huge += woven.huge_methods.len();
                unwoven += woven.unwoven_methods.len();
                for (method, reason) in woven.unwoven_methods {
                    println!("  {}.{method}: {reason}", class.name);
                }
            }
            Ok(Outcome::Unchanged) => after += class.bytes.len(),
            Err(error) => {
                failed += 1;
                println!("  {}: {error}", class.name);
            }
        }
    }
    let time = cpu_time() - start;
    println!(
        "{name}: {} classes, {:.1} us each, {:.0} MB/s, {before} -> {after} bytes, {huge} huge, {unwoven} unwoven methods, {failed} failed",
        classes.len(),
        time * 1e6 / classes.len() as f64,
        before as f64 / 1e6 / time,
    );
    println!(
        "  sites: {} fields, {} statics, {} + {} arrays (of fields + others), {} others",
        counter.fields, counter.statics, counter.arrays_of_fields, counter.arrays, counter.others
    );
}

/// Seconds of processor time that this process has used, in steps of 10 ms.
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = behind_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn main() {
    let jars: Vec<String> = std::env::args().skip(1).collect();
    jars.iter().for_each(|jar| measure(jar, &common::jar_classes(jar.as_ref())));
    for jdk in Jdk::all().iter().filter(|_| jars.is_empty()) {
        let classes = common::jdk_classes(jdk);
        measure(&format!("JDK {}", jdk.feature), &classes);
        for module in ["java.base", "jdk.compiler"] {
            let start = classes.partition_point(|class| class.module.as_str() < module);
            let end = classes.partition_point(|class| class.module.as_str() <= module);
            measure(&format!("JDK {} {module}", jdk.feature), &classes[start..end]);
        }
    }
}
