package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// What bench-store of the folder beside this one measures, with an indexer and shared informers: see
// its first lines.

const (
	ofNode   = 30
	long     = 600 * time.Millisecond
	inFlight = 10
	few      = 1000
)

type objects struct {
	indexer  cache.Indexer
	keys     []string
	nodes    []string
	versions [2][]*corev1.Pod
}

func answerStore(count int) error {
	// The present state comes as a list: that is all the fake server can do.
	if err := os.Setenv("KUBE_FEATURE_WatchListClient", "false"); err != nil {
		return err
	}
	all := makeObjects(count)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := all.measure(count, lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func tell(first, second float64) { fmt.Printf("%.0f %.0f\n", first, second) }

func (o *objects) measure(count int, what string) error {
	switch what {
	case "get":
		tell(o.get(), 0)
	case "get written":
		tell(o.getBesideWriter())
	case "index":
		tell(o.index(), 0)
	case "readers":
		return written(count)
	case "deliver 1", "deliver 100":
		handlers, err := strconv.Atoi(strings.TrimPrefix(what, "deliver "))
		if err != nil {
			return err
		}
		calls, err := delivered(handlers)
		tell(calls, 0)
		return err
	default:
		return fmt.Errorf("%s is not measured", what)
	}
	return nil
}

func makeObjects(count int) *objects {
	byNode := func(pod any) ([]string, error) { return []string{pod.(*corev1.Pod).Spec.NodeName}, nil }
	o := &objects{indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"node": byNode})}
	for at, name := range podNames(count) {
		node := fmt.Sprintf("node-%d", at/ofNode)
		for version := range o.versions {
			pod := newPod(name, strconv.Itoa(version+1))
			pod.Spec.NodeName = node
			o.versions[version] = append(o.versions[version], pod)
		}
		_ = o.indexer.Add(o.versions[0][at])
		o.keys = append(o.keys, "default/"+name)
		if at%ofNode == ofNode-1 {
			o.nodes = append(o.nodes, node)
		}
	}
	random := rand.New(rand.NewPCG(2, 2))
	random.Shuffle(len(o.keys), func(a, b int) { o.keys[a], o.keys[b] = o.keys[b], o.keys[a] })
	// As readers have them: texts of their own, made one after the other.
	for at, key := range o.keys {
		o.keys[at] = strings.Clone(key)
	}
	random.Shuffle(len(o.nodes), func(a, b int) { o.nodes[a], o.nodes[b] = o.nodes[b], o.nodes[a] })
	return o
}

func podNames(count int) []string {
	random := rand.New(rand.NewPCG(1, 1))
	names := make([]string, count)
	for at := range names {
		name := make([]byte, 20)
		for place := range name {
			name[place] = byte('a' + random.IntN(26))
		}
		names[at] = string(name)
	}
	return names
}

func newPod(name, version string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: version}}
}

// rate tells how often a second step does one of its thousand operations.
func rate(step func(at int)) float64 {
	start, done := time.Now(), 0
	for {
		for range 1000 {
			step(done)
			done++
		}
		if passed := time.Since(start); passed >= long {
			return float64(done) / passed.Seconds()
		}
	}
}

func (o *objects) get() float64 {
	return rate(func(at int) {
		if _, found, _ := o.indexer.GetByKey(o.keys[at%len(o.keys)]); !found {
			panic("a pod is missing")
		}
	})
}

func (o *objects) getBesideWriter() (read, written float64) {
	var writer sync.WaitGroup
	writer.Go(func() {
		written = rate(func(at int) {
			version := o.versions[(at/len(o.keys)+1)%len(o.versions)]
			_ = o.indexer.Update(version[at%len(version)])
		})
	})
	read = o.get()
	writer.Wait()
	return read, written
}

func (o *objects) index() float64 {
	return rate(func(at int) {
		if pods, _ := o.indexer.ByIndex("node", o.nodes[at%len(o.nodes)]); len(pods) != ofNode {
			panic("pods are missing")
		}
	})
}

// fakeInformer is one that has so many pods, and a watch that says what it is told to.
func fakeInformer(ctx context.Context, count int) (cache.SharedIndexInformer, *watch.FakeWatcher, []string) {
	names := podNames(count)
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
	for _, name := range names {
		list.Items = append(list.Items, *newPod(name, "1"))
	}
	fake := watch.NewFakeWithChanSize(1, false)
	source := &cache.ListWatch{
		ListFunc:  func(metav1.ListOptions) (k8sruntime.Object, error) { return list, nil },
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return fake, nil },
	}
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	informer := cache.NewSharedIndexInformer(source, &corev1.Pod{}, 0, indexers)
	go informer.Run(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	return informer, fake, names
}

// written is upstream's BenchmarkSharedIndexInformer, with 0, 1 and 10 readers of the informer's store, each
// followed by the same with another.
func written(count int) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	informer, fake, names := fakeInformer(ctx, count)
	told := make(chan struct{}, inFlight)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { <-told }})
	if err != nil {
		return err
	}
	ofInformer := func() {
		_ = cache.ListAllByNamespace(informer.GetIndexer(), "default", labels.Everything(), func(any) {})
	}
	ofAnother := apart(informer)
	random, done := rand.New(rand.NewPCG(3, 3)), 0
	write := func() {
		fake.Modify(newPod(names[random.IntN(len(names))], strconv.Itoa(done+3)))
		told <- struct{}{}
		done++
	}
	for _, readers := range []int{0, 1, 10} {
		tell(beside(readers, ofInformer, write))
		tell(beside(readers, ofAnother, write))
	}
	return nil
}

// beside tells how often a second write is done while so many walk, and how often they do.
func beside(readers int, walk, write func()) (written, read float64) {
	var reading sync.WaitGroup
	var stop atomic.Bool
	var walks atomic.Int64
	for range readers {
		reading.Go(func() {
			for !stop.Load() {
				walk()
				walks.Add(1)
			}
		})
	}
	start, done := time.Now(), 0
	var passed time.Duration
	for passed < long {
		write()
		done++
		passed = time.Since(start)
	}
	read = float64(walks.Load()) / passed.Seconds()
	stop.Store(true)
	reading.Wait()
	return float64(done) / passed.Seconds(), read
}

// apart walks objects that nobody writes to, under no lock, as a list does: copied first.
func apart(informer cache.SharedIndexInformer) func() {
	objects := map[string]any{}
	for _, pod := range informer.GetStore().List() {
		objects[pod.(*corev1.Pod).Name] = pod
	}
	return func() {
		list := make([]any, 0, len(objects))
		for _, pod := range objects {
			list = append(list, pod)
		}
		for range list {
		}
	}
}

// delivered tells how many calls of handlers a second there are, when so many listen.
func delivered(handlers int) (float64, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	informer, fake, names := fakeInformer(ctx, few)
	var calls atomic.Int64
	for range handlers {
		told, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { calls.Add(1) }})
		if err != nil {
			return 0, err
		}
		cache.WaitForCacheSync(ctx.Done(), told.HasSynced)
	}
	start, done := time.Now(), 0
	for time.Since(start) < long {
		fake.Modify(newPod(names[done%len(names)], strconv.Itoa(done+3)))
		done++
	}
	for calls.Load() < int64(done*handlers) {
		time.Sleep(100 * time.Microsecond)
	}
	return float64(calls.Load()) / time.Since(start).Seconds(), nil
}
