//! `decode FOLDER COUNT` answers each line of its input, `SET WHAT`, by the wall and the CPU
//! nanoseconds that a pod took; `decode FOLDER COUNT SET WHAT` tells what a kept pod holds of
//! resident memory.

#[path = "../../../decode/src/process.rs"]
#[expect(dead_code, reason = "the other programs ask for the peak")]
mod process;

use k8s_openapi::api::core::v1::Pod;
use process::{cpu, memory};
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [folder, count] => answer(folder, count.parse()?),
        [folder, count, set, what] => keep(folder, count.parse()?, set, what),
        _ => Err("usage: decode FOLDER COUNT [SET WHAT]".into()),
    }
}

fn read(folder: &str, set: &str, count: usize) -> Outcome<Vec<Vec<u8>>> {
    let text = std::fs::read(format!("{folder}/{set}.jsonl"))?;
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Ok(lines.take(count).map(<[u8]>::to_vec).collect())
}

/// `stripped` is what `modify(|pod| …)` makes of it in a kube-rs store.
fn decode(text: &[u8], what: &str) -> Outcome<Pod> {
    let mut pod: Pod = serde_json::from_slice(text)?;
    match what {
        "json" => {}
        "stripped" => pod.metadata.managed_fields = None,
        _ => return Err(format!("{what} is not measured").into()),
    }
    Ok(pod)
}

fn answer(folder: &str, count: usize) -> Outcome {
    let sets =
        [("alike", read(folder, "alike", count)?), ("unlike", read(folder, "unlike", count)?)];
    for line in std::io::stdin().lines() {
        let line = line?;
        let (set, what) = line.split_once(' ').ok_or("SET WHAT")?;
        if let Some((_, pods)) = sets.iter().find(|(name, _)| *name == set) {
            let (cpu_before, before) = (cpu(), Instant::now());
            for pod in pods {
                black_box(decode(pod, what)?);
            }
            let (wall, cpu) = (before.elapsed(), cpu() - cpu_before);
            println!("{} {}", wall.as_nanos() / count as u128, cpu.as_nanos() / count as u128);
            std::io::stdout().flush()?;
        }
    }
    Ok(())
}

fn keep(folder: &str, count: usize, set: &str, what: &str) -> Outcome {
    let pods = read(folder, set, count)?;
    let mut kept = Vec::with_capacity(count);
    let before = memory("VmRSS");
    for pod in &pods {
        // The copy is what a store keeps: a kube-rs writer clones what it is given.
        kept.push(std::sync::Arc::new(decode(pod, what)?.clone()));
    }
    println!("0 {}", memory("VmRSS").saturating_sub(before) / kept.len() as u64);
    Ok(())
}
