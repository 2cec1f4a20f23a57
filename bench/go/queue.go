package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// What bench-queue of the folder beside this one measures, with the queues of client-go and of
// controller-runtime: see its first lines.

const (
	queueKeys      = 1000
	queueTimes     = 200
	manyKeys       = 1_000_000
	contendedKeys  = 100_000
	contendedTasks = 4
)

var priorities = [...]int{0, -100, 10}

// rivalQueue is what both have in common.
type rivalQueue[K comparable] = workqueue.TypedRateLimitingInterface[K]

// answerQueue answers each line of its input by the wall and the CPU nanoseconds that a thousand
// keys took; asked "held WHAT KEYS", it tells the bytes that a key holds beyond itself.
func answerQueue(of string, args []string) error {
	if len(args) == 3 && args[0] == "held" {
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		if args[1] == "names" {
			return heldByKeys(of, args[1], count, podName)
		}
		return heldByKeys(of, args[1], count, number)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var took taken
		var err error
		if what := lines.Text(); what == "names" {
			took, err = measureQueue(of, what, podName)
		} else {
			took, err = measureQueue(of, what, number)
		}
		if err != nil {
			return err
		}
		fmt.Println(took.wall*1000/took.keys, took.cpu*1000/took.keys)
	}
	return lines.Err()
}

type taken struct{ wall, cpu, keys int64 }

func number(key int) int { return key }

func podName(key int) string { return fmt.Sprintf("namespace-%d/pod-%d", key%7, key) }

// newQueue makes a queue without a name: with one, these would count their metrics.
func newQueue[K comparable](of string) (rivalQueue[K], error) {
	limiter := workqueue.DefaultTypedControllerRateLimiter[K]()
	switch of {
	case "client-go":
		return workqueue.NewTypedRateLimitingQueue(limiter), nil
	case "controller-runtime":
		return priorityqueue.New("", func(o *priorityqueue.Opts[K]) { o.RateLimiter = limiter }), nil
	default:
		return nil, fmt.Errorf("%s has no queue here", of)
	}
}

func measureQueue[K comparable](of, what string, name func(int) K) (taken, error) {
	queue, err := newQueue[K](of)
	if err != nil {
		return taken{}, err
	}
	// Once: controller-runtime's panics when it is shut down twice.
	defer queue.ShutDown()
	var work func()
	keys := queueKeys * queueTimes
	switch what {
	case "cycle", "names":
		all := makeKeys(queueKeys, name)
		work = func() { cycle(queue, all) }
	case "mixed":
		prioritized, has := queue.(priorityqueue.PriorityQueue[K])
		if !has {
			return taken{}, fmt.Errorf("%s has no priorities", of)
		}
		all := makeKeys(queueKeys, name)
		work = func() { mixed(prioritized, all) }
	case "known":
		all := makeKeys(queueKeys, name)
		add(queue, all)
		work = func() { known(queue, all) }
	case "million":
		all := makeKeys(manyKeys, name)
		work, keys = func() { through(queue, all) }, len(all)
	case "timers", "soon":
		// A million would take controller-runtime's queue longer than all else together.
		keys = manyKeys
		if of == "controller-runtime" {
			keys /= 10
		}
		all := makeKeys(keys, name)
		work = func() { later(queue, all, what) }
	case "contended":
		runtime.GOMAXPROCS(2)
		defer runtime.GOMAXPROCS(1)
		work, keys = func() { contended(queue, name) }, contendedKeys*contendedTasks
	default:
		return taken{}, fmt.Errorf("%s is not measured", what)
	}
	runtime.GC()
	cpuBefore, before := cpu(), time.Now()
	work()
	return taken{time.Since(before).Nanoseconds(), cpu() - cpuBefore, int64(keys)}, nil
}

func makeKeys[K comparable](count int, name func(int) K) []K {
	keys := make([]K, count)
	for at := range keys {
		keys[at] = name(at)
	}
	return keys
}

func add[K comparable](queue rivalQueue[K], keys []K) {
	for _, key := range keys {
		queue.Add(key)
	}
}

func take[K comparable](queue rivalQueue[K], count int) {
	for range count {
		key, _ := queue.Get()
		queue.Done(key)
	}
}

// through lets keys pass once.
func through[K comparable](queue rivalQueue[K], keys []K) {
	add(queue, keys)
	take(queue, len(keys))
}

func cycle[K comparable](queue rivalQueue[K], keys []K) {
	for range queueTimes {
		through(queue, keys)
	}
}

func mixed[K comparable](queue priorityqueue.PriorityQueue[K], keys []K) {
	for range queueTimes {
		for at, key := range keys {
			queue.AddWithOpts(priorityqueue.AddOpts{Priority: &priorities[at%len(priorities)]}, key)
		}
		take(queue, len(keys))
	}
}

func known[K comparable](queue rivalQueue[K], keys []K) {
	for range queueTimes {
		add(queue, keys)
		// What is buffered is taken in now.
		if queue.Len() != len(keys) {
			panic("keys were lost")
		}
	}
}

// drawn is a number below limit for each key, the same in every program.
func drawn(key int, limit uint64) time.Duration {
	return time.Duration((uint64(key) * 0x9e3779b97f4a7c15 >> 20) % limit)
}

func later[K comparable](queue rivalQueue[K], keys []K, what string) {
	if what == "timers" {
		for at, key := range keys {
			queue.AddAfter(key, (drawn(at, 600_000)+1000)*time.Millisecond)
		}
		queue.Len()
		return
	}
	for at, key := range keys {
		queue.AddAfter(key, (drawn(at, 10_000)+1)*time.Microsecond)
	}
	take(queue, len(keys))
}

func contended[K comparable](queue rivalQueue[K], name func(int) K) {
	var workers sync.WaitGroup
	var left atomic.Int64
	left.Store(contendedKeys * contendedTasks)
	over := make(chan struct{})
	for range contendedTasks {
		// These end with the queue, when they find it shut down.
		go func() {
			for {
				key, ended := queue.Get()
				if ended {
					return
				}
				queue.Done(key)
				if left.Add(-1) == 0 {
					close(over)
				}
			}
		}()
	}
	for task := range contendedTasks {
		workers.Go(func() {
			for key := task * contendedKeys; key < (task+1)*contendedKeys; key++ {
				queue.Add(name(key))
			}
		})
	}
	workers.Wait()
	<-over
}

// heldByKeys moves keys into a queue, so that what grows is what they hold beyond themselves.
func heldByKeys[K comparable](of, what string, count int, name func(int) K) error {
	queue, err := newQueue[K](of)
	if err != nil {
		return err
	}
	keys := makeKeys(count, name)
	heapBefore, residentBefore := heldAndResident()
	for at, key := range keys {
		if what == "later" {
			queue.AddAfter(key, (drawn(at, 600_000)+600_000)*time.Millisecond)
		} else {
			queue.Add(key)
		}
	}
	// What is buffered is taken in, and then the buffer dropped.
	queue.Len()
	queue.Len()
	runtime.KeepAlive(keys)
	keys = nil
	heap, all := heldAndResident()
	fmt.Println((heap-heapBefore)/int64(count), (all-residentBefore)/int64(count))
	queue.ShutDown()
	return nil
}

// heldAndResident tells the bytes of the heap and of resident memory when garbage was given back.
func heldAndResident() (int64, int64) {
	heap := held()
	debug.FreeOSMemory()
	return heap, resident()
}
