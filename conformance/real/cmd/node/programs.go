package main

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/utils/exec"
)

// What a program has; a stream that nobody asked for is nil.
type process struct {
	words    []string
	in       io.Reader
	out, err io.Writer
	resize   <-chan remotecommand.TerminalSize
}

// The number after the program's name.
func (p process) number() int {
	if len(p.words) < 2 {
		return 0
	}
	number, _ := strconv.Atoi(p.words[1])
	return number
}

var programs = map[string]func(process) error{
	// Says something on both of its streams.
	"both": func(p process) error {
		fmt.Fprint(p.out, "to standard output\n")
		fmt.Fprint(p.err, "to standard error\n")
		return nil
	},
	"cat": func(p process) error {
		_, err := io.Copy(p.out, p.in)
		return err
	},
	"exit": func(p process) error {
		return exec.CodeExitError{Err: fmt.Errorf("exit %d", p.number()), Code: p.number()}
	},
	// Tells the size of its terminal so many times.
	"size": func(p process) error {
		for range p.number() {
			size, told := <-p.resize
			if !told {
				return fmt.Errorf("nobody tells the size")
			}
			fmt.Fprintf(p.out, "%dx%d\n", size.Width, size.Height)
		}
		return nil
	},
	// Says nothing for so many seconds.
	"sleep": func(p process) error {
		time.Sleep(time.Duration(p.number()) * time.Second)
		fmt.Fprint(p.out, "awake\n")
		return nil
	},
	// Writes until nobody reads.
	"tick": func(p process) error {
		for {
			if _, err := fmt.Fprint(p.out, "tick\n"); err != nil {
				return nil
			}
			time.Sleep(10 * time.Millisecond)
		}
	},
	// Reads until nobody writes.
	"wait": func(p process) error {
		fmt.Fprint(p.out, "ready\n")
		_, err := io.Copy(io.Discard, p.in)
		return err
	},
	// Tells how much it read, and its hash.
	"sum": func(p process) error {
		hash := fnv.New64a()
		count, err := io.Copy(hash, p.in)
		fmt.Fprintf(p.out, "%d %016x\n", count, hash.Sum64())
		return err
	},
	// Writes so many bytes.
	"fill": func(p process) error {
		buffer := make([]byte, 32<<10)
		for begun := 0; begun < p.number(); {
			piece := buffer[:min(len(buffer), p.number()-begun)]
			for i := range piece {
				piece[i] = byte((uint32(begun+i) * 2654435761) >> 24)
			}
			if _, err := p.out.Write(piece); err != nil {
				return err
			}
			begun += len(piece)
		}
		return nil
	},
}

// ExecInContainer runs one of the programs.
func (n *node) ExecInContainer(
	_ context.Context, pod, _, container string, words []string, in io.Reader, out, err io.WriteCloser, _ bool,
	resize <-chan remotecommand.TerminalSize, _ time.Duration,
) error {
	if words[0] == "end" {
		// The container's own program, too.
		book := n.books[pod+"/"+container]
		book.write(time.Now(), "bye")
		book.end()
		return nil
	}
	program, known := programs[words[0]]
	if !known {
		return fmt.Errorf("exec: %q: executable file not found in $PATH", words[0])
	}
	n.note("%q begins", words)
	defer n.note("%q ends", words)
	return program(process{words: words, in: in, out: out, err: err, resize: resize})
}

// AttachContainer repeats what it hears.
func (n *node) AttachContainer(
	_ context.Context, _, _, container string, in io.Reader, out, err io.WriteCloser, _ bool,
	_ <-chan remotecommand.TerminalSize,
) error {
	n.note("attach to %s begins", container)
	defer n.note("attach to %s ends", container)
	if err != nil {
		fmt.Fprint(err, "beside\n")
	}
	if in == nil {
		return nil
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fmt.Fprintf(out, "heard %s\n", lines.Text())
	}
	return lines.Err()
}
