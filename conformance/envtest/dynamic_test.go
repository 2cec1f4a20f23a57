package envtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

var (
	definitions = schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}
	lamps = schema.GroupVersionResource{Group: "home.watchkeeper.dev", Version: "v1", Resource: "lamps"}
)

// definition is one of a kind that is scaled, which is there as long as a test.
func definition(t *testing.T, g *gomega.WithT, name string) schema.GroupVersionResource {
	of := schema.GroupVersionResource{Group: name + ".watchkeeper.dev", Version: "v1", Resource: "fans"}
	object := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": of.GroupResource().String()},
		"spec": map[string]any{
			"group": of.Group, "scope": "Namespaced",
			"names": map[string]any{"plural": "fans", "singular": "fan", "kind": "Fan", "shortNames": []any{"fn"}},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}, "scale": map[string]any{
					"specReplicasPath": ".spec.blades", "statusReplicasPath": ".status.blades", "labelSelectorPath": ".status.selector",
				}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
					"spec": map[string]any{"type": "object", "properties": map[string]any{
						"blades": map[string]any{"type": "integer", "minimum": int64(1)},
						"speeds": map[string]any{"type": "array", "x-kubernetes-list-type": "set", "items": map[string]any{"type": "string"}},
					}},
					"status": map[string]any{"type": "object", "properties": map[string]any{
						"blades": map[string]any{"type": "integer"}, "selector": map[string]any{"type": "string"},
					}},
				}}},
			}},
		},
	}
	all := dynamic.NewForConfigOrDie(config).Resource(definitions)
	_, err := all.Create(ctx, &unstructured.Unstructured{Object: object}, metav1.CreateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	t.Cleanup(func() {
		g.Expect(all.Delete(ctx, of.GroupResource().String(), metav1.DeleteOptions{})).To(gomega.Succeed())
	})
	// Served a moment after it is there.
	g.Eventually(func() error {
		_, err := dynamic.NewForConfigOrDie(config).Resource(of).List(ctx, metav1.ListOptions{})
		return err
	}, soon).Should(gomega.Succeed())
	return of
}

func fan(of schema.GroupVersionResource, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": of.GroupVersion().String(), "kind": "Fan", "metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

func TestTheDynamicClientDoesEverything(t *testing.T) {
	g, ns := namespace(t)
	of := definition(t, g, "dynamic")
	fans := dynamic.NewForConfigOrDie(config).Resource(of).Namespace(ns)
	watch, err := fans.Watch(ctx, metav1.ListOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	defer watch.Stop()
	for _, name := range []string{"a", "b", "c"} {
		_, err := fans.Create(ctx, fan(of, name, map[string]any{"blades": int64(3)}), metav1.CreateOptions{})
		g.Expect(err).NotTo(gomega.HaveOccurred())
	}
	first, err := fans.List(ctx, metav1.ListOptions{Limit: 2})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(first.Items).To(gomega.HaveLen(2))
	g.Expect(first.GetRemainingItemCount()).To(gomega.HaveValue(gomega.Equal(int64(1))))
	rest, err := fans.List(ctx, metav1.ListOptions{Limit: 2, Continue: first.GetContinue()})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(rest.Items).To(gomega.HaveLen(1))

	_, err = fans.Create(ctx, fan(of, "d", map[string]any{"blades": int64(0)}), metav1.CreateOptions{})
	g.Expect(apierrors.IsInvalid(err)).To(gomega.BeTrue(), "%v", err)
	tell(t, "%v", err)
	_, err = fans.Create(ctx, fan(of, "d", map[string]any{"blade": int64(1)}), metav1.CreateOptions{FieldValidation: "Strict"})
	g.Expect(apierrors.IsBadRequest(err)).To(gomega.BeTrue(), "%v", err)
	tell(t, "%v", err)
	_, err = fans.Patch(ctx, "a", "application/strategic-merge-patch+json", []byte(`{}`), metav1.PatchOptions{})
	g.Expect(apierrors.IsUnsupportedMediaType(err)).To(gomega.BeTrue(), "%v", err)
	tell(t, "%v", err)

	applied, err := fans.Apply(ctx, "a", fan(of, "a", map[string]any{"speeds": []any{"low"}}), metav1.ApplyOptions{FieldManager: "one"})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	applied, err = fans.Apply(ctx, "a", fan(of, "a", map[string]any{"speeds": []any{"high"}}), metav1.ApplyOptions{FieldManager: "two"})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	speeds, _, _ := unstructured.NestedStringSlice(applied.Object, "spec", "speeds")
	g.Expect(speeds).To(gomega.Equal([]string{"low", "high"}), "a set")
	_, err = fans.Apply(ctx, "a", fan(of, "a", map[string]any{"blades": int64(4)}), metav1.ApplyOptions{FieldManager: "one"})
	g.Expect(apierrors.IsConflict(err)).To(gomega.BeTrue(), "%v", err)
	tell(t, "%v", strings.Split(err.Error(), "using")[0])

	status := applied.DeepCopy()
	g.Expect(unstructured.SetNestedField(status.Object, int64(2), "status", "blades")).To(gomega.Succeed())
	status, err = fans.UpdateStatus(ctx, status, metav1.UpdateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(status.GetGeneration()).To(gomega.Equal(applied.GetGeneration()))
	g.Expect(fans.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{FieldSelector: "metadata.name!=a"})).To(gomega.Succeed())
	list, err := fans.List(ctx, metav1.ListOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(list.Items).To(gomega.HaveLen(1))
	var told []string
	for range 8 {
		event := <-watch.ResultChan()
		told = append(told, fmt.Sprintf("%s %s", event.Type, event.Object.(*unstructured.Unstructured).GetName()))
	}
	tell(t, "%v", told)
}

func TestScalesOfAllKinds(t *testing.T) {
	g, ns := namespace(t)
	of := definition(t, g, "scales")
	fans := dynamic.NewForConfigOrDie(config).Resource(of).Namespace(ns)
	made, err := fans.Create(ctx, fan(of, "a", map[string]any{"blades": int64(3)}), metav1.CreateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	made.Object["status"] = map[string]any{"blades": int64(1), "selector": "app=fan"}
	_, err = fans.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	client := discovery.NewDiscoveryClientForConfigOrDie(config)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	scales, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(client))
	g.Expect(err).NotTo(gomega.HaveOccurred())
	found, err := scales.Scales(ns).Get(ctx, of.GroupResource(), "a", metav1.GetOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	tell(t, "%+v %+v", found.Spec, found.Status)
	found.Spec.Replicas = 5
	found, err = scales.Scales(ns).Update(ctx, of.GroupResource(), found, metav1.UpdateOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(found.Spec.Replicas).To(gomega.Equal(int32(5)))
	found, err = scales.Scales(ns).Patch(ctx, of, "a", "application/merge-patch+json", []byte(`{"spec":{"replicas":6}}`), metav1.PatchOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(found.Spec.Replicas).To(gomega.Equal(int32(6)))
	made, err = fans.Get(ctx, "a", metav1.GetOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	blades, _, _ := unstructured.NestedInt64(made.Object, "spec", "blades")
	g.Expect(blades).To(gomega.Equal(int64(6)))
	_, err = scales.Scales(ns).Get(ctx, lamps.GroupResource(), "a", metav1.GetOptions{})
	tell(t, "%v", err)
}

func TestKindsAreDiscoveredAndMapped(t *testing.T) {
	g, ns := namespace(t)
	client := discovery.NewDiscoveryClientForConfigOrDie(config)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	fans := schema.GroupKind{Group: "discovered.watchkeeper.dev", Kind: "Fan"}
	_, err := mapper.RESTMapping(fans, "v1")
	g.Expect(meta.IsNoMatchError(err)).To(gomega.BeTrue(), "%v", err)
	of := definition(t, g, "discovered")
	g.Eventually(func() error {
		mapper.Reset()
		_, err := mapper.RESTMapping(fans, "v1")
		return err
	}, soon).Should(gomega.Succeed())
	mapping, err := mapper.RESTMapping(fans)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(mapping.Resource).To(gomega.Equal(of))
	g.Expect(mapping.Scope.Name()).To(gomega.Equal(meta.RESTScopeNameNamespace))
	short := restmapper.NewShortcutExpander(mapper, client, nil)
	for _, name := range []string{"fn", "deploy", "po"} {
		found, err := short.ResourceFor(schema.GroupVersionResource{Resource: name})
		g.Expect(err).NotTo(gomega.HaveOccurred())
		tell(t, "%s is %v", name, found)
	}

	_, lists, err := client.ServerGroupsAndResources()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	var all []string
	for _, list := range lists {
		// Other tests have definitions of their own.
		if strings.Contains(list.GroupVersion, "watchkeeper.dev") && list.GroupVersion != of.GroupVersion().String() {
			continue
		}
		for _, resource := range list.APIResources {
			slices.Sort(resource.ShortNames)
			all = append(all, fmt.Sprintf("%s %s %s %v %v %v %v", list.GroupVersion, resource.Name, resource.Kind,
				resource.Namespaced, resource.Verbs, resource.ShortNames, resource.Categories))
		}
	}
	slices.Sort(all)
	for _, resource := range all {
		tell(t, "%s", resource)
	}
	preferred, err := client.ServerPreferredNamespacedResources()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	deletable := discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "delete"}}, preferred)
	resources, err := discovery.GroupVersionResources(deletable)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(resources).To(gomega.HaveKey(of))

	paths, err := openapi.NewClient(client.RESTClient()).Paths()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Eventually(func() []string {
		paths, err = client.OpenAPIV3().Paths()
		g.Expect(err).NotTo(gomega.HaveOccurred())
		var names []string
		for name := range paths {
			names = append(names, name)
		}
		return names
	}, soon).Should(gomega.ContainElement("apis/discovered.watchkeeper.dev/v1"))
	document, err := paths["apis/discovered.watchkeeper.dev/v1"].Schema("application/json")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(string(document)).To(gomega.ContainSubstring("speeds"))
	version, err := client.ServerVersion()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	tell(t, "%s.%s in %s", version.Major, version.Minor, strings.ReplaceAll(ns, ns, "a namespace"))
}

func TestTheMetadataClientSeesNoMore(t *testing.T) {
	g, ns := namespace(t)
	k8s, _ := typed(config)
	create(g, k8s, ns, "a", "b")
	maps := metadata.NewForConfigOrDie(config).Resource(configMaps).Namespace(ns)
	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "value=a"})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(list.Items).To(gomega.HaveLen(1))
	tell(t, "%s %s of %s", list.Kind, list.Items[0].Kind, list.APIVersion)
	patched, err := maps.Patch(ctx, "a", "application/merge-patch+json", []byte(`{"metadata":{"labels":{"value":"x"}}}`), metav1.PatchOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(patched.Labels).To(gomega.HaveKeyWithValue("value", "x"))
	g.Expect(maps.Delete(ctx, "a", metav1.DeleteOptions{})).To(gomega.Succeed())
	_, err = maps.Get(ctx, "a", metav1.GetOptions{})
	g.Expect(apierrors.IsNotFound(err)).To(gomega.BeTrue(), "%v", err)
	g.Expect(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})).To(gomega.Succeed())
	list, err = maps.List(ctx, metav1.ListOptions{})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(list.Items).To(gomega.BeEmpty())
}
