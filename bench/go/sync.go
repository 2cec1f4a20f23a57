package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// follow is what bench-cache of the folder beside this one measures, with a shared informer whose
// transform drops managedFields.
func follow(url string, pods, changes int64, last, what string) error {
	start, heldBefore := time.Now(), resident()
	config := &rest.Config{Host: url, ContentConfig: rest.ContentConfig{ContentType: k8sruntime.ContentTypeJSON}}
	if strings.HasSuffix(what, "paged") {
		// Read when the first client is made.
		if err := os.Setenv("KUBE_FEATURE_WatchListClient", "false"); err != nil {
			return err
		}
	}
	if strings.HasPrefix(what, "protobuf") {
		config.ContentType = k8sruntime.ContentTypeProtobuf
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(strip))
	informer := factory.Core().V1().Pods().Informer()
	ended := make(chan time.Duration, 1)
	var calls atomic.Int64
	var first time.Time
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { calls.Add(1) },
		UpdateFunc: func(_, pod any) {
			if calls.Add(1) == pods+1 {
				first = time.Now()
			}
			if pod.(*corev1.Pod).ResourceVersion == last {
				ended <- time.Since(first)
			}
		},
	}
	told, err := informer.AddEventHandler(handler)
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	for !told.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	wall, used, peak := time.Since(start), cpu(), memory("VmHWM")
	if stored := int64(len(informer.GetStore().ListKeys())); stored != pods {
		return fmt.Errorf("%d pods are in the store", stored)
	}
	time.Sleep(time.Second)
	held := resident() - heldBefore
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return err
	}
	fmt.Println(wall.Nanoseconds(), used, peak, held, heldBefore)
	// Then all pods are sent again.
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	// The server has sent the last of them; the handler has heard of the last once nothing more comes.
	for heard := int64(-1); heard != calls.Load(); time.Sleep(2 * time.Second) {
		heard = calls.Load()
	}
	calls.Store(pods)
	before := cpu()
	fmt.Println(memory("VmHWM"))
	wall = <-ended
	used = cpu() - before
	if calls.Load() != pods+changes {
		return fmt.Errorf("the handler was called %d times", calls.Load())
	}
	fmt.Println(wall.Nanoseconds(), used)
	return nil
}

func strip(object any) (any, error) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return nil, errors.New("not a pod")
	}
	pod.ManagedFields = nil
	return pod, nil
}
