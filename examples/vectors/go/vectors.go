// Runs the Level 1 vectors against the command of a client: vectors FOLDER COMMAND...
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
)

type message struct {
	Method, URL, Body string
	Status            int
	Headers           map[string]string
}

type vector struct {
	Profile, API      string
	Arguments, IDs    []string
	Requests, Answers []message
	Error             map[string]any
}

// shown returns what counts of a request: not escapes that are unneeded, and not parameters of headers.
func shown(r *http.Request) string {
	var body any
	json.NewDecoder(r.Body).Decode(&body)
	path, headers := r.URL.EscapedPath(), fmt.Sprintf("%.16s %.16s", r.Header.Get("Accept"), r.Header.Get("Content-Type"))
	return fmt.Sprint(r.Method, r.URL.Path, strings.Count(path, "/"), strings.Contains(path, ":"), r.URL.Query(), headers, body)
}

// passes reports if the client sent and printed what the vector says.
func (v vector) passes(sent []string, stdout []byte, stderr string) bool {
	var requests, ids []string
	for _, m := range v.Requests {
		r, _ := http.NewRequest(m.Method, m.URL, strings.NewReader(m.Body))
		for name, value := range m.Headers {
			r.Header.Set(name, value)
		}
		requests = append(requests, shown(r))
	}
	for line := range bytes.Lines(stdout) {
		var entity struct{ ID string }
		json.Unmarshal(line, &entity)
		ids = append(ids, entity.ID)
	}
	reported := map[string]any{}
	json.Unmarshal([]byte(stderr[strings.LastIndex(stderr, "\n")+1:]), &reported)
	demanded := maps.Clone(reported)
	maps.Copy(demanded, v.Error)
	return (v.Requests == nil || slices.Equal(sent, requests)) && (v.IDs == nil || slices.Equal(ids, v.IDs)) &&
		(v.Error == nil || fmt.Sprint(reported) == fmt.Sprint(demanded) && reported["code"] != nil && reported["details"] != nil)
}

func main() {
	var v vector
	var sent []string
	world := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/.well-known/world.json" {
			fmt.Fprintf(w, `{"protocol": "world/0.1", "endpoints": {"api": %q}}`, v.API)
			return
		}
		answer := v.Answers[min(len(sent), len(v.Answers)-1)]
		sent = append(sent, shown(r))
		w.WriteHeader(answer.Status)
		fmt.Fprint(w, answer.Body)
	}))
	passed, failed := 0, 0
	for _, kind := range []string{"calls", "cursors", "errors", "walks"} {
		var file struct{ Cases []vector }
		text, _ := os.ReadFile(os.Args[1] + "/" + kind + ".json")
		json.Unmarshal(bytes.ReplaceAll(text, []byte("https://sol.example"), []byte(world.URL)), &file)
		for _, v = range slices.DeleteFunc(file.Cases, func(v vector) bool { return v.Profile != "level-1" }) {
			sent = nil
			var stderr strings.Builder
			command := exec.Command(os.Args[2], append(os.Args[3:], v.Arguments...)...)
			command.Stderr = &stderr
			stdout, _ := command.Output()
			if v.passes(sent, stdout, strings.TrimSpace(stderr.String())) {
				passed++
			} else {
				failed++
				fmt.Println("failed:", v.Arguments)
			}
		}
	}
	fmt.Println(passed, "passed,", failed, "failed")
	os.Exit(min(failed, 1))
}
