// Package v1alpha1 has lamps as they were.
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	v1 "watchkeeper.dev/envtest/api/v1"
)

// GroupVersion is where lamps are served.
var GroupVersion = schema.GroupVersion{Group: "home.watchkeeper.dev", Version: "v1alpha1"}

// Lamp has other words for the same.
type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LampSpec `json:"spec,omitempty"`
}

// LampSpec is what is wanted.
type LampSpec struct {
	Color   string `json:"color,omitempty"`
	Percent int32  `json:"percent,omitempty"`
}

// LampList is several.
type LampList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Lamp `json:"items"`
}

// ConvertTo makes the stored version of it.
func (l *Lamp) ConvertTo(hub conversion.Hub) error {
	to := hub.(*v1.Lamp)
	to.ObjectMeta = l.ObjectMeta
	to.Spec = v1.LampSpec{Colour: l.Spec.Color, Brightness: l.Spec.Percent}
	return nil
}

// ConvertFrom makes it of the stored version.
func (l *Lamp) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*v1.Lamp)
	l.ObjectMeta = from.ObjectMeta
	l.Spec = LampSpec{Color: from.Spec.Colour, Percent: from.Spec.Brightness}
	return nil
}

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
