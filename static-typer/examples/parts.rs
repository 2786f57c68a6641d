//! What it buys that parts of the JDK which a program does not enter are left out, median of five in turns; a library is called by a client:
//! `cargo run --release -p static-typer --example parts -- CLASSES…`.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example talks to people")]
use std::path::PathBuf;
use std::time::{Duration, Instant};

use static_typer::classpath::ClassPath;
use static_typer::points_to::{Client, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::Program;

const TURNS: usize = 5;

fn solve(resolution: &Resolution<'_>) -> Option<(Duration, usize)> {
    let start = Instant::now();
    let (program, mains) = (resolution.program, resolution.program.main_methods());
    let code = match mains[..] {
        [] => environment::harness(resolution, &Client::of(program, &|_| true)).0,
        _ => environment::mains(resolution, &mains),
    };
    let found = PointsTo::of(resolution, &Sensitivity::Hybrid(2), code, 6 << 30, &|_| {})?;
    Some((start.elapsed(), found.instances().count()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let jdk = PathBuf::from(std::env::var("JAVA_HOME")?);
    for classes in std::env::args().skip(1) {
        let program = Program::load_whole(&mut ClassPath::open(&[PathBuf::from(&classes)], &[], Some(&jdk))?);
        let (entered, every) = (Resolution::of(&program), Resolution::of(&program).with_every_part());
        let mut times = [Vec::new(), Vec::new()];
        let mut methods = [0, 0];
        for _ in 0..TURNS {
            for (n, resolution) in [&entered, &every].into_iter().enumerate() {
                let (time, count) = solve(resolution).ok_or("more than 6 GB")?;
                times[n].push(time);
                methods[n] = count;
            }
        }
        times.iter_mut().for_each(|times| times.sort_unstable());
        let [with, without] = times.each_ref().map(|times| times[TURNS / 2]);
        let ratio = without.as_secs_f64() / with.as_secs_f64();
        println!(
            "{classes}: {} methods in {with:.2?}, with every part {} in {without:.2?}: {ratio:.2}",
            methods[0], methods[1]
        );
    }
    Ok(())
}
