package envtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onsi/gomega"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsac "k8s.io/client-go/applyconfigurations/apps/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	builtin "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
)

func TestOneLeadsAfterTheOther(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	var mutex sync.Mutex
	var story []string
	note := func(what string) {
		mutex.Lock()
		defer mutex.Unlock()
		story = append(story, what)
	}
	run := func(name string) (context.CancelFunc, *sync.WaitGroup) {
		running, stop := context.WithCancel(ctx)
		lock := &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: ns, Name: "lead"}, Client: k8s.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}
		var ended sync.WaitGroup
		ended.Go(func() {
			leaderelection.RunOrDie(running, leaderelection.LeaderElectionConfig{
				Lock: lock, ReleaseOnCancel: true, Name: "lead",
				LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 200 * time.Millisecond,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(context.Context) { note(name + " leads") },
					OnStoppedLeading: func() { note(name + " stopped") },
				},
			})
		})
		return stop, &ended
	}
	told := func() []string {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.Clone(story)
	}
	stop, ended := run("first")
	g.Eventually(told).Should(gomega.Equal([]string{"first leads"}))
	stopSecond, endedSecond := run("second")
	lease := func() *coordinationv1.Lease {
		lease, err := k8s.CoordinationV1().Leases(ns).Get(ctx, "lead", metav1.GetOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
		return lease
	}
	g.Expect(*lease().Spec.HolderIdentity).To(gomega.Equal("first"))
	g.Expect(lease().Spec.LeaseDurationSeconds).To(gomega.HaveValue(gomega.Equal(int32(15))))
	stop()
	ended.Wait()
	g.Eventually(told).Should(gomega.Equal([]string{"first leads", "first stopped", "second leads"}))
	g.Expect(*lease().Spec.HolderIdentity).To(gomega.Equal("second"))
	tell(t, "%d transitions", *lease().Spec.LeaseTransitions)
	stopSecond()
	endedSecond.Wait()
	g.Expect(*lease().Spec.HolderIdentity).To(gomega.BeEmpty(), "the last gave it up")
}

func deploymentOf(namespace, image string) *appsac.DeploymentApplyConfiguration {
	labels := map[string]string{"app": "bulb"}
	container := coreac.Container().WithName("bulb").WithImage(image).
		WithPorts(coreac.ContainerPort().WithContainerPort(80))
	return appsac.Deployment("bulb", namespace).WithLabels(labels).WithSpec(appsac.DeploymentSpec().
		WithReplicas(2).WithSelector(metaac.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(coreac.PodTemplateSpec().WithLabels(labels).
			WithSpec(coreac.PodSpec().WithContainers(container))))
}

func TestWhatIsAppliedIsOwned(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	deployments := k8s.AppsV1().Deployments(ns)
	mine := metav1.ApplyOptions{FieldManager: "mine"}
	made, err := deployments.Apply(ctx, deploymentOf(ns, "bulb:1"), mine)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	tell(t, "%s %s", made.ManagedFields[0].Operation, made.ManagedFields[0].FieldsV1)

	replicas := appsac.Deployment("bulb", ns).WithSpec(appsac.DeploymentSpec().WithReplicas(5))
	_, err = deployments.Apply(ctx, replicas, metav1.ApplyOptions{FieldManager: "theirs"})
	g.Expect(apierrors.IsConflict(err)).To(gomega.BeTrue(), "%v", err)
	tell(t, "%v", err)
	made, err = deployments.Apply(ctx, replicas, metav1.ApplyOptions{FieldManager: "theirs", Force: true})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(*made.Spec.Replicas).To(gomega.Equal(int32(5)))

	// What a manager owns is taken out of the object by what the server says of types.
	extracted, err := appsac.ExtractDeployment(made, "mine")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(extracted.Spec.Replicas).To(gomega.BeNil(), "it is theirs now")
	text, err := json.Marshal(extracted.Spec)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	tell(t, "%s", text)
	// Applied without a field: it goes, as nobody else has it.
	extracted.Labels = nil
	made, err = deployments.Apply(ctx, extracted, mine)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(made.Labels).To(gomega.BeEmpty())

	status := appsac.Deployment("bulb", ns).WithStatus(appsac.DeploymentStatus().WithReplicas(3))
	made, err = deployments.ApplyStatus(ctx, status, mine)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(made.Status.Replicas).To(gomega.Equal(int32(3)))
	for _, entry := range made.ManagedFields {
		tell(t, "%s %s %s %q %s", entry.Manager, entry.Operation, entry.APIVersion, entry.Subresource, entry.FieldsV1)
	}
}

func TestScalesAreReadAndWritten(t *testing.T) {
	for codec, config := range codecs() {
		t.Run(codec, func(t *testing.T) {
			g, ns := namespace(t)
			k8s, _ := typed(config)
			deployments := k8s.AppsV1().Deployments(ns)
			_, err := deployments.Apply(ctx, deploymentOf(ns, "bulb:1"), metav1.ApplyOptions{FieldManager: "mine"})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			scale, err := deployments.GetScale(ctx, "bulb", metav1.GetOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(scale.Spec).To(gomega.Equal(autoscalingv1.ScaleSpec{Replicas: 2}))
			tell(t, "%s", scale.Status.Selector)
			scale.Spec.Replicas = 4
			scale, err = deployments.UpdateScale(ctx, "bulb", scale, metav1.UpdateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(scale.Spec.Replicas).To(gomega.Equal(int32(4)))
			scale.ResourceVersion = "1"
			_, err = deployments.UpdateScale(ctx, "bulb", scale, metav1.UpdateOptions{})
			g.Expect(apierrors.IsConflict(err)).To(gomega.BeTrue(), "%v", err)
			tell(t, "%v", err)
		})
	}
}

func TestEvictionsKeepBudgets(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	pods, budgets := k8s.CoreV1().Pods(ns), k8s.PolicyV1().PodDisruptionBudgets(ns)
	for _, name := range []string{"a", "b"} {
		made, err := pods.Create(ctx, pod(name), metav1.CreateOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
		made.Status = corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue},
		}}
		_, err = pods.UpdateStatus(ctx, made, metav1.UpdateOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
	}
	least := intstr.FromInt32(1)
	budget := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "guard"},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "bulb"}},
		},
	}
	budget, err := budgets.Create(ctx, budget, metav1.CreateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	budget.Status = policyv1.PodDisruptionBudgetStatus{
		ObservedGeneration: 1, DisruptionsAllowed: 1, CurrentHealthy: 2, DesiredHealthy: 1, ExpectedPods: 2,
	}
	_, err = budgets.UpdateStatus(ctx, budget, metav1.UpdateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	evict := func(name string) error {
		return pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}})
	}
	g.Expect(evict("a")).To(gomega.Succeed())
	budget, err = budgets.Get(ctx, "guard", metav1.GetOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(budget.Status.DisruptionsAllowed).To(gomega.Equal(int32(0)))
	g.Expect(budget.Status.DisruptedPods).To(gomega.HaveKey("a"))
	err = evict("b")
	g.Expect(apierrors.IsTooManyRequests(err)).To(gomega.BeTrue(), "%v", err)
	g.Expect(apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause)).To(gomega.BeTrue())
	tell(t, "%v", err)
	err = evict("c")
	g.Expect(apierrors.IsNotFound(err)).To(gomega.BeTrue(), "%v", err)
}

func TestRecordersTellAndCount(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	made, err := k8s.CoreV1().Pods(ns).Create(ctx, pod("bulb"), metav1.CreateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	old := record.NewBroadcaster()
	old.StartRecordingToSink(&typedSink{k8s, ns})
	recorder := old.NewRecorder(builtin.Scheme, corev1.EventSource{Component: "old"})
	for range 3 {
		recorder.Eventf(made, corev1.EventTypeNormal, "Lit", "lit %s", "twice")
	}
	g.Eventually(func() []string {
		list, err := k8s.CoreV1().Events(ns).List(ctx, metav1.ListOptions{
			FieldSelector: "involvedObject.name=bulb,involvedObject.kind=Pod,reason=Lit",
		})
		g.Expect(err).NotTo(gomega.HaveOccurred())
		var told []string
		for _, event := range list.Items {
			told = append(told, fmt.Sprintf("%d %s %s %s", event.Count, event.Type, event.Message, event.Source.Component))
		}
		return told
	}, soon).Should(gomega.Equal([]string{"3 Normal lit twice old"}))
	old.Shutdown()

	now := events.NewBroadcaster(&events.EventSinkImpl{Interface: k8s.EventsV1()})
	stop := make(chan struct{})
	now.StartRecordingToSink(stop)
	for range 2 {
		now.NewRecorder(builtin.Scheme, "new").Eventf(made, nil, corev1.EventTypeWarning, "Dim", "Dimming", "dim %d", 1)
	}
	g.Eventually(func() []string {
		list, err := k8s.EventsV1().Events(ns).List(ctx, metav1.ListOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
		var told []string
		for _, event := range list.Items {
			if event.Reason == "Dim" {
				told = append(told, dim(event))
			}
		}
		return told
	}, soon).Should(gomega.Equal([]string{"Warning Dimming dim 1 new"}))
	close(stop)
	now.Shutdown()
}

func dim(event eventsv1.Event) string {
	return fmt.Sprintf("%s %s %s %s", event.Type, event.Action, event.Note, event.ReportingController)
}

// typedSink writes events as the typed client does.
type typedSink struct {
	k8s       kubernetes.Interface
	namespace string
}

func (s *typedSink) Create(event *corev1.Event) (*corev1.Event, error) {
	return s.k8s.CoreV1().Events(s.namespace).CreateWithEventNamespace(event)
}

func (s *typedSink) Update(event *corev1.Event) (*corev1.Event, error) {
	return s.k8s.CoreV1().Events(s.namespace).UpdateWithEventNamespace(event)
}

func (s *typedSink) Patch(event *corev1.Event, patch []byte) (*corev1.Event, error) {
	return s.k8s.CoreV1().Events(s.namespace).PatchWithEventNamespace(event, patch)
}

func TestConflictsAreTriedAgain(t *testing.T) {
	for codec, config := range codecs() {
		t.Run(codec, func(t *testing.T) {
			g, ns := namespace(t)
			k8s, _ := typed(config)
			maps := k8s.CoreV1().ConfigMaps(ns)
			create(g, k8s, ns, "a")
			var writers sync.WaitGroup
			failed := make(chan error, 4)
			for writer := range 4 {
				writers.Go(func() {
					failed <- retry.RetryOnConflict(retry.DefaultBackoff, func() error {
						found, err := maps.Get(ctx, "a", metav1.GetOptions{})
						if err != nil {
							return err
						}
						found.Data[fmt.Sprint(writer)] = "was here"
						_, err = maps.Update(ctx, found, metav1.UpdateOptions{})
						return err
					})
				})
			}
			writers.Wait()
			for range 4 {
				g.Expect(<-failed).NotTo(gomega.HaveOccurred())
			}
			found, err := maps.Get(ctx, "a", metav1.GetOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(found.Data).To(gomega.HaveLen(5), "nobody's write is lost")
		})
	}
}

func TestErrorsAreThoseThatClientsAskFor(t *testing.T) {
	for codec, config := range codecs() {
		t.Run(codec, func(t *testing.T) {
			g, ns := namespace(t)
			k8s, _ := typed(config)
			maps := k8s.CoreV1().ConfigMaps(ns)
			create(g, k8s, ns, "a")
			found, err := maps.Get(ctx, "a", metav1.GetOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			_, err = maps.Update(ctx, configMap("a", "x"), metav1.UpdateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			uid := types.UID("00000000-0000-4000-8000-000000000000")
			whole := strings.Repeat("x", 4<<20)
			nobody := rest.AnonymousClientConfig(config)
			wrong := rest.AnonymousClientConfig(config)
			wrong.BearerToken = "wrong"
			cases := []struct {
				name string
				is   func(error) bool
				act  func() error
			}{
				{"not found", apierrors.IsNotFound, func() error {
					_, err := maps.Get(ctx, "none", metav1.GetOptions{})
					return err
				}},
				{"already there", apierrors.IsAlreadyExists, func() error {
					_, err := maps.Create(ctx, configMap("a", "a"), metav1.CreateOptions{})
					return err
				}},
				{"conflict", apierrors.IsConflict, func() error {
					_, err := maps.Update(ctx, found, metav1.UpdateOptions{})
					return err
				}},
				{"another uid", apierrors.IsConflict, func() error {
					return maps.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
				}},
				{"invalid", apierrors.IsInvalid, func() error {
					_, err := maps.Create(ctx, configMap("No_Name", "a"), metav1.CreateOptions{})
					return err
				}},
				{"bad request", apierrors.IsBadRequest, func() error {
					_, err := maps.List(ctx, metav1.ListOptions{FieldSelector: "data.value=a"})
					return err
				}},
				{"expired", apierrors.IsResourceExpired, func() error {
					_, err := maps.List(ctx, metav1.ListOptions{
						ResourceVersion: "1", ResourceVersionMatch: metav1.ResourceVersionMatchExact,
					})
					return err
				}},
				{"too large", apierrors.IsRequestEntityTooLargeError, func() error {
					_, err := maps.Create(ctx, configMap("large", whole), metav1.CreateOptions{})
					return err
				}},
				{"no such method", apierrors.IsMethodNotSupported, func() error {
					return k8s.CoreV1().RESTClient().Delete().AbsPath("/api/v1/namespaces").Do(ctx).Error()
				}},
				{"no such patch", apierrors.IsUnsupportedMediaType, func() error {
					_, err := maps.Patch(ctx, "a", "application/none", []byte("{}"), metav1.PatchOptions{})
					return err
				}},
				{"forbidden", apierrors.IsForbidden, func() error {
					_, err := kubernetes.NewForConfigOrDie(nobody).CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{})
					return err
				}},
				{"unauthorized", apierrors.IsUnauthorized, func() error {
					_, err := kubernetes.NewForConfigOrDie(wrong).CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{})
					return err
				}},
				{"no namespace", apierrors.IsNotFound, func() error {
					_, err := k8s.CoreV1().ConfigMaps("none").Create(ctx, configMap("a", "a"), metav1.CreateOptions{})
					return err
				}},
			}
			for _, its := range cases {
				err := its.act()
				// Compaction comes after some minutes, if at all.
				if its.name == "expired" && err == nil {
					continue
				}
				g.Expect(its.is(err)).To(gomega.BeTrue(), "%s: %v", its.name, err)
				if its.name != "expired" {
					mask := strings.NewReplacer(ns, "NAMESPACE", string(found.UID), "UID")
					tell(t, "%s: %s", its.name, mask.Replace(err.Error()))
				}
			}
		})
	}
}

// warned notes what servers warn of.
type warned struct{ heard }

func (w *warned) HandleWarningHeader(code int, agent, text string) { w.add("%d %s", code, text) }

func TestWarningsReachTheClient(t *testing.T) {
	g, ns := namespace(t)
	heard := &warned{}
	config := rest.CopyConfig(config)
	config.WarningHandler = heard
	k8s, _ := typed(config)
	_, err := k8s.CoreV1().ComponentStatuses().List(ctx, metav1.ListOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	_, err = k8s.CoreV1().Endpoints(ns).List(ctx, metav1.ListOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	twice := pod("twice")
	twice.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "A", Value: "2"}}
	_, err = k8s.CoreV1().Pods(ns).Create(ctx, twice, metav1.CreateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	body := `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "dada": {}}`
	err = k8s.CoreV1().RESTClient().Post().Namespace(ns).Resource("configmaps").
		SetHeader("Content-Type", "application/json").Param("fieldValidation", "Warn").Body([]byte(body)).Do(ctx).Error()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	for _, line := range heard.list() {
		tell(t, "%s", line)
	}
	g.Expect(heard.list()).NotTo(gomega.BeEmpty())
}

func TestWhoIsAskedAndWhoMay(t *testing.T) {
	for codec, config := range codecs() {
		t.Run(codec, func(t *testing.T) {
			g, ns := namespace(t)
			k8s, _ := typed(config)
			account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}
			_, err := k8s.CoreV1().ServiceAccounts(ns).Create(ctx, account, metav1.CreateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			seconds := int64(3600)
			token, err := k8s.CoreV1().ServiceAccounts(ns).CreateToken(ctx, "robot", &authenticationv1.TokenRequest{
				Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds},
			}, metav1.CreateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			robot := rest.AnonymousClientConfig(config)
			robot.BearerToken = token.Status.Token
			me := whoami(g, robot)
			g.Expect(me.Username).To(gomega.Equal("system:serviceaccount:" + ns + ":robot"))
			review, err := k8s.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
				Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token},
			}, metav1.CreateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(review.Status.Authenticated).To(gomega.BeTrue())
			g.Expect(review.Status.User.Username).To(gomega.Equal(me.Username))
			acting := rest.CopyConfig(config)
			acting.Impersonate = rest.ImpersonationConfig{UserName: "alice", Groups: []string{"devs"}}
			g.Expect(whoami(g, acting).Username).To(gomega.Equal("alice"))
			for _, verb := range []string{"get", "delete"} {
				access, err := kubernetes.NewForConfigOrDie(robot).AuthorizationV1().SelfSubjectAccessReviews().Create(
					ctx, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
						ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: ns, Verb: verb, Resource: "pods"},
					}}, metav1.CreateOptions{})
				g.Expect(err).NotTo(gomega.HaveOccurred())
				tell(t, "%s %v %q", verb, access.Status.Allowed, access.Status.Reason)
			}
		})
	}
}

func TestStatusAndFinalizersHavePathsOfTheirOwn(t *testing.T) {
	for codec, config := range codecs() {
		t.Run(codec, func(t *testing.T) {
			g, ns := namespace(t)
			k8s, _ := typed(config)
			deployments := k8s.AppsV1().Deployments(ns)
			made, err := deployments.Apply(ctx, deploymentOf(ns, "bulb:1"), metav1.ApplyOptions{FieldManager: "mine"})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			made.Status.Replicas, made.Spec.Replicas = 1, new(int32)
			made, err = deployments.UpdateStatus(ctx, made, metav1.UpdateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(made.Status.Replicas).To(gomega.Equal(int32(1)))
			g.Expect(*made.Spec.Replicas).To(gomega.Equal(int32(2)))
			made.Finalizers = []string{"home.watchkeeper.dev/held"}
			made, err = deployments.Update(ctx, made, metav1.UpdateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			foreground := metav1.DeletePropagationForeground
			g.Expect(deployments.Delete(ctx, "bulb", metav1.DeleteOptions{PropagationPolicy: &foreground})).To(gomega.Succeed())
			made, err = deployments.Get(ctx, "bulb", metav1.GetOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(made.DeletionTimestamp).NotTo(gomega.BeNil())
			tell(t, "%v generation %d", made.Finalizers, made.Generation)
			made.Finalizers = nil
			_, err = deployments.Update(ctx, made, metav1.UpdateOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			_, err = deployments.Get(ctx, "bulb", metav1.GetOptions{})
			g.Expect(apierrors.IsNotFound(err)).To(gomega.BeTrue(), "%v", err)
			list, err := deployments.List(ctx, metav1.ListOptions{})
			g.Expect(err).NotTo(gomega.HaveOccurred())
			g.Expect(list.Items).To(gomega.BeEmpty())
		})
	}
}
