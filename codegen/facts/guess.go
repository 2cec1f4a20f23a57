package main

import (
	"regexp"
	"strings"
)

var stable = regexp.MustCompile(`^v\d+$`)

var clusterScoped = strings.Fields(`Node Namespace PersistentVolume ComponentStatus ClusterRole ClusterRoleBinding
StorageClass VolumeAttachment CSIDriver CSINode VolumeAttributesClass PriorityClass RuntimeClass IngressClass
CustomResourceDefinition APIService MutatingWebhookConfiguration ValidatingWebhookConfiguration
ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
CertificateSigningRequest FlowSchema PriorityLevelConfiguration TokenReview SelfSubjectReview SubjectAccessReview
SelfSubjectAccessReview SelfSubjectRulesReview DeviceClass ResourceSlice ServiceCIDR IPAddress`)

var reviews = strings.Fields(`TokenReview SelfSubjectReview SubjectAccessReview SelfSubjectAccessReview
SelfSubjectRulesReview LocalSubjectAccessReview`)

// guessDiscovery stands in for a server until one is asked.
func guessDiscovery(kinds []*kind) {
	for _, k := range kinds {
		if !stable.MatchString(k.gvk.Version) || k.goType.PkgPath() == metaPackage || k.gvk.Group == "apidiscovery.k8s.io" {
			continue
		}
		review := has(reviews, k.gvk.Kind)
		if k.list == "" && !review {
			continue
		}
		k.singular = strings.ToLower(k.gvk.Kind)
		k.plural = plural(k.singular)
		k.scope = "Namespaced"
		if has(clusterScoped, k.gvk.Kind) {
			k.scope = "Cluster"
		}
		k.verbs = strings.Split("create,delete,deletecollection,get,list,patch,update,watch", ",")
		if review {
			k.verbs = []string{"create"}
		}
	}
}

func plural(singular string) string {
	switch {
	case singular == "endpoints":
		return singular
	case strings.HasSuffix(singular, "s"):
		return singular + "es"
	case strings.HasSuffix(singular, "cy"), strings.HasSuffix(singular, "ry"), strings.HasSuffix(singular, "ity"):
		return singular[:len(singular)-1] + "ies"
	}
	return singular + "s"
}

func has(names []string, want string) bool {
	for _, name := range names {
		if name == want {
			return true
		}
	}
	return false
}
