package envtest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/onsi/gomega"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// whoami says as whom a configuration makes requests.
func whoami(g *gomega.WithT, config *rest.Config) authenticationv1.UserInfo {
	reviews := kubernetes.NewForConfigOrDie(config).AuthenticationV1().SelfSubjectReviews()
	review, err := reviews.Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	return review.Status.UserInfo
}

// lists says what comes of listing config maps.
func lists(g *gomega.WithT, config *rest.Config, namespace string) error {
	maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps(namespace)
	_, err := maps.List(ctx, metav1.ListOptions{})
	return err
}

func TestAUserMayDoWhatIsBoundToItsGroups(t *testing.T) {
	g, ns := namespace(t)
	made, err := environment.AddUser(envtest.User{Name: "alice", Groups: []string{"devs", "ops"}}, nil)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	alice := made.Config()
	me := whoami(g, alice)
	g.Expect(me.Username).To(gomega.Equal("alice"))
	g.Expect(me.Groups).To(gomega.ConsistOf("devs", "ops", "system:authenticated"))
	g.Expect(me.Extra).To(gomega.HaveKey("authentication.kubernetes.io/credential-id"))

	err = lists(g, alice, ns)
	g.Expect(apierrors.IsForbidden(err)).To(gomega.BeTrue(), "%v", err)
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(
		`User "alice" cannot list resource "configmaps" in API group "" in the namespace "` + ns + `"`)))
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "reader"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}},
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "readers"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "ops"}},
	}
	g.Expect(k8s.Create(ctx, role)).To(gomega.Succeed())
	g.Expect(k8s.Create(ctx, binding)).To(gomega.Succeed())
	g.Eventually(func() error { return lists(g, alice, ns) }).Should(gomega.Succeed())
	g.Expect(apierrors.IsForbidden(lists(g, alice, "default"))).To(gomega.BeTrue())

	// Of the same kubeconfig kubectl is told.
	text, err := made.KubeConfig()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(string(text)).To(gomega.ContainSubstring("client-certificate-data"))
}

func TestStrangersAreToldApart(t *testing.T) {
	g, ns := namespace(t)
	nobody := rest.AnonymousClientConfig(config)
	g.Expect(apierrors.IsForbidden(lists(g, nobody, ns))).To(gomega.BeTrue())
	_, err := kubernetes.NewForConfigOrDie(nobody).ServerVersion()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(whoami(g, config).Groups).To(gomega.ContainElement("system:masters"))

	liar := rest.AnonymousClientConfig(config)
	liar.BearerToken = "nonsense"
	g.Expect(apierrors.IsUnauthorized(lists(g, liar, ns))).To(gomega.BeTrue())
	forger := rest.AnonymousClientConfig(config)
	forger.CertData, forger.KeyData = forged(g)
	g.Expect(apierrors.IsUnauthorized(lists(g, forger, ns))).To(gomega.BeTrue())
	_, err = kubernetes.NewForConfigOrDie(forger).ServerVersion()
	g.Expect(apierrors.IsUnauthorized(err)).To(gomega.BeTrue(), "%v", err)
}

// forged makes a certificate of the administrator that nobody signed but itself.
func forged(g *gomega.WithT) ([]byte, []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	// As if by the authority of the environment: Go shows a certificate only to those who ask for it.
	issuer := &x509.Certificate{Subject: pkix.Name{CommonName: "envtest-environment", Organization: []string{"envtest"}}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), key)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	private, err := x509.MarshalPKCS8PrivateKey(key)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
}

func TestServiceAccountsHaveTokens(t *testing.T) {
	g, ns := namespace(t)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "robot"}}
	g.Expect(k8s.Create(ctx, account)).To(gomega.Succeed())
	request := &authenticationv1.TokenRequest{}
	g.Expect(k8s.SubResource("token").Create(ctx, account, request)).To(gomega.Succeed())
	// The issuer is the server by its own address.
	g.Expect(request.Spec.Audiences).To(gomega.Equal([]string{config.Host}))
	robot := rest.AnonymousClientConfig(config)
	robot.BearerToken = request.Status.Token
	g.Expect(whoami(g, robot).Username).To(gomega.Equal("system:serviceaccount:" + ns + ":robot"))
	g.Expect(whoami(g, robot).UID).To(gomega.Equal(string(account.UID)))

	as := rest.CopyConfig(config)
	as.Impersonate = rest.ImpersonationConfig{UserName: "bob", Groups: []string{"devs"}}
	g.Expect(whoami(g, as).Groups).To(gomega.Equal([]string{"devs", "system:authenticated"}))
}

func TestServicesHaveAddressesOfTheRange(t *testing.T) {
	g, ns := namespace(t)
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "web"},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
	}
	g.Expect(k8s.Create(ctx, service)).To(gomega.Succeed())
	g.Expect(service.Spec.ClusterIP).To(gomega.MatchRegexp(`^10\.0\.0\.\d+$`))
	own := &corev1.Service{}
	key := client.ObjectKey{Namespace: "default", Name: "kubernetes"}
	g.Eventually(func() error { return k8s.Get(ctx, key, own) }).Should(gomega.Succeed())
	g.Expect(own.Spec.ClusterIP).To(gomega.Equal("10.0.0.1"))
}
