package main

import (
	"bytes"
	"encoding/json"
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// value is what Go makes of one text of one of the API's own scalars or
// selectors. Without an answer Go refused the text.
type value struct {
	Of      string `json:"of"`
	Text    string `json:"text"`
	Answer  string `json:"answer,omitempty"`
	Refused bool   `json:"refused,omitempty"`
	// Of selectors: why Go refused the text.
	Error string `json:"error,omitempty"`
	// Of quantities: the whole number, and the thousandths.
	Value *int64 `json:"value,omitempty"`
	Milli *int64 `json:"milli,omitempty"`
	// Of pairs: the other text, and how the two compare.
	Other   string `json:"other,omitempty"`
	Compare *int   `json:"compare,omitempty"`
	Sum     string `json:"sum,omitempty"`
	// Of label selectors: which of labelSets they match.
	Matches []bool `json:"matches,omitempty"`
}

var numbers = []string{
	"0", "1", "5", "-1", "+7", "1.5", "0.5", ".5", "5.", "-0.001", "1023", "1024", "1025", "1000",
	"1048576", "1000000", "999999999", "123456789.123456789", "0.0000000001", "-0.0000000001",
	"9223372036854775807", "9223372036854775808", "-9223372036854775809", "100", "1536", "0.25",
	"12.3456", "0.333333333333333333333", "3.14159265358979",
}

var suffixes = []string{
	"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
	"e3", "E3", "e-3", "e+2", "e9", "e-9", "e0", "e18", "e-18", "e7",
}

var noQuantities = []string{
	"", " ", "-", "+", ".", "1.2.3", "1 ", " 1", "Gi", "1gi", "1K", "1e", "1e+", "1ee3", "1KiB",
	"--1", "0x10", "1_000", "1e3.5", "1mi", "1Mi1", "1ki", "NaN", "Inf",
}

var sums = [][2]string{
	{"1Gi", "1024Mi"}, {"1", "250m"}, {"0", "1Gi"}, {"1Gi", "0"}, {"100m", "1Gi"}, {"1e3", "1"},
	{"500m", "500m"}, {"1", "-1"}, {"1Ki", "1"}, {"2", "1k"}, {"1.5Gi", "512Mi"},
}

var labelSelectors = []string{
	"", " ", "a", "!a", "! a", "a=x", "a==x", "a = x ", "a!=x", "a=", "a!=", "a in (x)", "a in (x,y)",
	"a in ( y , x )", "a notin (x)", "a notin (x,)", "a in ()", "a in (,)", "a in (x,,y)", "a>1", "a<5",
	"a>x", "a > 1", "a,b", "a,,b", ",a", "a,", "a=x,b!=y", "b=x,a=y", "a=x,a=y", "in in (in)", "in", "notin",
	"a in", "a in x", "a in (x", "a in x)", "a=x y", "a b", "(a)", "a=(x)", "-a", "a-", "a_b.c=x", "a/b", "a.b/c=x",
	"A.b/c", "a/b/c", "/a", "a/", "a=-x", "a=x-", "a=x_y.z", "!a=x", "!a,b", "!", "!!a", "a=!x", "a===x", "a=x=y",
	"a!==x", "a=>x", "a\n=\tx", "a=in", "in=a", "notin notin (notin)", "a in (in,notin)", "a=é",
	"a123456789012345678901234567890123456789012345678901234567890123",
	"a<-2", "a>+5", "a in (-)", "a in (x y)", "a in (x", "a in (=)", "a in ((", "a in (,x", "a in (,,x,)", "a notin", "a !in (x)",
	"a = = x", "a!", "a =", "a in (x),", "a,!", ",", "a=-x,b=-y", "a in (-,_)", "in in", "x in(a)", "x notin(a,b),y", "a>5x", "a>x,b",
}

var labelSets = []labels.Set{
	{}, {"a": "x"}, {"a": "y", "b": "x"}, {"a": ""}, {"a": "3"}, {"b": "y"}, {"in": "in"}, {"a": "x", "b": "y"},
}

var fieldSelectors = []string{
	"", "a=b", "a==b", "a!=b", "a=", "a!=", "a", "=", "=b", "a=b,c!=d", "a=b,", ",a=b", "a=b,,c=d", "a=b=c",
	"a=b\\=c", "a=b\\,c", "a=b\\\\", "a=b\\x", "a=b\\", "metadata.name=x,spec.nodeName=", "a!b", "a=!b", "!a=b",
	"b=1,a=2", "a\\=b=c", "a=b,a", "a=\\", " a=b , c=d ", "a==b=c", "a!==b", "a=b\\,c,d=e", "a=é\\é", "a===b",
}

var times = []string{
	"2026-03-01T12:00:00Z", "2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00+01:00",
	"2026-03-01T12:00:00.5-02:30", "2024-02-29T23:59:59Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
	"2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00",
	"0001-01-02T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-01T00:00:00.Z", "2026-01-01T0:00:00Z", "now",
	"2026-01-01T00:00:00z", "2026-01-01t00:00:00Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00+24:00",
	"1969-12-31T23:59:59.999999Z", "2026-01-01T00:00:00+0100",
}

var microTimes = []string{
	"2026-03-01T12:00:00.000000Z", "2026-03-01T12:00:00.123456Z", "2026-03-01T12:00:00.123456+01:00",
	"1969-12-31T23:59:59.999999Z",
}

var versions = []string{"", "0", "1", "01", "9", "10", "999", "1000", "18446744073709551616", "-1", "a", "1a", "1.0"}

var scaled = []string{"0%", "1%", "25%", "33%", "50%", "100%", "150%", "x", "%", "10", "-25%", "1.5%", "25% ", "+5%"}

// values writes one line of JSON for each text.
func values() (string, error) {
	all := append(quantities(), selectors()...)
	all = append(all, moments()...)
	all = append(all, pairs()...)
	all = append(all, words()...)
	all = append(all, lengths()...)
	all = append(all, required()...)
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for _, v := range all {
		if err := lines.Encode(v); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

func quantities() []value {
	texts := noQuantities
	for _, number := range numbers {
		for _, suffix := range suffixes {
			texts = append(texts, number+suffix)
		}
	}
	var all []value
	for _, text := range texts {
		v := value{Of: "quantity", Text: text}
		q, err := resource.ParseQuantity(text)
		switch {
		case err != nil:
			v.Refused = true
		case q.Cmp(resource.MustParse("1000E")) >= 0 || q.Cmp(resource.MustParse("-1000E")) <= 0:
			// There is no unit above E, and Go forgets that it needs one.
			continue
		default:
			// String would repeat the text as it was given.
			number, suffix := q.CanonicalizeBytes(make([]byte, 0, 32))
			v.Answer = string(number) + string(suffix)
			// Of large numbers Go's result wraps around, of negative ones it depends
			// on how they were written.
			limit := resource.NewQuantity(math.MaxInt64/1000, resource.DecimalSI)
			if q.Sign() >= 0 && q.Cmp(*limit) < 0 {
				whole, milli := q.Value(), q.MilliValue()
				v.Value, v.Milli = &whole, &milli
			}
		}
		all = append(all, v)
	}
	return all
}

func selectors() []value {
	var all []value
	for _, text := range labelSelectors {
		v := value{Of: "labels", Text: text}
		if s, err := labels.Parse(text); err != nil {
			v.Refused, v.Error = true, err.Error()
		} else {
			v.Answer = s.String()
			for _, set := range labelSets {
				v.Matches = append(v.Matches, s.Matches(set))
			}
		}
		all = append(all, v)
	}
	for _, text := range fieldSelectors {
		v := value{Of: "fields", Text: text}
		if s, err := fields.ParseSelector(text); err != nil {
			v.Refused, v.Error = true, err.Error()
		} else {
			v.Answer = s.String()
		}
		all = append(all, v)
	}
	return all
}

func moments() []value {
	var all []value
	add := func(of, text string, into interface {
		json.Unmarshaler
		json.Marshaler
	}) {
		v := value{Of: of, Text: text}
		quoted, _ := json.Marshal(text)
		if into.UnmarshalJSON(quoted) != nil {
			v.Refused = true
		} else if written, err := into.MarshalJSON(); err != nil || json.Unmarshal(written, &v.Answer) != nil {
			v.Refused = true
		}
		all = append(all, v)
	}
	for _, text := range times {
		add("time", text, &metav1.Time{})
	}
	for _, text := range microTimes {
		add("microtime", text, &metav1.MicroTime{})
	}
	return all
}

func pairs() []value {
	var all []value
	for _, pair := range sums {
		a, b := resource.MustParse(pair[0]), resource.MustParse(pair[1])
		order := a.Cmp(b)
		a.Add(b) // forgets the text
		all = append(all, value{Of: "sum", Text: pair[0], Other: pair[1], Sum: a.String(), Compare: &order})
	}
	for _, text := range versions {
		for _, other := range versions {
			v := value{Of: "version", Text: text, Other: other}
			if order, err := resourceversion.CompareResourceVersion(text, other); err != nil {
				v.Refused = true
			} else {
				v.Compare = &order
			}
			all = append(all, v)
		}
	}
	for _, text := range scaled {
		of := intstr.FromString(text)
		for _, total := range []int{0, 1, 3, 10, 7} {
			up, err := intstr.GetScaledValueFromIntOrPercent(&of, total, true)
			down, _ := intstr.GetScaledValueFromIntOrPercent(&of, total, false)
			v := value{Of: "scaled", Text: text, Refused: err != nil}
			if err == nil {
				whole, rounded := int64(up), int64(down)
				v.Value, v.Milli = &whole, &rounded
			}
			compare := total
			v.Compare = &compare
			all = append(all, v)
		}
	}
	return all
}
