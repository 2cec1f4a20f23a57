// Package v1 has lamps as they are stored.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is where lamps are served.
var GroupVersion = schema.GroupVersion{Group: "home.watchkeeper.dev", Version: "v1"}

// Lamp is a kind with everything that a suite looks at.
type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   LampSpec   `json:"spec,omitempty"`
	Status LampStatus `json:"status,omitempty"`
}

// LampSpec is what is wanted.
type LampSpec struct {
	Colour     string `json:"colour,omitempty"`
	Brightness int32  `json:"brightness,omitempty"`
	Replicas   int32  `json:"replicas,omitempty"`
}

// LampStatus is what there is.
type LampStatus struct {
	Deployment string `json:"deployment,omitempty"`
	Replicas   int32  `json:"replicas,omitempty"`
}

// LampList is several.
type LampList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Lamp `json:"items"`
}

// Hub makes this the version that others are converted to and from.
func (*Lamp) Hub() {}

// DeepCopyObject copies it.
func (l *Lamp) DeepCopyObject() runtime.Object {
	copied := *l
	l.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

// DeepCopyObject copies it.
func (l *LampList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Lamp, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Lamp)
	}
	return &copied
}

// AddToScheme makes the kinds known.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Lamp{}, &LampList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
