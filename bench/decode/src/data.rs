//! The files that `pods` wrote.

use std::io::{Error, Result};

/// Pods of one set, in both codecs.
pub struct Pods {
    pub json: Vec<Vec<u8>>,
    pub protobuf: Vec<Vec<u8>>,
}

impl Pods {
    /// Reads the first `count` pods of a set.
    pub fn read(folder: &str, set: &str, count: usize) -> Result<Self> {
        let json = std::fs::read(format!("{folder}/{set}.jsonl"))?;
        let json = json.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let bodies = std::fs::read(format!("{folder}/{set}.pb"))?;
        let mut protobuf = Vec::new();
        let mut rest = &bodies[..];
        while let (Some((length, more)), true) = (rest.split_first_chunk(), protobuf.len() < count)
        {
            let length = u32::from_be_bytes(*length) as usize;
            let (body, more) =
                more.split_at_checked(length).ok_or_else(|| Error::other("the file is cut"))?;
            protobuf.push(body.to_vec());
            rest = more;
        }
        Ok(Self { json: json.take(count).map(<[u8]>::to_vec).collect(), protobuf })
    }

    /// Bytes of a pod, as JSON and as protobuf.
    pub fn mean(&self) -> [usize; 2] {
        [&self.json, &self.protobuf]
            .map(|pods| pods.iter().map(Vec::len).sum::<usize>() / pods.len().max(1))
    }
}
