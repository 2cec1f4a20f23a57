package main

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	discoveryv2 "k8s.io/api/apidiscovery/v2"
	discoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// kind is one registered kind. What only a server knows (everything from
// plural on) is filled in by the discovery overlay.
type kind struct {
	gvk          schema.GroupVersionKind
	goType       reflect.Type
	list         string
	plural       string
	singular     string
	scope        string
	verbs        []string
	shortNames   []string
	categories   []string
	subresources []subresource
}

// isOff tells whether a server has the version only when told so: alpha and
// beta versions are off by default.
func (k *kind) isOff() bool {
	return strings.Contains(k.gvk.Version, "alpha") || strings.Contains(k.gvk.Version, "beta")
}

type subresource struct {
	name  string
	gvk   schema.GroupVersionKind
	verbs []string
}

// newScheme registers every type that clients and servers exchange.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientscheme.AddToScheme,
		apiextensionsv1.AddToScheme,
		apiregistrationv1.AddToScheme,
		admissionv1.AddToScheme,
		discoveryv2.AddToScheme,
		discoveryv2beta1.AddToScheme,
		metav1.AddMetaToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	return scheme
}

// registeredKinds lists the external kinds, sorted. Lists of a kind are named
// by that kind; option kinds, which are registered in every group, appear once.
func registeredKinds(scheme *runtime.Scheme) []*kind {
	var kinds []*kind
	seen := map[schema.GroupVersionKind]bool{}
	for gvk, goType := range scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || isListOf(scheme, gvk) {
			continue
		}
		if goType.PkgPath() == metaPackage && gvk.Group != "" {
			gvk = metav1.SchemeGroupVersion.WithKind(gvk.Kind)
		} else if goType.PkgPath() == metaPackage && !unversioned[gvk.Kind] {
			continue
		}
		if seen[gvk] {
			continue
		}
		seen[gvk] = true
		found := &kind{gvk: gvk, goType: goType}
		if list := gvk.Kind + "List"; scheme.Recognizes(gvk.GroupVersion().WithKind(list)) {
			found.list = list
		}
		kinds = append(kinds, found)
	}
	slices.SortFunc(kinds, func(a, b *kind) int {
		return cmp.Or(
			strings.Compare(groupName(a.gvk.Group), groupName(b.gvk.Group)),
			strings.Compare(a.gvk.Version, b.gvk.Version),
			strings.Compare(a.gvk.Kind, b.gvk.Kind),
		)
	})
	return kinds
}

const metaPackage = "k8s.io/apimachinery/pkg/apis/meta/v1"

// unversioned are the kinds that a server sends as apiVersion v1 in every group.
var unversioned = map[string]bool{
	"Status": true, "APIVersions": true, "APIGroup": true, "APIGroupList": true, "APIResourceList": true,
}

func isListOf(scheme *runtime.Scheme, gvk schema.GroupVersionKind) bool {
	item, isList := strings.CutSuffix(gvk.Kind, "List")
	if !isList || !scheme.Recognizes(gvk.GroupVersion().WithKind(item)) {
		return false
	}
	goType := scheme.AllKnownTypes()[gvk]
	_, hasItems := goType.FieldByName("Items")
	return hasItems
}

func groupName(group string) string {
	if group == "" {
		return "core"
	}
	return group
}
