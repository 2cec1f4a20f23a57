package main

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// header is the first line of both files.
const header = "facts 1 kubernetes " + release + "\n"

func formatStructs(structs []*structFact) string {
	var out strings.Builder
	out.WriteString(header)
	for _, s := range structs {
		line(&out, append([]string{"struct", s.model}, s.attrs...))
		for _, f := range s.fields {
			line(&out, append([]string{"", f.json, f.presence, f.typ, f.pb}, f.attrs...))
		}
	}
	return out.String()
}

func formatKinds(kinds []*kind) string {
	var out strings.Builder
	out.WriteString(header)
	for _, k := range kinds {
		tokens := []string{
			"kind", groupName(k.gvk.Group), k.gvk.Version, k.gvk.Kind,
			dash(k.plural), dash(k.singular), dash(k.scope), modelName(k.goType), "list=" + dash(k.list),
		}
		if k.plural != "" && k.isOff() {
			tokens = append(tokens, "off")
		}
		tokens = listToken(tokens, "verbs", k.verbs)
		tokens = listToken(tokens, "short", k.shortNames)
		tokens = listToken(tokens, "categories", k.categories)
		line(&out, tokens)
		for _, sub := range k.subresources {
			line(&out, listToken([]string{"", "sub", sub.name, gvkText(sub.gvk)}, "verbs", sub.verbs))
		}
	}
	return out.String()
}

func line(out *strings.Builder, tokens []string) {
	out.WriteString(strings.Join(tokens, " "))
	out.WriteByte('\n')
}

func listToken(tokens []string, name string, values []string) []string {
	if len(values) == 0 {
		return tokens
	}
	return append(tokens, name+"="+strings.Join(values, ","))
}

func gvkText(gvk schema.GroupVersionKind) string {
	return groupName(gvk.Group) + "/" + gvk.Version + "/" + gvk.Kind
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// summary counts what the README quotes.
func summary(structs []*structFact, kinds []*kind) string {
	fields := 0
	attrs := map[string]int{}
	for _, s := range structs {
		fields += len(s.fields)
		for _, f := range s.fields {
			for _, attr := range f.attrs {
				name, _, _ := strings.Cut(attr, "=")
				attrs[name]++
			}
		}
	}
	resources, subresources := 0, 0
	for _, k := range kinds {
		if k.plural != "" {
			resources++
		}
		subresources += len(k.subresources)
	}
	return fmt.Sprintf("%d structs, %d fields, %d kinds (%d resources, %d subresources), "+
		"%d typed lists, %d with keys, %d typed maps, %d defaults, %d required, %d enums, %d patch strategies",
		len(structs), fields, len(kinds), resources, subresources,
		attrs["list"], attrs["keys"], attrs["map"], attrs["default"], attrs["required"], attrs["enum"], attrs["patch"])
}
