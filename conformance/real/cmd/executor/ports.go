package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"
)

// The pod's port that repeats what it hears.
const echo = "0:7"

// Connections to the port: over a tunnel, and as kubectl makes them.
func (a asker) forwardPorts() {
	to := a.url("streams/portforward")
	tunnel, err := portforward.NewSPDYOverWebsocketDialer(to, a.config)
	if err != nil {
		klog.Fatal(err)
	}
	stop, ready := make(chan struct{}), make(chan struct{})
	forwarder, err := portforward.New(tunnel, []string{echo}, stop, ready, io.Discard, io.Discard)
	if err != nil {
		klog.Fatal(err)
	}
	tell("ports, by a tunnel", "%s", forwarded(forwarder, stop, ready))

	streaming, err := portforward.NewSPDYOverWebsocketDialerForStreaming(to, a.config)
	if err != nil {
		klog.Fatal(err)
	}
	transport, upgrader, err := spdy.RoundTripperFor(a.config)
	if err != nil {
		klog.Fatal(err)
	}
	old := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, http.MethodPost, to)
	either := portforward.NewFallbackDialerForStreaming(streaming, old, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
	stop, ready = make(chan struct{}), make(chan struct{})
	forwarder, err = portforward.NewForStreaming(either, []string{echo}, stop, ready, io.Discard, io.Discard)
	if err != nil {
		klog.Fatal(err)
	}
	tell("ports, as kubectl", "%s", forwarded(forwarder, stop, ready))
}

// What came back of what was said, or why nothing did.
func forwarded(forwarder *portforward.PortForwarder, stop, ready chan struct{}) string {
	ended := make(chan error, 1)
	go func() { ended <- forwarder.ForwardPorts() }()
	select {
	case err := <-ended:
		return fmt.Sprint(err)
	case <-time.After(patience):
		return "neither ready nor refused"
	case <-ready:
	}
	ports, err := forwarder.GetPorts()
	if err != nil {
		return err.Error()
	}
	heard, err := said(fmt.Sprintf("127.0.0.1:%d", ports[0].Local))
	close(stop)
	if err == nil {
		err = <-ended
	}
	return fmt.Sprintf("heard %q, %s", heard, outcome(err))
}

func said(address string) (string, error) {
	dialed, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer dialed.Close()
	if err := dialed.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(dialed, "hello"); err != nil {
		return "", err
	}
	if err := dialed.(*net.TCPConn).CloseWrite(); err != nil {
		return "", err
	}
	heard, err := io.ReadAll(dialed)
	return string(heard), err
}
