// Command etcd is the etcd server that the conformance runs store into.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"

	_ "watchkeeper.dev/real/lifeline"
)

func main() {
	etcdmain.Main(os.Args)
}
