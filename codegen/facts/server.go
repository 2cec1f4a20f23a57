package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sort"

	discoveryv2 "k8s.io/api/apidiscovery/v2"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// server is a running kube-apiserver of the same release, which knows what the
// Go types do not tell.
type server struct {
	client *http.Client
	host   string
}

func connect(kubeconfig string) (*server, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	s := &server{client: client, host: config.Host}
	var version struct{ GitVersion string }
	if err := s.get("/version", "application/json", &version); err != nil {
		return nil, err
	}
	if version.GitVersion != release {
		return nil, fmt.Errorf("the server is %s, these are the facts of %s", version.GitVersion, release)
	}
	return s, nil
}

func (s *server) get(path, accept string, into any) error {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, s.host+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", accept)
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s: %s", path, response.Status, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}

// discovery reads every served resource.
func (s *server) discovery() ([]discoveryv2.APIGroupDiscovery, error) {
	const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	var groups []discoveryv2.APIGroupDiscovery
	for _, path := range []string{"/api", "/apis"} {
		var list discoveryv2.APIGroupDiscoveryList
		if err := s.get(path, accept, &list); err != nil {
			return nil, err
		}
		groups = append(groups, list.Items...)
	}
	return groups, nil
}

// models reads the schemas of every served group version, by model name.
func (s *server) models() (map[string]*model, error) {
	var index struct {
		Paths map[string]struct{ ServerRelativeURL string }
	}
	if err := s.get("/openapi/v3", "application/json", &index); err != nil {
		return nil, err
	}
	var paths []string
	for path := range index.Paths {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	models := map[string]*model{}
	for _, path := range paths {
		var document struct {
			Components struct{ Schemas map[string]*model }
		}
		if err := s.get(index.Paths[path].ServerRelativeURL, "application/json", &document); err != nil {
			return nil, err
		}
		for name, found := range document.Components.Schemas {
			if _, known := models[name]; !known {
				models[name] = found
			}
		}
	}
	return models, nil
}
