package envtest_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/pager"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/client-go/util/workqueue"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// heard are the changes that handlers were told of, in order.
type heard struct {
	mutex sync.Mutex
	all   []string
}

func (h *heard) add(format string, values ...any) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.all = append(h.all, fmt.Sprintf(format, values...))
}

func (h *heard) list() []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return append([]string{}, h.all...)
}

func (h *heard) handler() cache.ResourceEventHandlerDetailedFuncs {
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, initial bool) { h.add("add %s %v", shown(object), initial) },
		UpdateFunc: func(old, object any) {
			h.add("update %s to %s", shown(old), shown(object))
		},
		DeleteFunc: func(object any) { h.add("delete %s", shown(object)) },
	}
}

// shown is an object's name and value.
func shown(object any) string {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		return object.Name + "=" + object.Data["value"]
	case *unstructured.Unstructured:
		value, _, _ := unstructured.NestedString(object.Object, "data", "value")
		return object.GetName() + "=" + value
	case metav1.Object:
		return object.GetName() + "=" + object.GetLabels()["value"]
	}
	return fmt.Sprintf("%T", object)
}

// change does the same to config maps each time, and says what an informer hears of it.
func change(g *gomega.WithT, k8s kubernetes.Interface, namespace string) []string {
	maps := k8s.CoreV1().ConfigMaps(namespace)
	create(g, k8s, namespace, "c")
	_, err := maps.Update(ctx, configMap("a", "x"), metav1.UpdateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(maps.Delete(ctx, "b", metav1.DeleteOptions{})).To(gomega.Succeed())
	return []string{"add c=c false", "update a=a to a=x", "delete b=b"}
}

func TestInformersFollow(t *testing.T) {
	for codec, config := range codecs() {
		for _, streams := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s streams %v", codec, streams), func(t *testing.T) {
				featurestesting.SetFeatureDuringTest(t, features.WatchListClient, streams)
				g, ns := namespace(t)
				k8s, asked := typed(config)
				create(g, k8s, ns, "a", "b")
				before := len(asked.list())
				factory := informers.NewSharedInformerFactoryWithOptions(k8s, 0, informers.WithNamespace(ns))
				maps := factory.Core().V1().ConfigMaps()
				heard := &heard{}
				handler, err := maps.Informer().AddEventHandler(heard.handler())
				g.Expect(err).NotTo(gomega.HaveOccurred())
				g.Expect(maps.Informer().AddIndexers(cache.Indexers{"value": func(object any) ([]string, error) {
					return []string{object.(*corev1.ConfigMap).Data["value"]}, nil
				}})).To(gomega.Succeed())
				stop := make(chan struct{})
				factory.Start(stop)
				defer factory.Shutdown()
				defer close(stop)
				g.Expect(cache.WaitForCacheSync(stop, handler.HasSynced)).To(gomega.BeTrue())
				initial := heard.list()
				slices.Sort(initial)
				g.Expect(initial).To(gomega.Equal([]string{"add a=a true", "add b=b true"}))
				tell(t, "%v", asked.list()[before:][0])

				told := change(g, k8s, ns)
				g.Eventually(func() []string { return heard.list()[2:] }, soon).Should(gomega.Equal(told))
				found, err := maps.Lister().ConfigMaps(ns).Get("a")
				g.Expect(err).NotTo(gomega.HaveOccurred())
				g.Expect(found.Data).To(gomega.HaveKeyWithValue("value", "x"))
				_, err = maps.Lister().ConfigMaps(ns).Get("b")
				g.Expect(apierrors.IsNotFound(err)).To(gomega.BeTrue())
				selected, err := maps.Lister().List(labels.SelectorFromSet(labels.Set{"value": "c"}))
				g.Expect(err).NotTo(gomega.HaveOccurred())
				g.Expect(selected).To(gomega.HaveLen(1))
				indexed, err := maps.Informer().GetIndexer().ByIndex("value", "x")
				g.Expect(err).NotTo(gomega.HaveOccurred())
				g.Expect(indexed).To(gomega.HaveLen(1))
			})
		}
	}
}

func TestInformersWithSelectorsSeeWhatEntersAndLeaves(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	create(g, k8s, ns, "a", "b")
	for name, tweak := range map[string]func(*metav1.ListOptions){
		"label": func(options *metav1.ListOptions) { options.LabelSelector = "value=a" },
		"field": func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector("metadata.name", "a").String()
		},
	} {
		factory := informers.NewSharedInformerFactoryWithOptions(
			k8s, 0, informers.WithNamespace(ns), informers.WithTweakListOptions(tweak))
		informer := factory.Core().V1().ConfigMaps().Informer()
		heard := &heard{}
		_, err := informer.AddEventHandler(heard.handler())
		g.Expect(err).NotTo(gomega.HaveOccurred())
		stop := make(chan struct{})
		factory.Start(stop)
		g.Expect(cache.WaitForCacheSync(stop, informer.HasSynced)).To(gomega.BeTrue())
		maps := k8s.CoreV1().ConfigMaps(ns)
		for _, value := range []string{"x", "a"} {
			_, err := maps.Update(ctx, configMap("a", value), metav1.UpdateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
		}
		told := map[string][]string{
			"label": {"add a=a true", "delete a=x", "add a=a false"},
			"field": {"add a=a true", "update a=a to a=x", "update a=x to a=a"},
		}
		// Who leaves is told as it was before, or as it is: client-go hands on what the server sends.
		g.Eventually(func() int { return len(heard.list()) }, soon).Should(gomega.Equal(3))
		tell(t, "%s: %v", name, heard.list())
		g.Expect(heard.list()[2]).To(gomega.Equal(told[name][2]))
		close(stop)
		factory.Shutdown()
	}
}

func TestDynamicAndMetadataInformersFollow(t *testing.T) {
	for _, streams := range []bool{true, false} {
		t.Run(fmt.Sprintf("streams %v", streams), func(t *testing.T) {
			featurestesting.SetFeatureDuringTest(t, features.WatchListClient, streams)
			g, ns := namespace(t)
			k8s, _ := typed(config)
			create(g, k8s, ns, "a", "b")
			whole := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0, ns, nil)
			partial := metadatainformer.NewFilteredSharedInformerFactory(metadata.NewForConfigOrDie(config), 0, ns, nil)
			stop := make(chan struct{})
			defer close(stop)
			var all []*heard
			for _, informer := range []cache.SharedIndexInformer{
				whole.ForResource(configMaps).Informer(), partial.ForResource(configMaps).Informer(),
			} {
				heard := &heard{}
				handler, err := informer.AddEventHandler(heard.handler())
				g.Expect(err).NotTo(gomega.HaveOccurred())
				go informer.Run(stop)
				g.Expect(cache.WaitForCacheSync(stop, handler.HasSynced)).To(gomega.BeTrue())
				all = append(all, heard)
			}
			told := change(g, k8s, ns)
			for _, heard := range all {
				g.Eventually(func() []string { return heard.list()[2:] }, soon).Should(gomega.Equal(told))
			}
		})
	}
}

// mirror is a controller of the old kind: an informer, a queue and a worker.
func TestAControllerOnAQueueConverges(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	factory := informers.NewSharedInformerFactoryWithOptions(k8s, 0, informers.WithNamespace(ns))
	maps := factory.Core().V1().ConfigMaps()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	enqueue := func(object any) {
		key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
		if err == nil {
			queue.Add(key)
		}
	}
	_, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, object any) { enqueue(object) }, DeleteFunc: enqueue,
	})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	reconcile := func(key string) error {
		_, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return err
		}
		found, err := maps.Lister().ConfigMaps(ns).Get(name)
		if apierrors.IsNotFound(err) || (err == nil && found.Data["seen"] == found.Data["value"]) {
			return nil
		}
		if err != nil {
			return err
		}
		// From the cache, which may be behind: a conflict is tried again.
		changed := found.DeepCopy()
		changed.Data["seen"] = changed.Data["value"]
		_, err = k8s.CoreV1().ConfigMaps(ns).Update(ctx, changed, metav1.UpdateOptions{})
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	g.Expect(cache.WaitForCacheSync(stop, maps.Informer().HasSynced)).To(gomega.BeTrue())
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				key, ended := queue.Get()
				if ended {
					return
				}
				if err := reconcile(key); err != nil {
					queue.AddRateLimited(key)
				} else {
					queue.Forget(key)
				}
				queue.Done(key)
			}
		})
	}
	defer workers.Wait()
	defer queue.ShutDown()

	names := []string{"a", "b", "c", "d", "e", "f"}
	create(g, k8s, ns, names...)
	for _, name := range names {
		patch := []byte(`{"data":{"value":"` + name + name + `"}}`)
		_, err := k8s.CoreV1().ConfigMaps(ns).Patch(ctx, name, "application/merge-patch+json", patch, metav1.PatchOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
	}
	g.Eventually(func() int {
		list, err := k8s.CoreV1().ConfigMaps(ns).List(ctx, metav1.ListOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
		seen := 0
		for _, found := range list.Items {
			if found.Data["seen"] == found.Name+found.Name {
				seen++
			}
		}
		return seen
	}, soon).Should(gomega.Equal(len(names)))
}

func TestAPagerReadsAllPages(t *testing.T) {
	for codec, config := range codecs() {
		t.Run(codec, func(t *testing.T) {
			g, ns := namespace(t)
			k8s, asked := typed(config)
			create(g, k8s, ns, "a", "b", "c", "d", "e")
			before := len(asked.list())
			pages := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
				return k8s.CoreV1().ConfigMaps(ns).List(ctx, options)
			}))
			pages.PageSize = 2
			var names []string
			err := pages.EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
				names = append(names, object.(*corev1.ConfigMap).Name)
				return nil
			})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(names).To(gomega.Equal([]string{"a", "b", "c", "d", "e"}))
			tell(t, "%v", asked.list()[before:])
		})
	}
}

func TestWatchesAreWaitedOn(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	create(g, k8s, ns, "a")
	maps := k8s.CoreV1().ConfigMaps(ns)
	list, err := maps.List(ctx, metav1.ListOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	watcher, err := watchtools.NewRetryWatcherWithContext(ctx, list.ResourceVersion, &cache.ListWatch{
		WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) { return maps.Watch(ctx, options) },
	})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	defer watcher.Stop()
	told := happen(g, k8s, ns)
	for _, expected := range told {
		select {
		case event := <-watcher.ResultChan():
			g.Expect(fmt.Sprintf("%s %s", event.Type, shown(event.Object))).To(gomega.Equal(expected))
		case <-time.After(soon):
			t.Fatalf("%s does not come", expected)
		}
	}
	// What was compacted away, and what is no version.
	events := func(version string) string {
		watch, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: version})
		if err != nil {
			return err.Error()
		}
		defer watch.Stop()
		event := <-watch.ResultChan()
		return fmt.Sprintf("%s %s", event.Type, shown(event.Object))
	}
	tell(t, "%s", events("none"))
	tell(t, "%s", events("0"))
}

// happen is a change and what a watch tells of it.
func happen(g *gomega.WithT, k8s kubernetes.Interface, namespace string) []string {
	maps := k8s.CoreV1().ConfigMaps(namespace)
	create(g, k8s, namespace, "b")
	_, err := maps.Update(ctx, configMap("a", "x"), metav1.UpdateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(maps.Delete(ctx, "b", metav1.DeleteOptions{})).To(gomega.Succeed())
	return []string{"ADDED b=b", "MODIFIED a=x", "DELETED b=b"}
}
