package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// tally is what has been reconciled.
type tally struct {
	sync.Mutex
	client    client.Client
	ends      [3]int
	count     int
	first     time.Time
	used      int64
	took      [2]int64
	latencies []int64
	done      chan struct{}
}

// reconcileAll is what bench-controller of the folder beside this one measures, with a controller of
// controller-runtime.
func reconcileAll(url string, maps, changes, workers int, codec string) error {
	config := &rest.Config{Host: url, QPS: -1}
	if codec == "json" {
		config.ContentType = k8sruntime.ContentTypeJSON
	}
	ctrl.SetLogger(logr.Discard())
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:         scheme.Scheme,
		Metrics:        server.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper, nil },
	})
	if err != nil {
		return err
	}
	reconciler := &tally{
		client: manager.GetClient(),
		ends:   [3]int{maps, 2 * maps, 2*maps + changes},
		done:   make(chan struct{}, 1),
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(reconciler)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	for phase := range 3 {
		select {
		case err := <-ended:
			return fmt.Errorf("the manager ended: %w", err)
		case <-reconciler.done:
		}
		if err := reconciler.tell(phase); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) tell(phase int) error {
	t.Lock()
	defer t.Unlock()
	if t.count != t.ends[phase] {
		return fmt.Errorf("%d were reconciled", t.count)
	}
	t.first = time.Time{}
	if phase < 2 {
		fmt.Println(t.took[0], t.took[1])
		return nil
	}
	slices.Sort(t.latencies)
	at := func(part int) int64 { return t.latencies[(len(t.latencies)-1)*part/100] }
	fmt.Println(at(50), at(99), at(100))
	return nil
}

// Reconcile looks at the copy of a map and does nothing.
func (t *tally) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var found corev1.ConfigMap
	if err := t.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return ctrl.Result{}, err
	}
	t.Lock()
	defer t.Unlock()
	t.count++
	if t.count > t.ends[1] {
		now := time.Now().UnixNano()
		sent, err := strconv.ParseInt(found.Data["sent"], 10, 64)
		if err != nil {
			return ctrl.Result{}, err
		}
		t.latencies = append(t.latencies, now-sent)
	}
	if t.first.IsZero() {
		t.first, t.used = time.Now(), cpu()
	}
	if slices.Contains(t.ends[:], t.count) {
		t.took = [2]int64{time.Since(t.first).Nanoseconds(), cpu() - t.used}
		t.done <- struct{}{}
	}
	return ctrl.Result{}, nil
}
