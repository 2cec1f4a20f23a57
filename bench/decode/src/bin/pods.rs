//! `pods DIR COUNT`: writes both sets, as lines of JSON and as protobuf bodies with their length in
//! front (four bytes, big endian).

use bench_decode::pods::{Set, pod};
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{json, pb};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (folder, count) = (args.next().unwrap_or_default(), args.next().unwrap_or_default());
    let count: u64 = count.parse().map_err(std::io::Error::other)?;
    for (set, name) in Set::ALL {
        let mut lines = BufWriter::new(File::create(format!("{folder}/{name}.jsonl"))?);
        let mut bodies = BufWriter::new(File::create(format!("{folder}/{name}.pb"))?);
        let mut decoder = json::Decoder::new().keep_managed_fields(true);
        for index in 0..count {
            let text = pod(set, 1, index);
            let pod: Pod = decoder.decode_str(&text).map_err(std::io::Error::other)?;
            let body = pb::to_body(&pod);
            lines.write_all(text.as_bytes())?;
            lines.write_all(b"\n")?;
            bodies.write_all(&(body.len() as u32).to_be_bytes())?;
            bodies.write_all(&body)?;
        }
    }
    Ok(())
}
