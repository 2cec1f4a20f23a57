package main

import (
	"fmt"
	"slices"

	discoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// addDiscovery fills in what a server says about the resource of each kind.
func addDiscovery(kinds []*kind, groups []discoveryv2.APIGroupDiscovery) error {
	byName := map[schema.GroupVersionKind]*kind{}
	for _, k := range kinds {
		byName[k.gvk] = k
	}
	for _, group := range groups {
		for _, version := range group.Versions {
			gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
			for _, resource := range version.Resources {
				gvk := responseKind(gv, resource.ResponseKind)
				k, known := byName[gvk]
				if !known {
					return fmt.Errorf("the server has the kind %s, the scheme has not", gvk)
				}
				if k.plural != "" {
					return fmt.Errorf("%s has two resources, %s and %s", gvk, k.plural, resource.Resource)
				}
				k.add(gv, resource)
			}
		}
	}
	return nil
}

func (k *kind) add(gv schema.GroupVersion, resource discoveryv2.APIResourceDiscovery) {
	k.plural = resource.Resource
	k.singular = resource.SingularResource
	k.scope = map[discoveryv2.ResourceScope]string{
		discoveryv2.ScopeNamespace: "Namespaced",
		discoveryv2.ScopeCluster:   "Cluster",
	}[resource.Scope]
	k.verbs = sorted(resource.Verbs)
	k.shortNames = resource.ShortNames
	k.categories = resource.Categories
	for _, sub := range resource.Subresources {
		k.subresources = append(k.subresources, subresource{
			name:  sub.Subresource,
			gvk:   responseKind(gv, sub.ResponseKind),
			verbs: sorted(sub.Verbs),
		})
	}
}

// responseKind completes a kind: what is left out is that of the resource.
func responseKind(gv schema.GroupVersion, found *metav1.GroupVersionKind) schema.GroupVersionKind {
	if found.Version == "" {
		return gv.WithKind(found.Kind)
	}
	return schema.GroupVersionKind{Group: found.Group, Version: found.Version, Kind: found.Kind}
}

func sorted(values []string) []string {
	values = slices.Clone(values)
	slices.Sort(values)
	return values
}
