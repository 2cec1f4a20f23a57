package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"
)

// How an executor is made for a URL.
type way func(asker, *url.URL) (remotecommand.Executor, error)

func v5(a asker, to *url.URL) (remotecommand.Executor, error) {
	return remotecommand.NewWebSocketExecutor(a.config, http.MethodGet, to.String())
}

func v4(a asker, to *url.URL) (remotecommand.Executor, error) {
	return remotecommand.NewWebSocketExecutorForProtocols(a.config, http.MethodGet, to.String(), "v4.channel.k8s.io")
}

// As kubectl has it.
func fallback(a asker, to *url.URL) (remotecommand.Executor, error) {
	sockets, err := v5(a, to)
	if err != nil {
		return nil, err
	}
	spdy, err := remotecommand.NewSPDYExecutor(a.config, http.MethodPost, to)
	if err != nil {
		return nil, err
	}
	return remotecommand.NewFallbackExecutor(sockets, spdy, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
}

// What is asked for: a path with its query, what is said, and the streams that are wanted.
type asked struct {
	path     string
	in       io.Reader
	out, err io.Writer
	sizes    remotecommand.TerminalSizeQueue
}

func (a asker) ask(ctx context.Context, by way, what asked) error {
	to := a.url(what.path)
	query := to.Query()
	for name, wanted := range map[string]bool{
		"stdin": what.in != nil, "stdout": what.out != nil, "stderr": what.err != nil, "tty": what.sizes != nil,
	} {
		if wanted {
			query.Set(name, "true")
		}
	}
	to.RawQuery = query.Encode()
	executor, err := by(a, to)
	if err != nil {
		klog.Fatal(err)
	}
	return executor.StreamWithContext(ctx, remotecommand.StreamOptions{
		Stdin: what.in, Stdout: what.out, Stderr: what.err, Tty: what.sizes != nil, TerminalSizeQueue: what.sizes,
	})
}

// A program in the pod's main container, whose words follow.
const program = "streams/exec?container=main"

func (a asker) runPrograms() {
	long := strings.Repeat("all work and no play\n", 100_000)
	for _, check := range []struct {
		name, path, in string
		by             way
	}{
		{"both streams", program + "&command=both", "", v5},
		{"both streams, v4", program + "&command=both", "", v4},
		{"both streams, as kubectl", program + "&command=both", "", fallback},
		{"an exit code", program + "&command=exit&command=3", "", v5},
		{"an exit code, v4", program + "&command=exit&command=3", "", v4},
		{"an exit code, as kubectl", program + "&command=exit&command=3", "", fallback},
		{"input that ends", program + "&command=cat", "hello\n", v5},
		{"input that ends, as kubectl", program + "&command=cat", "hello\n", fallback},
		{"much input", program + "&command=sum", long, v5},
		{"much output", program + "&command=fill&command=3000000", "", v5},
		{"much both ways", program + "&command=cat", long, v5},
		{"no such program", program + "&command=nothing", "", v5},
		{"attached", "streams/attach?container=main", "one\ntwo\n", v5},
	} {
		ctx, cancel := within(patience)
		var out, beside bytes.Buffer
		what := asked{path: check.path, out: &out, err: &beside}
		if check.in != "" {
			what.in = strings.NewReader(check.in)
		}
		err := a.ask(ctx, check.by, what)
		tell(check.name, "%s, said %s, beside it %s", outcome(err), shown(out.Bytes()), shown(beside.Bytes()))
		cancel()
	}
}

func outcome(err error) string {
	var code exec.CodeExitError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &code):
		return fmt.Sprintf("exit code %d", code.Code)
	default:
		return err.Error()
	}
}

// A text, or how long it is and its hash.
func shown(text []byte) string {
	if len(text) <= 100 {
		return fmt.Sprintf("%q", text)
	}
	hash := fnv.New64a()
	_, _ = hash.Write(text)
	return fmt.Sprintf("%d bytes %016x", len(text), hash.Sum64())
}

// The sizes that a terminal has had, as long as there may be others.
type sizes chan remotecommand.TerminalSize

func (s sizes) Next() *remotecommand.TerminalSize {
	size, more := <-s
	if !more {
		return nil
	}
	return &size
}

// What is said, and what follows from it.
type listener struct {
	lock  sync.Mutex
	heard bytes.Buffer
	then  func(heard string)
}

func (l *listener) Write(text []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	count, err := l.heard.Write(text)
	l.then(l.heard.String())
	return count, err
}

func (l *listener) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.heard.String()
}

// The second size is told when the first has come back, so that none is passed over.
func (a asker) changeSizes() {
	ctx, cancel := within(patience)
	defer cancel()
	terminal := make(sizes, 2)
	defer close(terminal)
	terminal <- remotecommand.TerminalSize{Width: 80, Height: 24}
	var once sync.Once
	out := &listener{then: func(heard string) {
		if strings.Contains(heard, "\n") {
			once.Do(func() { terminal <- remotecommand.TerminalSize{Width: 132, Height: 50} })
		}
	}}
	err := a.ask(ctx, v5, asked{path: program + "&command=size&command=2", out: out, sizes: terminal})
	tell("a terminal", "%s, said %q", outcome(err), out.String())
}

// A client that goes away in the midst of it.
func (a asker) leave() {
	ctx, cancel := within(patience)
	defer cancel()
	out := &listener{then: func(string) { cancel() }}
	err := a.ask(ctx, v5, asked{path: program + "&command=tick", out: out})
	tell("a client that leaves", "%s, said %t", outcome(err), strings.HasPrefix(out.String(), "tick\n"))
}

func (a asker) refuse() {
	for _, check := range []struct {
		name, path string
		by         way
	}{
		{"no such container", "streams/exec?container=nothing&command=both", v5},
		{"no such container, as kubectl", "streams/exec?container=nothing&command=both", fallback},
		{"one of two containers", "streams/exec?command=both", v5},
		{"no such pod", "nothing/exec?command=both", v5},
		{"no such pod to attach to, as kubectl", "nothing/attach", fallback},
	} {
		ctx, cancel := within(patience)
		err := a.ask(ctx, check.by, asked{path: check.path, out: io.Discard})
		tell(check.name, "%s", outcome(err))
		cancel()
	}
	ctx, cancel := within(patience)
	defer cancel()
	err := a.ask(ctx, v5, asked{path: program + "&command=both"})
	tell("no streams", "%s", outcome(err))
}

// Pings go on, and are answered.
func (a asker) wait(seconds int) {
	ctx, cancel := within(patience + time.Duration(seconds)*time.Second)
	defer cancel()
	var out bytes.Buffer
	path := fmt.Sprintf("%s&command=sleep&command=%d", program, seconds)
	err := a.ask(ctx, v5, asked{path: path, out: &out})
	tell("a long silence", "%s, said %q", outcome(err), out.String())
}
