package main

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/duration"
	rules "k8s.io/apimachinery/pkg/util/validation"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// names are tried on every rule.
var names = []string{
	"", "a", "A", "1", "-", "_", ".", "..", "...", "..a", "a.", ".a", "a-", "-a", "a-b", "a--b", "a.b", "a..b", "a_b",
	"1a", "a1", "123", "web-0", "Web", "web.0", "example.com/app", "example.com/", "/app", "a/b/c", "Example.com/app",
	"a.b/-", "a/_", "*.a.b", "*.*.b", "*", "*a.b", "a.*.b", "http", "http-alt", "0-0", "with space", "é", "a=b", "50%",
	"%", "5 %", "X-Header", "a\nb", "abcdefghijklmno", "abcdefghijklmnop", "kubernetes.io/a.b_c-D", "MY_NAME", "my.env",
	strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253), strings.Repeat("a.", 127) + "a",
	strings.Repeat("é", 40), strings.Repeat("a", 254) + "/b", "a/" + strings.Repeat("b", 64),
}

var namingRules = []struct {
	name  string
	check func(string) []string
}{
	{"dns1123Label", rules.IsDNS1123Label},
	{"dns1123Subdomain", rules.IsDNS1123Subdomain},
	{"wildcard", rules.IsWildcardDNS1123Subdomain},
	{"dns1035Label", rules.IsDNS1035Label},
	{"labelKey", rules.IsQualifiedName},
	{"labelValue", rules.IsValidLabelValue},
	{"pathSegment", path.IsValidPathSegmentName},
	{"portName", rules.IsValidPortName},
	{"cIdentifier", rules.IsCIdentifier},
	{"envName", rules.IsEnvVarName},
	{"relaxedEnvName", rules.IsRelaxedEnvVarName},
	{"configKey", rules.IsConfigMapKey},
	{"headerName", rules.IsHTTPHeaderName},
	{"percent", rules.IsValidPercent},
	{"generateLabel", func(name string) []string { return validation.NameIsDNSLabel(name, true) }},
	{"generateSubdomain", func(name string) []string { return validation.NameIsDNSSubdomain(name, true) }},
}

// words are the sentences of every rule about every name.
func words() []value {
	var all []value
	for _, rule := range namingRules {
		for _, name := range names {
			v := value{Of: "name", Text: name, Other: rule.name, Answer: strings.Join(rule.check(name), "\n")}
			all = append(all, v)
		}
	}
	return all
}

var spans = []time.Duration{
	0, 1, 999, time.Microsecond, 1500 * time.Nanosecond, time.Millisecond, 1500 * time.Microsecond, time.Second,
	-time.Second, -1500 * time.Millisecond, -2 * time.Second, -3 * time.Second, 59 * time.Second, time.Minute,
	119 * time.Second, 2 * time.Minute, 125 * time.Second, 9*time.Minute + 59*time.Second, 10 * time.Minute,
	10*time.Minute + 30*time.Second, 179 * time.Minute, 3 * time.Hour, 3*time.Hour + 5*time.Minute,
	7*time.Hour + 59*time.Minute, 8 * time.Hour, 8*time.Hour + 30*time.Minute, 47 * time.Hour, 48 * time.Hour,
	49 * time.Hour, 7 * 24 * time.Hour, 191 * time.Hour, 192 * time.Hour, 100 * 24 * time.Hour, 364 * 24 * time.Hour,
	365 * 24 * time.Hour, 729 * 24 * time.Hour, 730 * 24 * time.Hour, 1000 * 24 * time.Hour, 8 * 365 * 24 * time.Hour,
	100 * 365 * 24 * time.Hour, 90 * time.Minute, 1<<63 - 1, -1 << 63, 100500 * time.Millisecond,
	1<<63 - 1 - 1e9, 1234567890, 23*time.Hour + 59*time.Minute + 59*time.Second,
}

var durations = []string{
	"0", "1s", "-1s", "+1s", "1h30m", "1.5h", ".5s", "1.s", "1", "s", "", "-", "1h1h", "100ms", "1us", "1µs", "1μs", "1ns",
	"0.1ns", "1d", "1 s", " 1s", "1H", "9223372036854775807ns", "9223372036854775808ns", "-9223372036854775808ns", "2540400h",
	"3000000h", "1e3s", "0s", "-0s", "1m30", "0.3333333333333333333h", "9007199254.740993ms", "1.0000000000000000000000001s", "..5s",
}

// lengths are durations as people read them, as columns print them and as fields hold them.
func lengths() []value {
	var all []value
	for _, span := range spans {
		text := fmt.Sprint(int64(span))
		all = append(all,
			value{Of: "human", Text: text, Answer: duration.HumanDuration(span)},
			value{Of: "short", Text: text, Answer: duration.ShortHumanDuration(span)},
			value{Of: "goduration", Text: text, Answer: span.String()},
		)
	}
	for _, text := range durations {
		v := value{Of: "duration", Text: text}
		var d metav1.Duration
		if err := d.UnmarshalJSON([]byte(fmt.Sprintf("%q", text))); err != nil {
			v.Refused = true
		} else {
			v.Answer = d.Duration.String()
		}
		all = append(all, v)
	}
	return all
}

var requirements = []struct {
	key    string
	op     selection.Operator
	values []string
}{
	{"a", selection.In, nil}, {"a", selection.NotIn, nil}, {"-", selection.In, nil}, {"a", selection.Exists, []string{"x"}},
	{"a", selection.DoesNotExist, []string{"x", "y"}}, {"a", selection.In, []string{"-", "x", "_"}},
	{"-", selection.Equals, []string{"-"}}, {"a/b/c", selection.Exists, nil}, {"a", selection.GreaterThan, []string{"-2"}},
	{"a", selection.LessThan, []string{"5"}}, {"a", selection.NotEquals, []string{""}},
}

// required is what Go says of requirements that no parser made.
func required() []value {
	var all []value
	for _, r := range requirements {
		v := value{Of: "requirement", Text: r.key, Other: string(r.op) + " " + strings.Join(r.values, ",")}
		if _, err := labels.NewRequirement(r.key, r.op, r.values); err != nil {
			v.Refused, v.Error = true, err.Error()
		}
		all = append(all, v)
	}
	return all
}
