// Package envtest_test is a suite as operators have them: nothing in it knows which programs
// KUBEBUILDER_ASSETS has.
package envtest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	homev1 "watchkeeper.dev/envtest/api/v1"
	homev1alpha1 "watchkeeper.dev/envtest/api/v1alpha1"
	"watchkeeper.dev/envtest/controller"
)

// How long what comes by itself may take.
const soon = 20 * time.Second

var (
	environment *envtest.Environment
	config      *rest.Config
	scheme      = runtime.NewScheme()
	// k8s reads from the server, not from a cache.
	k8s client.Client
	ctx = context.Background()
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	os.Exit(run(m))
}

func run(m *testing.M) int {
	must(clientgoscheme.AddToScheme(scheme))
	must(homev1.AddToScheme(scheme))
	must(homev1alpha1.AddToScheme(scheme))
	environment = &envtest.Environment{
		Scheme:                scheme,
		CRDDirectoryPaths:     []string{filepath.Join("config", "crd")},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{filepath.Join("config", "webhook")}},
	}
	var err error
	config, err = environment.Start()
	must(err)
	defer func() { must(environment.Stop()) }()
	k8s, err = client.New(config, client.Options{Scheme: scheme})
	must(err)

	stop, ended := start()
	defer func() {
		stop()
		must(<-ended)
	}()
	return m.Run()
}

// start runs the program that is tested, as its main would.
func start() (context.CancelFunc, <-chan error) {
	options := &environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:           scheme,
		Metrics:          metricsserver.Options{BindAddress: "0"},
		LeaderElection:   true,
		LeaderElectionID: "lamps.home.watchkeeper.dev", LeaderElectionNamespace: "default",
		LeaderElectionReleaseOnCancel: true,
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir,
		}),
	})
	must(err)
	lamps := &controller.Lamps{Client: manager.GetClient(), Recorder: manager.GetEventRecorder("lamps")}
	must(lamps.SetupWithManager(manager))
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	<-manager.Elected()
	for manager.GetWebhookServer().StartedChecker()(nil) != nil {
		time.Sleep(10 * time.Millisecond)
	}
	return stop, ended
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// namespace makes one for a test.
func namespace(t *testing.T) (*gomega.WithT, string) {
	g := gomega.NewWithT(t)
	g.SetDefaultEventuallyTimeout(soon)
	made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	g.Expect(k8s.Create(ctx, made)).To(gomega.Succeed())
	return g, made.Name
}

func lamp(namespace, name string, spec homev1.LampSpec) *homev1.Lamp {
	return &homev1.Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec}
}
