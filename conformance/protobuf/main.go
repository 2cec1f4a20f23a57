// Command protobuf is the other side of our protobuf: Go's own types and their
// generated code. README.md says what it is asked.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "protobuf:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "compare":
		return compareAll(bufio.NewReader(os.Stdin), os.Stdout)
	case len(args) == 2 && args[0] == "sums":
		return sums(args[1], os.Stdout)
	}
	return fmt.Errorf("usage: protobuf compare | protobuf sums <filled.jsonl>")
}

// compareAll answers each line of JSON with one.
func compareAll(in *bufio.Reader, out *os.File) error {
	requests := json.NewDecoder(in)
	answers := bufio.NewWriter(out)
	known := knownTypes()
	for requests.More() {
		var asked request
		if err := requests.Decode(&asked); err != nil {
			return err
		}
		line, err := json.Marshal(compare(known, asked))
		if err != nil {
			return err
		}
		if _, err := answers.Write(append(line, '\n')); err != nil {
			return err
		}
		if err := answers.Flush(); err != nil {
			return err
		}
	}
	return nil
}
