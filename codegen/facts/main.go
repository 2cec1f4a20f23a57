// Command facts writes down, as plain text, what the Go types of one
// Kubernetes release say about the API: names, presence rules, types, protobuf
// numbers and merge rules of every field, and the kinds that exist. README.md
// has the grammar of the files and how they are made.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// release is the Kubernetes version that go.mod pins.
const release = "v1.36.3"

func main() {
	root := flag.String("root", "../..", "the workspace to write into")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "facts:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	kinds := registeredKinds(newScheme())
	structs := reachable(kinds)
	guessDiscovery(kinds)

	facts := filepath.Join(root, "crates", "watchkeeper-schema", "facts")
	data := filepath.Join(root, "crates", "watchkeeper-api", "tests", "data")
	filled, err := filledObjects(kinds)
	if err != nil {
		return err
	}
	for path, text := range map[string]string{
		filepath.Join(facts, "types.facts"): formatStructs(structs),
		filepath.Join(facts, "kinds.facts"): formatKinds(kinds),
		filepath.Join(data, "filled.jsonl"): filled,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	fmt.Println(summary(structs, kinds))
	return nil
}
