// Command kube-apiserver is the real API server, built as an ordinary
// dependency, that our own one is compared with.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	_ "watchkeeper.dev/real/lifeline"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
