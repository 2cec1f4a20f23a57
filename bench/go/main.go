// Command bench decodes pods as client-go does.
//
// "bench FOLDER COUNT" answers each line of its input, "SET WHAT", by the wall and the CPU
// nanoseconds that a pod took; "bench FOLDER COUNT SET WHAT" tells what a kept pod holds: bytes of
// the heap after two collections, and bytes of resident memory; "bench FOLDER COUNT check" says
// whether our protobuf of every pod is what Go writes of its JSON. "bench sync URL PODS CHANGES LAST
// WHAT" follows the pods of a server: see sync.go; "bench store OBJECTS" measures a store: see store.go;
// "bench controller URL MAPS CHANGES WORKERS CODEC" runs a controller: see controller.go;
// "bench queue WHOSE" and "bench queue WHOSE held WHAT KEYS" measure a work queue: see queue.go.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

var (
	jsonCodec  = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{})
	protoCodec = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 6 && args[0] == "sync" {
		pods, first := strconv.ParseInt(args[2], 10, 64)
		changes, second := strconv.ParseInt(args[3], 10, 64)
		if err := errors.Join(first, second); err != nil {
			return err
		}
		return follow(args[1], pods, changes, args[4], args[5])
	}
	if len(args) == 6 && args[0] == "controller" {
		maps, first := strconv.Atoi(args[2])
		changes, second := strconv.Atoi(args[3])
		workers, third := strconv.Atoi(args[4])
		if err := errors.Join(first, second, third); err != nil {
			return err
		}
		return reconcileAll(args[1], maps, changes, workers, args[5])
	}
	if len(args) > 1 && args[0] == "queue" {
		return answerQueue(args[1], args[2:])
	}
	if len(args) == 2 && args[0] == "store" {
		count, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return answerStore(count)
	}
	if len(args) < 2 {
		return fmt.Errorf("usage: bench FOLDER COUNT [check | SET WHAT] | sync URL PODS CHANGES LAST WHAT | store OBJECTS | queue WHOSE [held WHAT KEYS]")
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	switch len(args) {
	case 2:
		return answer(args[0], count)
	case 3:
		return check(args[0], count)
	default:
		return keep(args[0], count, args[2], args[3])
	}
}

func read(folder, set, what string, count int) ([][]byte, error) {
	var pods [][]byte
	if what == "protobuf" {
		rest, err := os.ReadFile(folder + "/" + set + ".pb")
		for err == nil && len(rest) >= 4 && len(pods) < count {
			end := 4 + int(binary.BigEndian.Uint32(rest))
			pods, rest = append(pods, rest[4:end]), rest[end:]
		}
		return pods, err
	}
	text, err := os.ReadFile(folder + "/" + set + ".jsonl")
	for len(text) > 0 && len(pods) < count {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		pods, text = append(pods, line), rest
	}
	return pods, err
}

func decode(text []byte, what string) (*corev1.Pod, error) {
	var codec k8sruntime.Decoder = jsonCodec
	if what == "protobuf" {
		codec = protoCodec
	}
	pod := &corev1.Pod{}
	_, _, err := codec.Decode(text, nil, pod)
	return pod, err
}

func answer(folder string, count int) error {
	sets := map[string][][]byte{}
	for _, set := range []string{"alike", "unlike"} {
		for _, what := range []string{"json", "protobuf"} {
			pods, err := read(folder, set, what, count)
			if err != nil {
				return err
			}
			sets[set+" "+what] = pods
		}
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		_, what, _ := strings.Cut(lines.Text(), " ")
		cpuBefore, before := cpu(), time.Now()
		for _, pod := range sets[lines.Text()] {
			if _, err := decode(pod, what); err != nil {
				return err
			}
		}
		fmt.Println(time.Since(before).Nanoseconds()/int64(count), (cpu()-cpuBefore)/int64(count))
	}
	return lines.Err()
}

// keep strips managedFields, as an informer's transform does.
func keep(folder string, count int, set, what string) error {
	pods, err := read(folder, set, what, count)
	if err != nil {
		return err
	}
	heapBefore, residentBefore := held(), resident()
	kept := make([]*corev1.Pod, 0, count)
	for _, text := range pods {
		pod, err := decode(text, what)
		if err != nil {
			return err
		}
		pod.ManagedFields = nil
		kept = append(kept, pod)
	}
	fmt.Println((held()-heapBefore)/int64(count), (resident()-residentBefore)/int64(count))
	runtime.KeepAlive(kept)
	runtime.KeepAlive(pods)
	return nil
}

func check(folder string, count int) error {
	for _, set := range []string{"alike", "unlike"} {
		texts, err := read(folder, set, "json", count)
		if err != nil {
			return err
		}
		bodies, err := read(folder, set, "protobuf", count)
		if err != nil {
			return err
		}
		if len(texts) != len(bodies) {
			return fmt.Errorf("%s: %d pods of JSON, %d of protobuf", set, len(texts), len(bodies))
		}
		for index := range texts {
			pod, err := decode(texts[index], "json")
			if err != nil {
				return err
			}
			pod.Kind, pod.APIVersion = "Pod", "v1"
			var theirs bytes.Buffer
			if err := protoCodec.Encode(pod, &theirs); err != nil {
				return err
			}
			if !bytes.Equal(theirs.Bytes(), bodies[index]) {
				return differs(set, index, theirs.Bytes(), bodies[index])
			}
		}
		fmt.Printf("%s: %d pods, our protobuf is Go's\n", set, len(texts))
	}
	return nil
}

// differs says where two texts part.
func differs(set string, index int, theirs, ours []byte) error {
	at := 0
	for at < len(theirs) && at < len(ours) && theirs[at] == ours[at] {
		at++
	}
	around := func(text []byte) []byte { return text[max(0, min(at-40, len(text))):min(at+40, len(text))] }
	return fmt.Errorf("%s: pod %d differs at byte %d: Go writes %d bytes, %q; we %d, %q",
		set, index, at, len(theirs), around(theirs), len(ours), around(ours))
}

func held() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func cpu() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func resident() int64 { return memory("VmRSS") }

// memory is a line of /proc/self/status in bytes.
func memory(name string) int64 {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib * 1024
		}
	}
	return 0
}
