// Command node is the part of a kubelet that the API server streams through:
// exec, attach, port-forward and logs, on upstream's streaming handlers. In
// place of containers it has programs of its own, whose end it notes in the log
// of the container "diary".
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"flag"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"

	_ "watchkeeper.dev/real/lifeline"
)

// What a kubelet has by default.
const (
	idle     = 4 * time.Hour
	creation = remotecommand.DefaultStreamCreationTimeout
)

type node struct {
	books map[string]*book
	ports map[int32]string
}

func main() {
	portFile := flag.String("port-file", "", "where to write the port that is served")
	flag.Parse()
	certificate, err := selfSigned()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{certificate},
		// Streams need connections that can be upgraded.
		NextProtos: []string{"http/1.1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	ports, err := listenToPorts()
	if err != nil {
		log.Fatal(err)
	}
	books, err := newBooks(filepath.Dir(*portFile))
	if err != nil {
		log.Fatal(err)
	}
	n := &node{books: books, ports: ports}
	port := listener.Addr().(*net.TCPAddr).Port
	// In its place when it is whole: somebody waits for it.
	if err := os.WriteFile(*portFile+".new", []byte(strconv.Itoa(port)), 0o600); err != nil {
		log.Fatal(err)
	}
	if err := os.Rename(*portFile+".new", *portFile); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, n.routes()))
}

// The paths of a kubelet (upstream: pkg/kubelet/server).
func (n *node) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", n.serveExec)
	mux.HandleFunc("/attach/{namespace}/{pod}/{container}", n.serveAttach)
	mux.HandleFunc("/portForward/{namespace}/{pod}", n.servePortForward)
	mux.HandleFunc("/containerLogs/{namespace}/{pod}/{container}", n.serveLogs)
	return mux
}

func (n *node) serveExec(w http.ResponseWriter, r *http.Request) {
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeExec(w, r, n, r.PathValue("pod"), "", r.PathValue("container"), r.URL.Query()["command"],
		options, idle, creation, remotecommand.SupportedStreamingProtocols)
}

func (n *node) serveAttach(w http.ResponseWriter, r *http.Request) {
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeAttach(w, r, n, r.PathValue("pod"), "", r.PathValue("container"),
		options, idle, creation, remotecommand.SupportedStreamingProtocols)
}

func (n *node) servePortForward(w http.ResponseWriter, r *http.Request) {
	options, err := portforward.NewV4Options(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	portforward.ServePortForward(w, r, n, r.PathValue("pod"), "",
		options, idle, creation, portforward.SupportedProtocols)
}

// A certificate that only those accept who do not ask, as API servers do by default.
func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "system:node:streams"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
