//! What containers wrote (upstream: `Pods(ns).GetLogs`).

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use watchkeeper_api::error::Subject;
use watchkeeper_api::{HasLogs, Object, Result, Time};

use super::Api;
use crate::body::Body;
use crate::fail::Why;
use crate::query::Query;
use crate::request::{Call, Patience, Verb};
use crate::send::in_time;

/// A line longer than this is handed out in pieces.
const LINE: usize = 1 << 20;

/// Which part of a log (upstream: `PodLogOptions`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogOptions {
    /// Of which container; may be left out where there is one.
    pub container: Option<String>,
    /// Go on with what is written from now on.
    pub follow: bool,
    /// Of the container's life before this one.
    pub previous: bool,
    /// Put the time before each line.
    pub timestamps: bool,
    /// Only so many lines from the end.
    pub tail: Option<u64>,
    /// Only what is no older than this.
    pub since: Option<Duration>,
    /// Only what was written after this.
    pub since_time: Option<Time>,
    /// At most so many bytes.
    pub limit_bytes: Option<u64>,
    /// Only `Stdout`, or only `Stderr`, from servers that can tell them apart.
    pub stream: Option<String>,
}

impl LogOptions {
    /// The last lines.
    #[must_use]
    pub fn tail(lines: u64) -> Self {
        Self { tail: Some(lines), ..Self::default() }
    }

    /// Goes on with what is written from now on.
    #[must_use]
    pub const fn follow(mut self) -> Self {
        self.follow = true;
        self
    }

    /// Of this container.
    #[must_use]
    pub fn container(mut self, name: impl Into<String>) -> Self {
        self.container = Some(name.into());
        self
    }

    fn query(&self) -> Query {
        let mut query = Query::default();
        let number = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        query.text("container", self.container.as_deref().unwrap_or(""));
        for (name, set) in
            [("follow", self.follow), ("previous", self.previous), ("timestamps", self.timestamps)]
        {
            query.text(name, if set { "true" } else { "" });
        }
        // At least a second: zero means all.
        let since = self.since.map(|since| since.as_millis().div_ceil(1000).max(1));
        query.text("sinceSeconds", &since.map_or_else(String::new, |n| n.to_string()));
        query.text("sinceTime", &self.since_time.map_or_else(String::new, |t| t.to_string()));
        query.text("tailLines", &number(self.tail));
        query.text("limitBytes", &number(self.limit_bytes));
        query.text("stream", self.stream.as_deref().unwrap_or(""));
        query
    }
}

impl<K: Object> Api<K> {
    /// Reads a pod's log, whole. What is not UTF-8 is replaced.
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::Pod, Result};
    /// # use watchkeeper_client::{Client, LogOptions};
    /// # async fn f(client: Client) -> Result<()> {
    /// let pods = client.api::<Pod>().namespace("shop");
    /// let last = pods.logs("web-0", &LogOptions::tail(100)).await?;
    ///
    /// let mut lines = pods.log_stream("web-0", &LogOptions::tail(10).follow()).await?;
    /// while let Some(line) = lines.next_line().await? {
    ///     println!("{line}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Whatever the server says; a log too large to be read whole.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn logs(&self, name: &str, options: &LogOptions) -> Result<String>
    where
        K: HasLogs,
    {
        let (subject, call) = self.log_call(name, options)?;
        let bytes = self.client.unary(&call).await.map_err(|f| f.into_error(&subject))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads a pod's log as it arrives. Of one that is followed there may be no answer before its first line, which is
    /// waited for however long it takes, as are those that follow.
    ///
    /// # Errors
    /// Whatever the server says before the first byte.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn log_stream(&self, name: &str, options: &LogOptions) -> Result<LogStream>
    where
        K: HasLogs,
    {
        let (subject, mut call) = self.log_call(name, options)?;
        if options.follow {
            // Kubelets send the head with the first line.
            call.patience = Patience::Endless;
        }
        let body = self.client.open(&call).await.map_err(|f| f.into_error(&subject))?;
        // Who follows may wait for the next line for days.
        let deadline = self.client.settings.deadline.filter(|_| !options.follow);
        Ok(LogStream {
            subject,
            body,
            deadline,
            partial: Vec::new(),
            start: 0,
            searched: 0,
            ended: false,
        })
    }

    fn log_call(&self, name: &str, options: &LogOptions) -> Result<(Subject, Call)> {
        let subject = self.subject(Verb::Get, name);
        let target = self.target(&self.namespace, name, "log", &subject)?;
        let call = Call { accept: "*/*".into(), ..Call::get_with(&target, &options.query()) };
        Ok((subject, call))
    }
}

/// A log under way. Dropping it ends the request.
pub struct LogStream {
    subject: Subject,
    body: Body,
    /// How long the next part may take.
    deadline: Option<Duration>,
    partial: Vec<u8>,
    /// Where in `partial` the next line starts.
    start: usize,
    /// Up to where in `partial` there is no end of a line.
    searched: usize,
    ended: bool,
}

/// Tells whose log it is and how much of it is there, never what: programs log more than they should.
impl fmt::Debug for LogStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LogStream({}, {} bytes)", self.subject, self.partial.len() - self.start)
    }
}

impl LogStream {
    /// The next line, without its end; `None` after the last one. What is not UTF-8 is replaced.
    ///
    /// # Errors
    /// A connection that broke; a server that falls silent, unless the log is followed.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn next_line(&mut self) -> Result<Option<String>> {
        loop {
            if let Some(line) = self.line() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            match self.part().await? {
                Some(bytes) => self.push(&bytes),
                None => self.ended = true,
            }
        }
    }

    /// The next bytes, as they arrive; `None` at the end. What [`next_line`](Self::next_line) has begun to
    /// put together comes first.
    ///
    /// # Errors
    /// As [`next_line`](Self::next_line).
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn data(&mut self) -> Result<Option<Bytes>> {
        if self.start < self.partial.len() {
            self.partial.drain(..self.start);
            (self.start, self.searched) = (0, 0);
            return Ok(Some(std::mem::take(&mut self.partial).into()));
        }
        if self.ended { Ok(None) } else { self.part().await }
    }

    async fn part(&mut self) -> Result<Option<Bytes>> {
        let Self { subject, body, deadline, .. } = self;
        let part = async { body.data().await.map_err(Why::Broken) };
        in_time(*deadline, part).await.map_err(|why| why.into_error(subject))
    }

    fn push(&mut self, bytes: &[u8]) {
        self.partial.drain(..self.start);
        self.searched = self.searched.saturating_sub(self.start);
        self.start = 0;
        self.partial.extend_from_slice(bytes);
    }

    fn line(&mut self) -> Option<String> {
        let left = &self.partial[self.start..];
        let searched = self.searched.saturating_sub(self.start);
        let end = left[searched..].iter().position(|byte| *byte == b'\n');
        let (line, taken) = match end.map(|end| searched + end) {
            Some(end) if end <= LINE => (&left[..end], end + 1),
            _ if left.len() > LINE => (&left[..LINE], LINE),
            _ if self.ended && !left.is_empty() => (left, left.len()),
            _ => {
                self.searched = self.partial.len();
                return None;
            }
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = String::from_utf8_lossy(line).into_owned();
        self.start += taken;
        Some(line)
    }
}
