package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

type line struct {
	written time.Time
	text    string
}

// What a container wrote.
type book struct {
	lock  sync.Mutex
	lines []line
	// Closed, and another put in its place, when there are more.
	more chan struct{}
}

func newBooks() map[string]*book {
	main, before, diary := newBook(), newBook(), newBook()
	for number := range 1000 {
		main.write(fmt.Sprintf("line %d", number+1))
	}
	before.write("the life before")
	return map[string]*book{"main": main, "main before": before, "diary": diary}
}

func newBook() *book {
	return &book{more: make(chan struct{})}
}

func (b *book) write(text string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.lines = append(b.lines, line{time.Now(), text})
	close(b.more)
	b.more = make(chan struct{})
}

// The lines from one on, and what is closed when there are more.
func (b *book) from(first int) ([]line, <-chan struct{}) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.lines[min(first, len(b.lines)):], b.more
}

func (n *node) note(format string, words ...any) {
	n.books["diary"].write(fmt.Sprintf(format, words...))
}

func (n *node) serveLogs(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	name := r.PathValue("container")
	if query.Get("previous") == "true" {
		name += " before"
	}
	book, known := n.books[name]
	if !known {
		http.Error(w, "no such container", http.StatusNotFound)
		return
	}
	first := 0
	if tail, err := strconv.Atoi(query.Get("tailLines")); err == nil {
		all, _ := book.from(0)
		first = max(len(all)-tail, 0)
	}
	limit, err := strconv.Atoi(query.Get("limitBytes"))
	if err != nil {
		limit = 1 << 30
	}
	w.Header().Set("Content-Type", "text/plain")
	for {
		lines, more := book.from(first)
		first += len(lines)
		for _, line := range lines {
			text := line.text + "\n"
			if query.Get("timestamps") == "true" {
				text = line.written.UTC().Format(time.RFC3339Nano) + " " + text
			}
			text = text[:min(len(text), limit)]
			limit -= len(text)
			if _, err := w.Write([]byte(text)); err != nil {
				return
			}
		}
		if query.Get("follow") != "true" || limit == 0 {
			return
		}
		w.(http.Flusher).Flush()
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
	}
}
