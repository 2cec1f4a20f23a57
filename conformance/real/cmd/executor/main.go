// Command executor asks of the containers of the pod "streams" what kubectl
// asks, by client-go's own executors and dialers. It tells what came of it, one
// line each, which are the same on every server.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	_ "watchkeeper.dev/real/lifeline"
)

// How long one thing may take, beside the time that its program is silent.
const patience = 30 * time.Second

func main() {
	kubeconfig := flag.String("kubeconfig", "", "where the server is, and who asks")
	silence := flag.Int("silence", 12, "for how many seconds a program says nothing")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatal(err)
	}
	base, err := url.Parse(config.Host)
	if err != nil {
		klog.Fatal(err)
	}
	a := asker{config: rest.AddUserAgent(config, "executor"), base: base}
	a.runPrograms()
	a.changeSizes()
	a.leave()
	a.refuse()
	a.wait(*silence)
	a.forwardPorts()
}

type asker struct {
	config *rest.Config
	base   *url.URL
}

// A path below the pods, with its query.
func (a asker) url(path string) *url.URL {
	whole, err := a.base.Parse("/api/v1/namespaces/default/pods/" + path)
	if err != nil {
		klog.Fatal(err)
	}
	return whole
}

func within(limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), limit)
}

// An error may have several lines.
func tell(what, format string, words ...any) {
	fmt.Printf("%s: %s\n", what, strings.ReplaceAll(fmt.Sprintf(format, words...), "\n", `\n`))
}
