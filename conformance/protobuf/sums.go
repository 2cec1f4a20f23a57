package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// sums writes length and hash of the bytes that Go makes of each object of a
// file, and of an empty object of its kind; then a list and a watch in full.
func sums(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	known := knownTypes()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		names, object, err := fromJSON(known, lines.Bytes())
		if err != nil {
			return err
		}
		line := names.APIVersion + " " + names.Kind
		if names == (metav1.TypeMeta{}) {
			line = "- WatchEvent"
		}
		if _, hasProtobuf := object.Interface().(message); !hasProtobuf {
			fmt.Fprintln(out, line, "json")
			continue
		}
		for _, of := range []reflect.Value{object, reflect.New(object.Type().Elem())} {
			body, err := seal(names, of.Interface())
			if err != nil {
				return err
			}
			hash := fnv.New64a()
			hash.Write(body)
			line += fmt.Sprintf(" %d %016x", len(body), hash.Sum64())
		}
		fmt.Fprintln(out, line)
	}
	return errors.Join(lines.Err(), streams(out))
}

// streams writes a list and a watch, as servers send them.
func streams(out io.Writer) error {
	serializer := protobuf.NewSerializer(scheme, scheme)
	items := []corev1.ConfigMap{configMap("a", "1"), configMap("b", "2")}
	list := corev1.ConfigMapList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMapList"},
		ListMeta: metav1.ListMeta{ResourceVersion: "9", Continue: "more", RemainingItemCount: new(int64)},
		Items:    items,
	}
	var body bytes.Buffer
	if err := serializer.Encode(&list, &body); err != nil {
		return err
	}
	fmt.Fprintln(out, "list", hex.EncodeToString(body.Bytes()))

	var watch bytes.Buffer
	frames := protobuf.LengthDelimitedFramer.NewFrameWriter(&watch)
	raw := protobuf.NewRawSerializer(scheme, scheme)
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   "Failure", Reason: "Expired", Code: 410,
	}
	for _, event := range []struct {
		what   string
		object runtime.Object
	}{{"ADDED", &items[0]}, {"BOOKMARK", &corev1.ConfigMap{TypeMeta: items[0].TypeMeta}}, {"ERROR", &status}} {
		var object bytes.Buffer
		if err := serializer.Encode(event.object, &object); err != nil {
			return err
		}
		sent := metav1.WatchEvent{Type: event.what, Object: runtime.RawExtension{Raw: object.Bytes()}}
		if err := raw.Encode(&sent, frames); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "watch", hex.EncodeToString(watch.Bytes()))
	return nil
}

func configMap(name, version string) corev1.ConfigMap {
	return corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", ResourceVersion: version},
		Data:       map[string]string{"b": "2", "a": "1"},
		BinaryData: map[string][]byte{"empty": {}},
	}
}
