package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// model is the part of an OpenAPI schema that reflection lacks.
type model struct {
	Properties map[string]*model
	Required   []string
	Default    json.RawMessage
	Enum       []string
	Format     string
	ListType   string   `json:"x-kubernetes-list-type"`
	ListKeys   []string `json:"x-kubernetes-list-map-keys"`
	MapType    string   `json:"x-kubernetes-map-type"`
	Strategy   string   `json:"x-kubernetes-patch-strategy"`
	MergeKey   string   `json:"x-kubernetes-patch-merge-key"`
}

// formats are implied by the type of a field.
var formats = map[string]bool{
	"": true, "int32": true, "int64": true, "double": true, "date-time": true, "byte": true, "int-or-string": true,
}

// addModels puts the facts of the OpenAPI documents at the fields.
func addModels(structs []*structFact, models map[string]*model) error {
	byModel := map[string]*structFact{}
	for _, s := range structs {
		byModel[s.model] = s
	}
	done := map[*fieldFact]string{}
	for _, s := range structs {
		found, served := models[s.model]
		if !served {
			continue
		}
		if found.MapType == "atomic" {
			s.attrs = []string{"struct=atomic"}
		}
		unused := map[string]bool{}
		for name := range found.Properties {
			unused[name] = true
		}
		if err := addFields(s, found, byModel, done, unused); err != nil {
			return err
		}
		if len(unused) > 0 {
			return fmt.Errorf("%s: the server has fields that the type has not: %v", s.model, unused)
		}
	}
	return nil
}

// addFields follows embedded structs: their members are members of the outer
// model, and they have no model of their own.
func addFields(
	s *structFact, found *model, byModel map[string]*structFact, done map[*fieldFact]string, unused map[string]bool,
) error {
	for _, field := range s.fields {
		if field.presence == "inline" {
			if err := addFields(byModel[field.typ[1:]], found, byModel, done, unused); err != nil {
				return err
			}
			continue
		}
		property, served := found.Properties[field.json]
		if !served {
			return fmt.Errorf("%s: the server has no field %s", s.model, field.json)
		}
		delete(unused, field.json)
		attrs, err := property.attrs(field)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", s.model, field.json, err)
		}
		if slices.Contains(found.Required, field.json) {
			attrs = append(attrs, "required")
		}
		text := strings.Join(attrs, " ")
		if old, again := done[field]; again {
			if old != text {
				return fmt.Errorf("%s.%s is %q in one place and %q in another", s.model, field.json, old, text)
			}
			continue
		}
		done[field] = text
		field.attrs = append(field.attrs, attrs...)
	}
	return nil
}

func (m *model) attrs(field *fieldFact) ([]string, error) {
	if err := m.agrees(field); err != nil {
		return nil, err
	}
	var attrs []string
	if m.ListType != "" {
		attrs = append(attrs, "list="+m.ListType)
	}
	if len(m.ListKeys) > 0 {
		attrs = append(attrs, "keys="+strings.Join(m.ListKeys, ","))
	}
	if m.MapType != "" {
		attrs = append(attrs, "map="+m.MapType)
	}
	if len(m.Default) > 0 {
		text, err := compact(m.Default)
		if err != nil {
			return nil, err
		}
		attrs = append(attrs, "default="+text)
	}
	if len(m.Enum) > 0 {
		attrs = append(attrs, "enum="+strings.Join(m.Enum, "|"))
	}
	if !formats[m.Format] {
		attrs = append(attrs, "format="+m.Format)
	}
	if text := strings.Join(attrs, ""); strings.ContainsAny(text, " \n") {
		return nil, fmt.Errorf("a token has a space: %q", text)
	}
	return attrs, nil
}

// agrees compares what reflection and the server both know.
func (m *model) agrees(field *fieldFact) error {
	var expected []string
	if m.Strategy != "" && m.Strategy != "replace" {
		expected = append(expected, "patch="+m.Strategy)
	}
	if m.MergeKey != "" {
		expected = append(expected, "mergeKey="+m.MergeKey)
	}
	for _, attr := range expected {
		if !slices.Contains(field.attrs, attr) {
			return fmt.Errorf("the server says %s, the type has %v", attr, field.attrs)
		}
	}
	return nil
}

// compact writes JSON without a space, in strings neither.
func compact(value json.RawMessage) (string, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, value); err != nil {
		return "", err
	}
	return strings.ReplaceAll(out.String(), " ", `\u0020`), nil
}
