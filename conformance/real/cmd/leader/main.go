// Command leader is a program as Go's users write them: client-go's leader
// election, and work that only the leader does. The work is to count in a config
// map, write after write.
//
// SIGTERM ends the work, then gives the lease up. A lost lease ends the process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	_ "watchkeeper.dev/real/lifeline"
)

const namespace = "default"

// Between two writes.
const pause = 10 * time.Millisecond

func main() {
	kubeconfig := flag.String("kubeconfig", "", "where the server is, and who asks")
	identity := flag.String("identity", "", "who this is in the lease")
	lease := flag.String("lease", "", "the name of the lease")
	duration := flag.Duration("lease-duration", 15*time.Second, "how long others wait for a leader that does not renew")
	deadline := flag.Duration("renew-deadline", 10*time.Second, "how long a leader tries to renew")
	period := flag.Duration("retry-period", 2*time.Second, "how often it renews, and others look")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatal(err)
	}
	// Not limited: what it would write after its lease shall not wait.
	config.QPS = -1
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	config = rest.AddUserAgent(config, "leader")
	w := newWorker(config, *identity)
	run(w, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: *lease},
			Client:     coordinationv1.NewForConfigOrDie(config),
			LockConfig: resourcelock.ResourceLockConfig{Identity: *identity},
		},
		LeaseDuration:   *duration,
		RenewDeadline:   *deadline,
		RetryPeriod:     *period,
		ReleaseOnCancel: true,
		Name:            *lease,
	})
}

func run(w *worker, election leaderelection.LeaderElectionConfig) {
	stopping, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	// Held while there is work.
	var working sync.Mutex
	election.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(leading context.Context) {
			working.Lock()
			defer working.Unlock()
			w.work(leading, stopping)
		},
		OnStoppedLeading: func() {
			if stopping.Err() == nil {
				klog.Error("leader election lost")
				os.Exit(1)
			}
		},
		OnNewLeader: func(identity string) { klog.Infof("the leader is %q", identity) },
	}
	go func() {
		<-stopping.Done()
		// No lease is given up beside work that goes on.
		working.Lock()
		cancel()
	}()
	leaderelection.RunOrDie(ctx, election)
}

type worker struct {
	maps corev1.ConfigMapInterface
	name string
}

func newWorker(config *rest.Config, name string) *worker {
	return &worker{maps: corev1.NewForConfigOrDie(config).ConfigMaps(namespace), name: name}
}

// Counts until it does not lead any more or shall stop. A write that has begun is ended.
func (w *worker) work(leading, stopping context.Context) {
	for count := 0; leading.Err() == nil && stopping.Err() == nil; count++ {
		body := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q},"data":{"count":"%d"}}`,
			w.name, count)
		options := metav1.PatchOptions{FieldManager: "leader"}
		if _, err := w.maps.Patch(leading, w.name, types.ApplyPatchType, []byte(body), options); err != nil {
			klog.Errorf("not written: %v", err)
		}
		time.Sleep(pause)
	}
}
