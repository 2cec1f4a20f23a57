package envtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// tell says something that must be the same on the real programs: the chore compares it.
func tell(t *testing.T, format string, values ...any) {
	t.Helper()
	fmt.Printf("told: %s: %s\n", t.Name(), strings.ReplaceAll(fmt.Sprintf(format, values...), "\n", " | "))
}

// codecs are the two that client-go speaks to built-in kinds.
func codecs() map[string]*rest.Config {
	protobuf, json := rest.CopyConfig(config), rest.CopyConfig(config)
	protobuf.ContentType = runtime.ContentTypeProtobuf
	json.ContentType = runtime.ContentTypeJSON
	return map[string]*rest.Config{"protobuf": protobuf, "json": json}
}

// typed is a clientset whose requests are noted.
func typed(config *rest.Config) (kubernetes.Interface, *requests) {
	noted := &requests{}
	config = rest.CopyConfig(config)
	config.Wrap(noted.around)
	return kubernetes.NewForConfigOrDie(config), noted
}

// requests are what a client asked for, in short.
type requests struct {
	mutex sync.Mutex
	all   []string
	next  http.RoundTripper
}

func (r *requests) around(next http.RoundTripper) http.RoundTripper {
	r.next = next
	return r
}

func (r *requests) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	short := request.Method
	for _, name := range []string{"watch", "sendInitialEvents", "resourceVersionMatch", "limit", "continue"} {
		if value := query.Get(name); value != "" {
			if name == "continue" {
				value = "…"
			}
			short += " " + name + "=" + value
		}
	}
	r.mutex.Lock()
	r.all = append(r.all, short)
	r.mutex.Unlock()
	return r.next.RoundTrip(request)
}

// first is the first request, after which others may follow at any time.
func (r *requests) first() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.all[0]
}

func (r *requests) list() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]string{}, r.all...)
}

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"value": value}},
		Data:       map[string]string{"value": value},
	}
}

// create makes config maps by these names, whose values are their names.
func create(g *gomega.WithT, k8s kubernetes.Interface, namespace string, names ...string) {
	for _, name := range names {
		_, err := k8s.CoreV1().ConfigMaps(namespace).Create(ctx, configMap(name, name), metav1.CreateOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
	}
}

func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "bulb"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "bulb", Image: "bulb:1"}}},
	}
}
