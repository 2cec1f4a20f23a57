// Command kube-controller-manager runs the real built-in controllers next to
// the real API server.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"

	_ "watchkeeper.dev/real/lifeline"
)

func main() {
	os.Exit(cli.Run(app.NewControllerManagerCommand()))
}
