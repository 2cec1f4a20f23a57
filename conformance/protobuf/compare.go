package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// request is an object in JSON, and the bytes that we made of it.
type request struct {
	JSON  json.RawMessage `json:"json"`
	Bytes []byte          `json:"bytes"`
}

// answer is what Go makes of them.
type answer struct {
	// What is wrong with our bytes: they are refused, or mean another object.
	Wrong string `json:"wrong,omitempty"`
	// Go's bytes of the JSON.
	Bytes []byte `json:"bytes"`
	// Go's JSON of our bytes.
	JSON json.RawMessage `json:"json,omitempty"`
}

func compare(known map[metav1.TypeMeta]reflect.Type, asked request) answer {
	var told answer
	fail := func(err error) answer {
		told.Wrong = err.Error()
		return told
	}
	names, want, err := fromJSON(known, asked.JSON)
	if err != nil {
		return fail(err)
	}
	if told.Bytes, err = seal(names, want.Interface()); err != nil {
		return fail(err)
	}
	raw, err := open(names, asked.Bytes)
	if err != nil {
		return fail(err)
	}
	got := reflect.New(want.Type().Elem())
	if err := got.Interface().(message).Unmarshal(raw); err != nil {
		return fail(err)
	}
	setNames(got, names)
	if told.JSON, err = json.Marshal(got.Interface()); err != nil {
		return fail(err)
	}
	if !equality.Semantic.DeepEqual(want.Interface(), got.Interface()) {
		told.Wrong = difference(want.Interface(), told.JSON)
	}
	return told
}

// difference shows where the JSON of two objects parts.
func difference(want any, got []byte) string {
	expected, err := json.Marshal(want)
	if err != nil {
		return err.Error()
	}
	at := 0
	for at < min(len(expected), len(got)) && expected[at] == got[at] {
		at++
	}
	from := max(at-80, 0)
	cut := func(text []byte) []byte { return bytes.TrimSpace(text[from:min(len(text), at+80)]) }
	return fmt.Sprintf("want …%s…, got …%s…", cut(expected), cut(got))
}
