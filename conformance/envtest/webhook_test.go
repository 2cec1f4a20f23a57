package envtest_test

import (
	"sync"
	"testing"

	"github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	homev1 "watchkeeper.dev/envtest/api/v1"
)

func TestWebhooksAreAsked(t *testing.T) {
	g, ns := namespace(t)
	plain := lamp(ns, "plain", homev1.LampSpec{})
	g.Expect(k8s.Create(ctx, plain)).To(gomega.Succeed())
	g.Expect(plain.Spec).To(gomega.Equal(homev1.LampSpec{Colour: "green", Brightness: 10, Replicas: 1}))

	err := k8s.Create(ctx, lamp(ns, "glare", homev1.LampSpec{Brightness: 99}))
	g.Expect(apierrors.IsForbidden(err)).To(gomega.BeTrue(), "%v", err)
	g.Expect(err).To(gomega.MatchError(
		`admission webhook "vlamp.kb.io" denied the request: nobody wants to be blinded`))

	g.Eventually(func() error {
		g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(plain), plain)).To(gomega.Succeed())
		plain.Spec.Brightness = 95
		return k8s.Update(ctx, plain)
	}).Should(gomega.MatchError(gomega.ContainSubstring("nobody wants to be blinded")))
}

// said keeps warnings.
type said struct {
	sync.Mutex
	warnings []string
}

func (s *said) HandleWarningHeader(_ int, _, text string) {
	s.Lock()
	defer s.Unlock()
	s.warnings = append(s.warnings, text)
}

func TestWebhooksWarn(t *testing.T) {
	g, ns := namespace(t)
	heard := &said{}
	own := rest.CopyConfig(config)
	own.WarningHandler = heard
	listening, err := client.New(own, client.Options{Scheme: scheme})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(listening.Create(ctx, lamp(ns, "bright", homev1.LampSpec{Brightness: 80}))).To(gomega.Succeed())
	heard.Lock()
	defer heard.Unlock()
	g.Expect(heard.warnings).To(gomega.Equal([]string{"it is bright"}))
}

func TestSchemasAndRulesHold(t *testing.T) {
	g, ns := namespace(t)
	err := k8s.Create(ctx, lamp(ns, "odd", homev1.LampSpec{Colour: "mauve"}))
	g.Expect(apierrors.IsInvalid(err)).To(gomega.BeTrue(), "%v", err)
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(`spec.colour: Unsupported value: "mauve"`)))
	err = k8s.Create(ctx, lamp(ns, "blue", homev1.LampSpec{Colour: "blue", Brightness: 60}))
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring("blue lamps are bright enough at 50")))

	red := lamp(ns, "red", homev1.LampSpec{Colour: "red"})
	g.Expect(k8s.Create(ctx, red)).To(gomega.Succeed())
	g.Eventually(func() error {
		g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(red), red)).To(gomega.Succeed())
		red.Spec.Colour = "green"
		return k8s.Update(ctx, red)
	}).Should(gomega.MatchError(gomega.ContainSubstring("red lamps stay red")))

	// Of two writers the second one is told.
	stale := red.DeepCopyObject().(*homev1.Lamp)
	patch := client.MergeFrom(red.DeepCopyObject().(*homev1.Lamp))
	red.Spec.Colour = "red"
	red.Labels = map[string]string{"room": "kitchen"}
	g.Expect(k8s.Patch(ctx, red, patch)).To(gomega.Succeed())
	stale.Spec.Colour = "red"
	stale.Labels = map[string]string{"room": "bath"}
	g.Expect(apierrors.IsConflict(k8s.Update(ctx, stale))).To(gomega.BeTrue())
	list := &homev1.LampList{}
	inKitchen := client.MatchingLabels{"room": "kitchen"}
	g.Expect(k8s.List(ctx, list, client.InNamespace(ns), inKitchen)).To(gomega.Succeed())
	g.Expect(list.Items).To(gomega.HaveLen(1))
}
