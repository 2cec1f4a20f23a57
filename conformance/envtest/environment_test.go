package envtest_test

import (
	"bytes"
	"net"
	"strings"
	"testing"

	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func TestEnvironmentsAreApartAndEnd(t *testing.T) {
	g := gomega.NewWithT(t)
	other := &envtest.Environment{}
	// As suites have it that want what a plugin does, and tell the server this and that.
	arguments := other.ControlPlane.GetAPIServer().Configure()
	arguments.Disable("disable-admission-plugins")
	arguments.Append("v", "2").Append("feature-gates", "AllAlpha=false").Set("audit-log-path", t.TempDir()+"/audit")
	config, err := other.Start()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	k8s, err := client.New(config, client.Options{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	list := &corev1.NamespaceList{}
	g.Eventually(func() int {
		g.Expect(k8s.List(ctx, list)).To(gomega.Succeed())
		return len(list.Items)
	}).Should(gomega.Equal(4))

	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "bulb"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "bulb", Image: "bulb:1"}}},
	}
	err = k8s.Create(ctx, pod)
	g.Expect(apierrors.IsForbidden(err)).To(gomega.BeTrue(), "%v", err)
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(`serviceaccount "default" not found`)))

	address := strings.Trim(strings.TrimPrefix(config.Host, "https://"), "/")
	g.Expect(other.Stop()).To(gomega.Succeed())
	_, err = net.Dial("tcp", address)
	g.Expect(err).To(gomega.HaveOccurred(), "nobody listens any more")
}

func TestWhatCannotBeHadIsToldAtTheStart(t *testing.T) {
	g := gomega.NewWithT(t)
	other := &envtest.Environment{}
	told := &bytes.Buffer{}
	other.ControlPlane.GetAPIServer().Err = told
	other.ControlPlane.GetAPIServer().Configure().Append("no-such-flag", "x")
	_, err := other.Start()
	g.Expect(err).To(gomega.HaveOccurred())
	g.Expect(told.String()).To(gomega.ContainSubstring("unknown flag: --no-such-flag"))
}

func TestKubectlIsAtHand(t *testing.T) {
	g, ns := namespace(t)
	user, err := environment.AddUser(envtest.User{Name: "root", Groups: []string{"system:masters"}}, nil)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	run, err := user.Kubectl()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	out, _, err := run.Run("create", "configmap", "made", "--namespace", ns, "--from-literal=a=b", "--output=name")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	text := &bytes.Buffer{}
	_, err = text.ReadFrom(out)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(text.String()).To(gomega.Equal("configmap/made\n"))
}
