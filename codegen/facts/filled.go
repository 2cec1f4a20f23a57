package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	discoveryv2 "k8s.io/api/apidiscovery/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// unserved are the versions without resources whose kinds travel all the same:
// with every group, to webhooks, in answers to discovery.
var unserved = map[schema.GroupVersion]bool{
	metav1.SchemeGroupVersion:      true,
	admissionv1.SchemeGroupVersion: true,
	discoveryv2.SchemeGroupVersion: true,
}

// isFilled tells of which kinds there are Rust types: those of every version
// that a server can serve. An early version keeps kinds that have left it.
func isFilled(k *kind, served map[schema.GroupVersion]bool) bool {
	if unserved[k.gvk.GroupVersion()] {
		return true
	}
	return served[k.gvk.GroupVersion()] && (k.plural != "" || !k.isOff())
}

// filledObjects is one line of JSON per kind, marshalled by Go.
func filledObjects(kinds []*kind) (string, error) {
	var out bytes.Buffer
	types := map[reflect.Type]schema.GroupVersionKind{}
	served := map[schema.GroupVersion]bool{}
	for _, k := range kinds {
		types[k.goType] = k.gvk
		served[k.gvk.GroupVersion()] = served[k.gvk.GroupVersion()] || k.plural != ""
	}
	for _, k := range kinds {
		if !isFilled(k, served) {
			continue
		}
		f := &filler{types: types}
		object := reflect.New(k.goType)
		f.fill(object.Elem(), "")
		text, err := json.Marshal(object.Interface())
		if err != nil {
			return "", fmt.Errorf("%s: %w", k.gvk, err)
		}
		out.Write(text)
		out.WriteByte('\n')
	}
	return out.String(), nil
}

// filler gives every field a value that no other field of the object has.
type filler struct {
	types map[reflect.Type]schema.GroupVersionKind
	stack []reflect.Type
	count int64
}

// maxDepth is how often a recursive type may contain itself.
const maxDepth = 2

func (f *filler) next() int64 {
	f.count++
	return f.count
}

// fill reports whether it set the value: a recursive type is cut, and then the
// pointer, list or map that would hold it stays empty.
func (f *filler) fill(v reflect.Value, name string) bool {
	if filled, isLeaf := f.leaf(v); isLeaf {
		return filled
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d", name, f.next()))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32:
		v.SetInt(f.next())
	case reflect.Int64:
		v.SetInt(5_000_000_000 + f.next())
	case reflect.Float64:
		v.SetFloat(float64(f.next()) + 0.5)
	case reflect.Pointer:
		return f.pointer(v, name)
	case reflect.Slice:
		return f.slice(v, name)
	case reflect.Map:
		return f.mapping(v, name)
	case reflect.Struct:
		return f.structure(v)
	default:
		panic(fmt.Sprintf("cannot fill %s", v.Type()))
	}
	return true
}

func (f *filler) pointer(v reflect.Value, name string) bool {
	target := reflect.New(v.Type().Elem())
	if !f.fill(target.Elem(), name) {
		return false
	}
	// Behind a pointer, false is a value too.
	if target.Elem().Kind() == reflect.Bool {
		target.Elem().SetBool(f.next()%2 == 0)
	}
	v.Set(target)
	return true
}

func (f *filler) slice(v reflect.Value, name string) bool {
	length := 2
	if v.Type().Elem().Kind() == reflect.Struct {
		length = 1
	}
	items := reflect.MakeSlice(v.Type(), length, length)
	for i := range length {
		if !f.fill(items.Index(i), name) {
			return false
		}
	}
	v.Set(items)
	return true
}

func (f *filler) mapping(v reflect.Value, name string) bool {
	length := 2
	if v.Type().Elem().Kind() == reflect.Struct && leaves[v.Type().Elem()] == "" {
		length = 1
	}
	entries := reflect.MakeMap(v.Type())
	for range length {
		key := reflect.New(v.Type().Key()).Elem()
		key.SetString(fmt.Sprintf("key-%d", f.next()))
		value := reflect.New(v.Type().Elem()).Elem()
		if !f.fill(value, name) {
			return false
		}
		entries.SetMapIndex(key, value)
	}
	v.Set(entries)
	return true
}

func (f *filler) structure(v reflect.Value) bool {
	t := v.Type()
	if f.depth(t) >= maxDepth {
		return false
	}
	f.stack = append(f.stack, t)
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if field.Type == reflect.TypeFor[metav1.TypeMeta]() {
			f.typeMeta(v.Field(i), t)
			continue
		}
		f.fill(v.Field(i), name)
	}
	f.stack = f.stack[:len(f.stack)-1]
	return true
}

// typeMeta names the kind the type really has: other names do not decode.
func (f *filler) typeMeta(v reflect.Value, t reflect.Type) {
	gvk, known := f.types[t]
	if !known {
		panic(fmt.Sprintf("%s has a TypeMeta but is no kind", t))
	}
	apiVersion, kindName := gvk.ToAPIVersionAndKind()
	v.Set(reflect.ValueOf(metav1.TypeMeta{APIVersion: apiVersion, Kind: kindName}))
}

func (f *filler) depth(t reflect.Type) int {
	depth := 0
	for _, outer := range f.stack {
		if outer == t {
			depth++
		}
	}
	return depth
}

// leaf fills the types that have a JSON form of their own.
func (f *filler) leaf(v reflect.Value) (filled, isLeaf bool) {
	if !v.CanAddr() {
		return false, false
	}
	switch leaf := v.Addr().Interface().(type) {
	case *metav1.Time:
		*leaf = metav1.NewTime(f.time())
	case *metav1.MicroTime:
		*leaf = metav1.NewMicroTime(f.time().Add(time.Duration(f.count) * time.Microsecond))
	case *metav1.Duration:
		leaf.Duration = time.Duration(f.next()) * time.Second
	case *metav1.FieldsV1:
		leaf.SetRawString(fmt.Sprintf(`{"f:field-%d":{".":{}}}`, f.next()))
	case *resource.Quantity:
		*leaf = f.quantity()
	case *intstr.IntOrString:
		if n := int(f.next()); n%2 == 0 {
			*leaf = intstr.FromInt32(int32(n))
		} else {
			*leaf = intstr.FromString(fmt.Sprintf("%d%%", n))
		}
	case *runtime.RawExtension:
		leaf.Raw = fmt.Appendf(nil, `{"raw":{"number":%d,"list":[true,null]}}`, f.next())
	case *apiextensionsv1.JSON:
		leaf.Raw = fmt.Appendf(nil, `{"json":%d}`, f.next())
	case *any:
		*leaf = fmt.Sprintf("cell-%d", f.next())
	case *[]byte:
		*leaf = fmt.Appendf(nil, "bytes-%d", f.next())
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		leaf.Allows = true
		leaf.Schema = f.schema()
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		leaf.Schema = f.schema()
		return leaf.Schema != nil, true
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		if f.next()%2 == 0 || f.depth(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]()) >= maxDepth {
			leaf.Property = []string{fmt.Sprintf("property-%d", f.next())}
		} else {
			leaf.Schema = f.schema()
		}
	default:
		return false, false
	}
	return true, true
}

func (f *filler) schema() *apiextensionsv1.JSONSchemaProps {
	props := &apiextensionsv1.JSONSchemaProps{}
	if !f.fill(reflect.ValueOf(props).Elem(), "") {
		return nil
	}
	return props
}

func (f *filler) time() time.Time {
	return time.Date(2024, time.March, 4, 5, 6, 7, 0, time.UTC).Add(time.Duration(f.next()) * time.Second)
}

// quantity goes through the forms a quantity is written in.
func (f *filler) quantity() resource.Quantity {
	n := f.next()
	suffixes := []string{"", "m", "Mi", "k", "Gi"}
	return resource.MustParse(fmt.Sprintf("%d%s", n, suffixes[n%int64(len(suffixes))]))
}
