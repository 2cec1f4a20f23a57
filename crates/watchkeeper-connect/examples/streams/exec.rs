//! Programs in a container.

use bytes::Bytes;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, Attached, ExecOptions, Finished, Output};

use crate::report::{Checked, MUCH, Report, has, much, same, sum};
use crate::{POD, noted};

type Pods = Api<Pod>;

pub(crate) async fn check(pods: &Pods, report: &mut Report) {
    report.check("exec: standard output and error come apart", apart(pods)).await;
    report.check("exec: the exit code is told", code(pods)).await;
    report.check("exec: a program that is not there is told", missing(pods)).await;
    report.check("exec: a container or pod that is not there is told", nowhere(pods)).await;
    report.check("exec: standard input ends alone", echo(pods)).await;
    report.check("exec: a terminal is told its size", size(pods)).await;
    report.check("exec: 16 MiB to a program", upload(pods)).await;
    report.check("exec: 16 MiB from a program", download(pods)).await;
    report.check("exec: dropped, the program finds its output closed", deaf(pods)).await;
    report.check("exec: dropped, the program finds its input ended", mute(pods)).await;
    report.check("attach: output alone", watched(pods)).await;
    report.check("attach: with standard input", spoken(pods)).await;
}

pub(crate) async fn check_silence(pods: &Pods, seconds: u64, report: &mut Report) {
    let what = format!("exec: {seconds} s of silence do not end the stream");
    report.check(&what, silence(pods, seconds)).await;
}

fn program<const N: usize>(words: [&str; N]) -> ExecOptions {
    ExecOptions::new(words).container("main")
}

async fn run(pods: &Pods, options: &ExecOptions) -> watchkeeper_client::Result<Finished> {
    pods.exec(POD, options).await?.finish(2 * MUCH).await
}

async fn apart(pods: &Pods) -> Checked {
    let done = run(pods, &program(["both"])).await?;
    same(done.stdout, b"to standard output\n")?;
    same(done.stderr, b"to standard error\n")?;
    same(done.exit.code, 0)
}

async fn code(pods: &Pods) -> Checked {
    same(run(pods, &program(["exit", "3"])).await?.exit.code, 3)
}

async fn missing(pods: &Pods) -> Checked {
    let error = run(pods, &program(["nothing"])).await.err().ok_or("it ran")?;
    has(&error, "executable file not found in $PATH")
}

async fn nowhere(pods: &Pods) -> Checked {
    let options = program(["both"]).container("nothing");
    let error = run(pods, &options).await.err().ok_or("it ran")?;
    has(&error, "container nothing is not valid for pod streams")?;
    let error = pods.exec("nothing", &program(["both"])).await.err().ok_or("it ran")?;
    same(error.is_not_found(), true)
}

/// What comes until there is as much as was said.
async fn heard(attached: &mut Attached, said: &str) -> Checked {
    let mut heard = Vec::new();
    while heard.len() < said.len() {
        match attached.next().await? {
            Some(Output::Stdout(bytes)) => heard.extend_from_slice(&bytes),
            other => return Err(format!("{other:?} in place of {said:?}").into()),
        }
    }
    same(heard, said.as_bytes())
}

async fn echo(pods: &Pods) -> Checked {
    let mut attached = pods.exec(POD, &program(["cat"]).stdin()).await?;
    let mut input = attached.input();
    input.write(b"one").await?;
    heard(&mut attached, "one").await?;
    input.write(b"two").await?;
    input.close().await?;
    let done = attached.finish(100).await?;
    same(done.stdout, b"two")?;
    same(done.exit.code, 0)
}

async fn size(pods: &Pods) -> Checked {
    let mut attached = pods.exec(POD, &program(["size", "2"]).stdin().tty()).await?;
    let mut input = attached.input();
    input.resize(80, 24).await?;
    heard(&mut attached, "80x24\n").await?;
    input.resize(132, 43).await?;
    let done = attached.finish(100).await?;
    same(done.stdout, b"132x43\n")?;
    same(done.exit.code, 0)
}

async fn upload(pods: &Pods) -> Checked {
    let attached = pods.exec(POD, &program(["sum"]).stdin()).await?;
    let mut input = attached.input();
    let bytes = much();
    let writing = async {
        input.write(&bytes).await?;
        input.close().await
    };
    let (written, done) = tokio::join!(writing, attached.finish(100));
    written?;
    same(Bytes::from(done?.stdout), sum(&bytes))
}

async fn download(pods: &Pods) -> Checked {
    let done = run(pods, &program(["fill", &MUCH.to_string()])).await?;
    same(done.exit.code, 0)?;
    same(sum(&done.stdout), sum(&much()))
}

async fn deaf(pods: &Pods) -> Checked {
    let mut attached = pods.exec(POD, &program(["tick"])).await?;
    heard(&mut attached, "tick\n").await?;
    drop(attached);
    noted(pods, "[\"tick\"] ends").await
}

async fn mute(pods: &Pods) -> Checked {
    let mut attached = pods.exec(POD, &program(["wait"]).stdin()).await?;
    heard(&mut attached, "ready\n").await?;
    drop(attached);
    noted(pods, "[\"wait\"] ends").await
}

async fn watched(pods: &Pods) -> Checked {
    let options = ExecOptions::output().container("main");
    let done = pods.attach(POD, &options).await?.finish(100).await?;
    same(done.stderr, b"beside\n")?;
    same(done.exit.code, 0)
}

async fn spoken(pods: &Pods) -> Checked {
    let attached = pods.attach(POD, &ExecOptions::output().container("main").stdin()).await?;
    let mut input = attached.input();
    input.write(b"one\ntwo\n").await?;
    input.close().await?;
    let done = attached.finish(100).await?;
    same(done.stdout, b"heard one\nheard two\n")?;
    same(done.exit.code, 0)
}

async fn silence(pods: &Pods, seconds: u64) -> Checked {
    let done = run(pods, &program(["sleep", &seconds.to_string()])).await?;
    same(done.stdout, b"awake\n")
}
