package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-client/pkg/logs"
)

// What a container writes, in the file and format of container runtimes, for upstream's reader of logs.
type book struct {
	lock  sync.Mutex
	file  *os.File
	ended bool
}

// The containers of the pods by "pod/container", and their lives before by "pod/container before".
func newBooks(folder string) (map[string]*book, error) {
	books := map[string]*book{}
	for _, name := range []string{"streams/main", "streams/main before", "streams/diary", "brief/main"} {
		// A folder each: a reader that follows looks at all that happens beside the file.
		own := filepath.Join(folder, strconv.Itoa(len(books)))
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, err
		}
		file, err := os.Create(filepath.Join(own, "log"))
		if err != nil {
			return nil, err
		}
		books[name] = &book{file: file}
	}
	now := time.Now()
	for number := 1; number <= 1000; number++ {
		written := now
		if number <= 500 {
			written = now.Add(-time.Hour)
		}
		books["streams/main"].write(written, fmt.Sprintf("line %d", number))
	}
	books["streams/main before"].write(now, "the life before")
	books["brief/main"].write(now, "welcome")
	return books, nil
}

func (b *book) write(at time.Time, text string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if _, err := fmt.Fprintf(b.file, "%s stdout F %s\n", at.UTC().Format(logs.RFC3339NanoFixed), text); err != nil {
		log.Fatal(err)
	}
}

func (b *book) end() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.ended = true
}

func (n *node) note(format string, words ...any) {
	n.books["streams/diary"].write(time.Now(), fmt.Sprintf(format, words...))
}

// The container runtime, of which the reader asks only whether a container runs.
type runtime struct {
	internalapi.RuntimeService
	*book
}

func (r runtime) ContainerStatus(context.Context, string, bool) (*runtimeapi.ContainerStatusResponse, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	state := runtimeapi.ContainerState_CONTAINER_RUNNING
	if r.ended {
		state = runtimeapi.ContainerState_CONTAINER_EXITED
	}
	return &runtimeapi.ContainerStatusResponse{Status: &runtimeapi.ContainerStatus{State: state}}, nil
}

// What is written goes out at once, as a kubelet has it.
type flushing struct{ http.ResponseWriter }

func (w flushing) Write(text []byte) (int, error) {
	count, err := w.ResponseWriter.Write(text)
	w.ResponseWriter.(http.Flusher).Flush()
	return count, err
}

func (n *node) serveLogs(w http.ResponseWriter, r *http.Request) {
	pod, container := r.PathValue("pod"), r.PathValue("container")
	options, err := readOptions(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name := pod + "/" + container
	if r.URL.Query().Get("previous") == "true" {
		name += " before"
	}
	book, known := n.books[name]
	if !known {
		// A kubelet's words (upstream: pkg/kubelet/kubelet_pods.go).
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, "previous terminated container %q in pod %q not found", container, pod)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	out := flushing{w}
	if err := logs.ReadLogs(r.Context(), book.file.Name(), name, options, runtime{book: book}, out, out); err != nil {
		log.Printf("log of %s: %v", name, err)
	}
}

// The options as a kubelet reads them (upstream: pkg/kubelet/kuberuntime/logs).
func readOptions(query url.Values) (*logs.LogOptions, error) {
	options := &logs.LogOptions{
		Follow:    query.Get("follow") == "true",
		Timestamp: query.Get("timestamps") == "true",
	}
	var seconds *int64
	for name, number := range map[string]**int64{
		"tailLines": &options.TailLines, "limitBytes": &options.LimitBytes, "sinceSeconds": &seconds,
	} {
		if text := query.Get(name); text != "" {
			value, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, err
			}
			*number = &value
		}
	}
	if seconds != nil {
		options.Since = time.Now().Add(-time.Duration(*seconds) * time.Second)
	}
	if text := query.Get("sinceTime"); text != "" {
		since, err := time.Parse(time.RFC3339, text)
		options.Since = since
		return options, err
	}
	return options, nil
}
