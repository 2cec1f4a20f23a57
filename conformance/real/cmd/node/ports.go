package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net"
)

// What listens in the pod, by port.
var listeners = map[int32]func(*net.TCPConn){
	// Repeats what it hears, until that ends.
	7: func(connection *net.TCPConn) {
		_, _ = io.Copy(connection, connection)
	},
	// Speaks first, and ends.
	13: func(connection *net.TCPConn) {
		fmt.Fprint(connection, "the time is noon\n")
	},
	// Says nothing before all was said to it.
	17: func(connection *net.TCPConn) {
		hash := fnv.New64a()
		count, _ := io.Copy(hash, connection)
		fmt.Fprintf(connection, "%d %016x\n", count, hash.Sum64())
	},
	// Never reads, and says more than anybody wants to hear.
	19: func(connection *net.TCPConn) {
		buffer := make([]byte, 32<<10)
		for {
			if _, err := connection.Write(buffer); err != nil {
				return
			}
		}
	},
	// Waits for the end.
	23: func(connection *net.TCPConn) {
		_, _ = io.Copy(io.Discard, connection)
	},
	// Begins to say something, and resets the connection.
	29: func(connection *net.TCPConn) {
		_, _ = connection.Write(make([]byte, 1<<20))
		_ = connection.SetLinger(0)
	},
}

// Opens the ports on the loopback interface, at other numbers; at port 9 nothing listens any more.
func listenToPorts() (map[int32]string, error) {
	ports := map[int32]string{}
	for port, serve := range listeners {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		ports[port] = listener.Addr().String()
		go func() {
			for {
				connection, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					defer connection.Close()
					serve(connection.(*net.TCPConn))
				}()
			}
		}()
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ports[9] = closed.Addr().String()
	return ports, closed.Close()
}

// PortForward connects the stream with what listens, as runtimes do.
func (n *node) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	n.note("port %d begins", port)
	defer n.note("port %d ends", port)
	address, known := n.ports[port]
	if !known {
		return fmt.Errorf("the pod has no port %d", port)
	}
	dialed, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	connection := dialed.(*net.TCPConn)
	defer connection.Close()
	go func() {
		_, _ = io.Copy(connection, stream)
		_ = connection.CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}
