package envtest_test

import (
	"testing"

	"github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	homev1 "watchkeeper.dev/envtest/api/v1"
	homev1alpha1 "watchkeeper.dev/envtest/api/v1alpha1"
	"watchkeeper.dev/envtest/controller"
)

// reasons of the events about an object.
func reasons(g *gomega.WithT, namespace, name string) []string {
	list := &eventsv1.EventList{}
	g.Expect(k8s.List(ctx, list, client.InNamespace(namespace))).To(gomega.Succeed())
	var reasons []string
	for _, event := range list.Items {
		if event.Regarding.Name == name && event.Regarding.Kind == "Lamp" {
			reasons = append(reasons, event.Reason)
		}
	}
	return reasons
}

func TestALampHasADeploymentAStatusAndAnEvent(t *testing.T) {
	g, ns := namespace(t)
	made := lamp(ns, "desk", homev1.LampSpec{Colour: "red", Replicas: 2})
	g.Expect(k8s.Create(ctx, made)).To(gomega.Succeed())
	key := client.ObjectKeyFromObject(made)

	deployment := &appsv1.Deployment{}
	g.Eventually(func() error { return k8s.Get(ctx, key, deployment) }).Should(gomega.Succeed())
	g.Expect(*deployment.Spec.Replicas).To(gomega.Equal(int32(2)))
	g.Expect(deployment.Spec.RevisionHistoryLimit).To(gomega.HaveValue(gomega.Equal(int32(10))), "a default")
	yes := true
	g.Expect(deployment.OwnerReferences).To(gomega.Equal([]metav1.OwnerReference{{
		APIVersion: "home.watchkeeper.dev/v1", Kind: "Lamp", Name: "desk", UID: made.UID,
		Controller: &yes, BlockOwnerDeletion: &yes,
	}}))
	g.Eventually(func() homev1.LampStatus {
		g.Expect(k8s.Get(ctx, key, made)).To(gomega.Succeed())
		return made.Status
	}).Should(gomega.Equal(homev1.LampStatus{Deployment: "desk", Replicas: 2}))
	g.Expect(made.Finalizers).To(gomega.Equal([]string{controller.Finalizer}))
	g.Expect(made.Generation).To(gomega.Equal(int64(1)), "finalizers and status change no generation")
	g.Eventually(func() []string { return reasons(g, ns, "desk") }).Should(gomega.Equal([]string{"On"}))

	// What others change is set back, and what is wanted anew is done.
	deployment.Spec.Replicas = new(int32)
	g.Expect(k8s.Update(ctx, deployment)).To(gomega.Succeed())
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		g.Expect(k8s.Get(ctx, key, made)).To(gomega.Succeed())
		made.Spec.Replicas = 3
		return k8s.Update(ctx, made)
	})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Eventually(func() int32 {
		g.Expect(k8s.Get(ctx, key, deployment)).To(gomega.Succeed())
		return *deployment.Spec.Replicas
	}).Should(gomega.Equal(int32(3)))
	g.Expect(made.Generation).To(gomega.Equal(int64(2)))
}

func TestADeletedLampIsSwitchedOff(t *testing.T) {
	g, ns := namespace(t)
	made := lamp(ns, "hall", homev1.LampSpec{})
	g.Expect(k8s.Create(ctx, made)).To(gomega.Succeed())
	key := client.ObjectKeyFromObject(made)
	g.Eventually(func() []string { return reasons(g, ns, "hall") }).Should(gomega.Equal([]string{"On"}))
	g.Expect(k8s.Delete(ctx, made)).To(gomega.Succeed())
	g.Eventually(func() bool { return apierrors.IsNotFound(k8s.Get(ctx, key, made)) }).Should(gomega.BeTrue())
	g.Eventually(func() []string { return reasons(g, ns, "hall") }).Should(gomega.ConsistOf("On", "Off"))

	// There is no garbage collector: suites on envtest know that.
	g.Expect(k8s.Get(ctx, key, &appsv1.Deployment{})).To(gomega.Succeed())
}

func TestNobodyMakesPodsOrEndsNamespaces(t *testing.T) {
	g, ns := namespace(t)
	g.Expect(k8s.Create(ctx, lamp(ns, "porch", homev1.LampSpec{}))).To(gomega.Succeed())
	g.Eventually(func() []string { return reasons(g, ns, "porch") }).Should(gomega.Equal([]string{"On"}))
	pods := &corev1.PodList{}
	g.Expect(k8s.List(ctx, pods, client.InNamespace(ns))).To(gomega.Succeed())
	g.Expect(pods.Items).To(gomega.BeEmpty())

	// A pod needs neither a service account nor a node.
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "bulb"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "bulb", Image: "bulb:1"}}},
	}
	g.Expect(k8s.Create(ctx, pod)).To(gomega.Succeed())
	g.Expect(pod.Status.Phase).To(gomega.Equal(corev1.PodPending))
	g.Expect(pod.Spec.NodeName).To(gomega.BeEmpty())
	pod.Status.Phase = corev1.PodRunning
	g.Expect(k8s.Status().Update(ctx, pod)).To(gomega.Succeed(), "suites play the kubelet")

	going := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}
	g.Expect(k8s.Delete(ctx, going)).To(gomega.Succeed())
	g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(going), going)).To(gomega.Succeed())
	g.Expect(going.Status.Phase).To(gomega.Equal(corev1.NamespaceTerminating))
	late := lamp(ns, "late", homev1.LampSpec{})
	g.Expect(apierrors.HasStatusCause(k8s.Create(ctx, late), corev1.NamespaceTerminatingCause)).To(gomega.BeTrue())
}

func TestALampIsServedInBothVersions(t *testing.T) {
	g, ns := namespace(t)
	old := &homev1alpha1.Lamp{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "attic"},
		Spec:       homev1alpha1.LampSpec{Color: "blue", Percent: 30},
	}
	g.Expect(k8s.Create(ctx, old)).To(gomega.Succeed())
	now := &homev1.Lamp{}
	g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(old), now)).To(gomega.Succeed())
	g.Expect(now.Spec).To(gomega.Equal(homev1.LampSpec{Colour: "blue", Brightness: 30, Replicas: 1}))
	list := &homev1alpha1.LampList{}
	g.Expect(k8s.List(ctx, list, client.InNamespace(ns))).To(gomega.Succeed())
	g.Expect(list.Items).To(gomega.HaveLen(1))
	g.Expect(list.Items[0].Spec).To(gomega.Equal(old.Spec))
}
