package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	discoveryv2 "k8s.io/api/apidiscovery/v2"
	discoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// message is what generated code gives a type.
type message interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// metaPackage has the kinds that are registered in every group; ours have one
// apiVersion for them.
const metaPackage = "k8s.io/apimachinery/pkg/apis/meta/v1"

var scheme = newScheme()

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

// knownTypes are the external types by what objects say they are. An event of
// a watch says nothing.
func knownTypes() map[metav1.TypeMeta]reflect.Type {
	known := map[metav1.TypeMeta]reflect.Type{{}: reflect.TypeFor[metav1.WatchEvent]()}
	for gvk, goType := range scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		apiVersion, kind := gvk.ToAPIVersionAndKind()
		known[metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}] = goType
		if goType.PkgPath() == metaPackage {
			known[metav1.TypeMeta{APIVersion: metav1.SchemeGroupVersion.String(), Kind: kind}] = goType
		}
	}
	return known
}

// fromJSON decodes a JSON object into its Go type.
func fromJSON(known map[metav1.TypeMeta]reflect.Type, text []byte) (metav1.TypeMeta, reflect.Value, error) {
	var names metav1.TypeMeta
	if err := json.Unmarshal(text, &names); err != nil {
		return names, reflect.Value{}, err
	}
	goType, found := known[names]
	if !found {
		return names, reflect.Value{}, fmt.Errorf("no type is called %v", names)
	}
	object := reflect.New(goType)
	if err := json.Unmarshal(text, object.Interface()); err != nil {
		return names, object, err
	}
	// In protobuf, what is within an object does not say what it is.
	dropNames(object.Elem())
	setNames(object, names)
	return names, object, nil
}

// dropNames empties every TypeMeta.
func dropNames(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() && value.Elem().CanSet() {
			dropNames(value.Elem())
		}
	case reflect.Slice:
		for i := range value.Len() {
			dropNames(value.Index(i))
		}
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[metav1.TypeMeta]() {
			value.SetZero()
			return
		}
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				dropNames(value.Field(i))
			}
		}
	}
}

var magic = []byte("k8s\x00")

// seal puts a message into its envelope. An event has none.
func seal(names metav1.TypeMeta, object any) ([]byte, error) {
	raw, err := object.(message).Marshal()
	if err != nil || names == (metav1.TypeMeta{}) {
		return raw, err
	}
	if raw == nil {
		raw = []byte{}
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: names.APIVersion, Kind: names.Kind}, Raw: raw}
	body, err := unknown.Marshal()
	return append(bytes.Clone(magic), body...), err
}

// open takes the message of the kind out of its envelope.
func open(names metav1.TypeMeta, body []byte) ([]byte, error) {
	if names == (metav1.TypeMeta{}) {
		return body, nil
	}
	rest, found := bytes.CutPrefix(body, magic)
	if !found {
		return nil, fmt.Errorf("no envelope: %q", body[:min(len(body), 8)])
	}
	var unknown runtime.Unknown
	if err := unknown.Unmarshal(rest); err != nil {
		return nil, err
	}
	if unknown.APIVersion != names.APIVersion || unknown.Kind != names.Kind {
		return nil, fmt.Errorf("the envelope is of %v, the object of %v", unknown.TypeMeta, names)
	}
	return unknown.Raw, nil
}

// setNames gives an object the names that protobuf leaves to the envelope.
func setNames(object reflect.Value, names metav1.TypeMeta) {
	if field := object.Elem().FieldByName("TypeMeta"); field.IsValid() {
		field.Set(reflect.ValueOf(names))
	}
}
