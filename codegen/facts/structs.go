package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// structFact is one struct with its fields in Go's order.
type structFact struct {
	model  string
	attrs  []string
	fields []*fieldFact
}

type fieldFact struct {
	json     string
	presence string
	typ      string
	pb       string
	attrs    []string
}

// leaves are the types whose JSON form is not that of their Go fields.
var leaves = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                                  "time",
	reflect.TypeFor[metav1.MicroTime]():                             "microtime",
	reflect.TypeFor[metav1.Duration]():                              "duration",
	reflect.TypeFor[metav1.FieldsV1]():                              "fieldsv1",
	reflect.TypeFor[resource.Quantity]():                            "quantity",
	reflect.TypeFor[resource.QuantityValue]():                       "quantity",
	reflect.TypeFor[intstr.IntOrString]():                           "intorstring",
	reflect.TypeFor[runtime.RawExtension]():                         "raw",
	reflect.TypeFor[apiextensionsv1.JSON]():                         "json",
	reflect.TypeFor[any]():                                          "json",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "schemaorbool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "schemaorarray",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "schemaorstringarray",
	reflect.TypeFor[[]byte]():                                       "bytes",
}

// reachable describes every struct that the kinds and their lists are made of,
// sorted by model name.
func reachable(kinds []*kind) []*structFact {
	walk := &walker{structs: map[string]*structFact{}}
	scheme := newScheme()
	for _, k := range kinds {
		walk.structure(k.goType)
		if k.list != "" {
			list, ok := scheme.AllKnownTypes()[k.gvk.GroupVersion().WithKind(k.list)]
			if ok {
				walk.structure(list)
			}
		}
	}
	var structs []*structFact
	for _, found := range walk.structs {
		structs = append(structs, found)
	}
	sort.Slice(structs, func(i, j int) bool { return structs[i].model < structs[j].model })
	return structs
}

type walker struct{ structs map[string]*structFact }

func (w *walker) structure(t reflect.Type) string {
	model := modelName(t)
	if _, known := w.structs[model]; known {
		return model
	}
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		panic(fmt.Sprintf("%s has a JSON form of its own: add it to the leaves", t))
	}
	found := &structFact{model: model}
	w.structs[model] = found
	for i := range t.NumField() {
		if field := w.field(t.Field(i)); field != nil {
			found.fields = append(found.fields, field)
		}
	}
	return model
}

func (w *walker) field(f reflect.StructField) *fieldFact {
	tag, tagged := f.Tag.Lookup("json")
	if tag == "-" || !f.IsExported() {
		return nil
	}
	if !tagged {
		panic(fmt.Sprintf("field %s has no JSON tag", f.Name))
	}
	parts := strings.Split(tag, ",")
	field := &fieldFact{json: parts[0], pb: protobuf(f)}
	t := f.Type
	switch {
	case parts[0] == "" && f.Anonymous:
		field.json, field.presence = "-", "inline"
	case parts[0] == "":
		panic(fmt.Sprintf("field %s has no JSON name", f.Name))
	case t.Kind() == reflect.Pointer && contains(parts, "omitempty"):
		field.presence = "ptr"
	case t.Kind() == reflect.Pointer:
		field.presence = "ptrnull"
	case contains(parts, "omitzero"):
		field.presence = "zero"
	case contains(parts, "omitempty"):
		field.presence = "omit"
	default:
		field.presence = "req"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	field.typ = w.typeText(t)
	field.attrs = append(mergeAttrs(f), wrapAttr(t)...)
	return field
}

func (w *walker) typeText(t reflect.Type) string {
	if leaf, ok := leaves[t]; ok {
		return leaf
	}
	switch t.Kind() {
	case reflect.String:
		return named(t, "string")
	case reflect.Bool:
		return named(t, "bool")
	case reflect.Int32:
		return named(t, "int32")
	case reflect.Int64:
		return named(t, "int64")
	case reflect.Float64:
		return "float64"
	case reflect.Struct:
		return "@" + w.structure(t)
	case reflect.Slice:
		return "[" + w.typeText(t.Elem())
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("map with keys of %s", t.Key()))
		}
		return "{" + w.typeText(t.Elem())
	}
	panic(fmt.Sprintf("no fact for type %s", t))
}

// named appends the Go name of a type that is not predeclared.
func named(t reflect.Type, base string) string {
	if t.PkgPath() == "" {
		return base
	}
	return base + ":" + t.Name()
}

// wrapAttr marks lists that are protobuf messages of their own, with the items
// as the one repeated member.
func wrapAttr(t reflect.Type) []string {
	for inner := t; inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map; inner = inner.Elem() {
		if inner.Kind() == reflect.Slice && inner.Name() != "" && isMessage(inner) {
			return []string{"pbwrap"}
		}
	}
	return nil
}

func isMessage(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ Marshal() ([]byte, error) }]())
}

func mergeAttrs(f reflect.StructField) []string {
	var attrs []string
	if strategy := f.Tag.Get("patchStrategy"); strategy != "" {
		attrs = append(attrs, "patch="+strategy)
	}
	if key := f.Tag.Get("patchMergeKey"); key != "" {
		attrs = append(attrs, "mergeKey="+key)
	}
	return attrs
}

// protobuf reads number and wire type out of a tag like "bytes,1,opt,name=x".
func protobuf(f reflect.StructField) string {
	parts := strings.Split(f.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return "-"
	}
	wires := map[string]string{"varint": "v", "bytes": "l", "fixed64": "f"}
	wire, ok := wires[parts[0]]
	if !ok {
		panic(fmt.Sprintf("field %s has protobuf wire type %s", f.Name, parts[0]))
	}
	return parts[1] + wire
}

// modelName is the name of a type in OpenAPI documents.
func modelName(t reflect.Type) string {
	type namer interface{ OpenAPIModelName() string }
	if named, ok := reflect.Zero(t).Interface().(namer); ok {
		return named.OpenAPIModelName()
	}
	path := strings.Split(t.PkgPath(), "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	path[0] = strings.Join(host, ".")
	return strings.Join(append(path, t.Name()), ".")
}

func contains(parts []string, want string) bool {
	for _, part := range parts[1:] {
		if part == want {
			return true
		}
	}
	return false
}
