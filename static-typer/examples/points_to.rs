//! Prints what the points-to analysis makes of a jar: `cargo run --release -p static-typer --example points_to -- none JAR [CLASS]`.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr, reason = "an example talks to people")]
use std::path::PathBuf;
use std::time::Instant;

use static_typer::classpath::ClassPath;
use static_typer::points_to::{Client, PointsTo, Resolution, Sensitivity, casts, environment};
use static_typer::program::Program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let kind = args.next().ok_or("none, object or hybrid")?;
    let jar = PathBuf::from(args.next().ok_or("a jar")?);
    let class = args.next();
    let jdk = PathBuf::from(std::env::var("JAVA_HOME")?);
    let start = Instant::now();
    let mut path = ClassPath::open(&[jar], &[], Some(&jdk))?;
    let program = Program::load_whole(&mut path);
    eprintln!("{:.2?} {} classes", start.elapsed(), program.classes().count());
    let resolution = Resolution::of(&program).with_every_part();
    eprintln!("{:.2?} resolved", start.elapsed());
    let code = match class.as_deref() {
        Some("--api") => environment::harness(&resolution, &Client::of(&program, &|_| true)).0,
        class => {
            let mut mains = program.main_methods();
            mains.retain(|main| class.is_none_or(|class| program.class_name(program.method(*main).class) == class));
            environment::mains(&resolution, &mains)
        }
    };
    let sensitivity = match kind.as_str() {
        "none" => Sensitivity::None,
        "object1" => Sensitivity::Object(1),
        "object2" => Sensitivity::Object(2),
        "hybrid1" => Sensitivity::Hybrid(1),
        _ => Sensitivity::Hybrid(2),
    };
    let result = PointsTo::of(&resolution, &sensitivity, code, 6 << 30, &|_| {}).ok_or("more than 6 GB")?;
    let (nodes, edges) = result.size();
    let mut methods: Vec<_> = result.instances().filter_map(|instance| result.code(instance).method).collect();
    methods.sort_unstable();
    methods.dedup();
    let calls: usize = result.instances().map(|instance| result.calls(instance).len()).sum();
    println!(
        "{:.2?} {} instances of {} methods, {} calls, {} objects, {nodes} nodes, {edges} edges",
        start.elapsed(),
        result.instances().count(),
        methods.len(),
        calls,
        result.objects.len()
    );
    let casts = casts(&program, &result);
    let failing = casts.iter().filter(|(_, fails)| **fails).map(|((method, _), _)| *method);
    let (of_application, of_others): (Vec<_>, Vec<_>) =
        failing.partition(|method| program.class(program.method(*method).class).is_application);
    println!(
        "{} of {} casts may fail, {} in the application",
        of_application.len() + of_others.len(),
        casts.len(),
        of_application.len()
    );
    let status = std::fs::read_to_string("/proc/self/status")?;
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    Ok(())
}
