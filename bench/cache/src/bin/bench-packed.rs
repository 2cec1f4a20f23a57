//! `bench-packed FOLDER COUNT SET WHAT` keeps pods packed in a store and tells what one holds: bytes of the
//! heap, with zstd's own, which is C, left out; and bytes of resident memory, with it. To its error output it says
//! how long packing and unpacking one took.

use bench_decode::data::Pods;
use bench_decode::heap::{Counting, held};
use bench_decode::process::{cpu, memory};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::json;
use watchkeeper_cache::{Delta, Packer, Store};

#[global_allocator]
static HEAP: Counting = Counting;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, set, _what] = &args[..] else {
        return Err("usage: bench-packed FOLDER COUNT SET WHAT".into());
    };
    let pods = Pods::read(folder, set, count.parse()?)?;
    let (held_before, resident_before) = (held(), memory("VmRSS"));
    let (store, packer) = (Store::new(), Packer::new());
    let (mut packing, mut size) = (Duration::ZERO, 0);
    {
        let mut decoder = json::Decoder::new();
        for text in &pods.json {
            let pod: Pod = decoder.decode(text)?;
            let before = cpu();
            let packed = Arc::new(packer.pack(pod));
            packing += cpu() - before;
            size += packed.size();
            store.apply(Delta::Added(packed));
        }
    }
    let (heap, resident) = (held() - held_before, memory("VmRSS").saturating_sub(resident_before));
    let count = store.len();
    println!("{} {}", heap / count, resident as usize / count);
    let before = cpu();
    store.snapshot().iter().for_each(|packed| drop(black_box(packed.unpack())));
    let unpacking = cpu() - before;
    let micros = |all: Duration| all.as_secs_f64() * 1e6 / count as f64;
    let (packing, unpacking) = (micros(packing), micros(unpacking));
    eprintln!("packing {packing:.1} µs, unpacking {unpacking:.1} µs, {} bytes packed", size / count);
    Ok(())
}
