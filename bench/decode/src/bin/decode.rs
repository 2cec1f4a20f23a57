//! `decode FOLDER COUNT` answers each line of its input, `SET WHAT`, by the wall and the CPU
//! nanoseconds that a pod took; `decode FOLDER COUNT SET WHAT` tells what a kept pod holds:
//! bytes of the heap, and bytes of resident memory.

use bench_decode::data::Pods;
use bench_decode::heap::{Counting, held};
use bench_decode::process::{cpu, memory};
use bench_decode::projection::PodView;
use serde::de::IgnoredAny;
use std::any::Any;
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Metadata, json, pb};

#[global_allocator]
static HEAP: Counting = Counting;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [folder, count] => answer(folder, count.parse()?),
        [folder, count, set, what] => keep(folder, count.parse()?, set, what),
        _ => Err("usage: decode FOLDER COUNT [SET WHAT]".into()),
    }
}

/// What is measured, with the tables that it keeps from pod to pod.
struct Measured {
    json: json::Decoder,
    protobuf: pb::Decoder,
    typed: Vec<Pod>,
}

fn answer(folder: &str, count: usize) -> Outcome {
    let mut sets = Vec::new();
    for set in ["alike", "unlike"] {
        let pods = Pods::read(folder, set, count)?;
        let mut json = json::Decoder::new();
        let typed = pods.json.iter().map(|pod| json.decode(pod)).collect::<Result<_, _>>()?;
        sets.push((set, pods, Measured { json, protobuf: pb::Decoder::new(), typed }));
    }
    for line in std::io::stdin().lines() {
        let line = line?;
        let (set, what) = line.split_once(' ').ok_or("SET WHAT")?;
        if let Some((_, pods, measured)) = sets.iter_mut().find(|(name, ..)| *name == set) {
            let (cpu_before, before) = (cpu(), Instant::now());
            measured.run(pods, what)?;
            let (wall, cpu) = (before.elapsed(), cpu() - cpu_before);
            println!("{} {}", wall.as_nanos() / count as u128, cpu.as_nanos() / count as u128);
            std::io::stdout().flush()?;
        }
    }
    Ok(())
}

impl Measured {
    fn run(&mut self, pods: &Pods, what: &str) -> Outcome {
        for (index, pod) in pods.json.iter().enumerate() {
            match what {
                "floor" => {
                    black_box(serde_json::from_slice::<IgnoredAny>(pod)?);
                }
                "encode" => {
                    black_box(json::to_vec(&self.typed[index]));
                }
                "protobuf-encode" => {
                    black_box(pb::to_body(&self.typed[index]));
                }
                what => {
                    black_box(self.decode(pods, index, what)?);
                }
            }
        }
        Ok(())
    }

    fn decode(&mut self, pods: &Pods, index: usize, what: &str) -> Outcome<Kept> {
        let (text, body) = (&pods.json[index], &pods.protobuf[index]);
        Ok(match what {
            "json" => Kept::Pod(self.json.decode(text)?),
            "protobuf" => Kept::Pod(self.protobuf.body(body)?),
            "projection" => Kept::View(self.json.decode(text)?),
            "metadata" => Kept::Metadata(self.json.decode(text)?),
            _ => return Err(format!("{what} is not measured").into()),
        })
    }
}

#[expect(clippy::large_enum_variant, reason = "a value that is dropped at once or boxed")]
enum Kept {
    Pod(Pod),
    View(PodView),
    Metadata(Metadata<Pod>),
}

impl Kept {
    fn boxed(self) -> Box<dyn Any> {
        match self {
            Self::Pod(pod) => Box::new(pod),
            Self::View(view) => Box::new(view),
            Self::Metadata(metadata) => Box::new(metadata),
        }
    }
}

fn keep(folder: &str, count: usize, set: &str, what: &str) -> Outcome {
    let pods = Pods::read(folder, set, count)?;
    let mut measured =
        Measured { json: json::Decoder::new(), protobuf: pb::Decoder::new(), typed: Vec::new() };
    let mut kept = Vec::with_capacity(count);
    let (held_before, resident_before) = (held(), memory("VmRSS"));
    for index in 0..pods.json.len() {
        kept.push(measured.decode(&pods, index, what)?.boxed());
    }
    let (heap, resident) = (held() - held_before, memory("VmRSS").saturating_sub(resident_before));
    println!("{} {}", heap / kept.len(), resident as usize / kept.len());
    Ok(())
}
