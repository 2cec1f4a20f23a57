// Command facts writes down, as plain text, what the Go types of one
// Kubernetes release say about the API: names, presence rules, types, protobuf
// numbers and merge rules of every field, and the kinds that exist. README.md
// has the grammar of the files and how they are made.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// release is the Kubernetes version that go.mod pins.
const release = "v1.36.3"

func main() {
	root := flag.String("root", "../..", "the folder of the workspace to write into")
	kubeconfig := flag.String("kubeconfig", os.Getenv("REAL_KUBECONFIG"), "how to reach a server of the same release")
	flag.Parse()
	if err := run(*root, *kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, "facts:", err)
		os.Exit(1)
	}
}

func run(root, kubeconfig string) error {
	if kubeconfig == "" {
		return errors.New("no -kubeconfig: cargo xtask facts starts a server and passes it")
	}
	kinds := registeredKinds(newScheme())
	structs := reachable(kinds)
	if err := overlay(kubeconfig, kinds, structs); err != nil {
		return err
	}
	filled, err := filledObjects(kinds)
	if err != nil {
		return err
	}
	scalars, err := values()
	if err != nil {
		return err
	}
	facts := filepath.Join(root, "crates", "watchkeeper-schema", "facts")
	data := filepath.Join(root, "crates", "watchkeeper-api", "tests", "data")
	for path, text := range map[string]string{
		filepath.Join(facts, "types.facts"): formatStructs(structs),
		filepath.Join(facts, "kinds.facts"): formatKinds(kinds),
		filepath.Join(data, "filled.jsonl"): filled,
		filepath.Join(data, "values.jsonl"): scalars,
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

// overlay adds what only a running server knows.
func overlay(kubeconfig string, kinds []*kind, structs []*structFact) error {
	server, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	groups, err := server.discovery()
	if err != nil {
		return err
	}
	if err := addDiscovery(kinds, groups); err != nil {
		return err
	}
	models, err := server.models()
	if err != nil {
		return err
	}
	return addModels(structs, models)
}
