// Reads any world/0.1 world, using only Go's standard library.
//
//	world show|get|list|discover ORIGIN … --json       (a token: WORLD_TOKEN)
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	maxBytes  = 16 << 20
	wellKnown = "/.well-known/world.json"
)

// The specification leaves these names open. The first one present is used.
var (
	lists   = []string{"entities", "items", "results", "data", "matches"}
	cursors = []string{"nextCursor", "next_cursor", "next", "cursor", "nextPageToken", "next_page_token", "after",
		"continuationToken"}
)

type object = map[string]any

// Failure is the error of a failed call, as written to stderr.
type Failure struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Details any    `json:"details"`
	URL     string `json:"url"`
}

func (f *Failure) Error() string { return f.Code }

func fail(status int, code, at string, details any) error {
	if details == nil {
		details = object{}
	}
	return &Failure{status, code, details, at}
}

func hasCode(err error, codes ...string) bool {
	var f *Failure
	return errors.As(err, &f) && slices.Contains(codes, f.Code)
}

// World is a world's discovery document and the address of its API.
type World struct {
	origin, api string
	document    any
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

func connect(address string) (*World, error) {
	if !strings.Contains(address, "://") {
		scheme := "https://"
		if u, err := url.Parse("//" + address); err == nil && isLoopback(u.Hostname()) {
			scheme = "http://"
		}
		address = scheme + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" ||
		!slices.Contains([]string{"", "/", wellKnown}, u.Path) {
		return nil, fail(0, "invalid_argument", "", nil)
	}
	w := &World{origin: u.Scheme + "://" + u.Host}
	return w, w.discover(nil)
}

func (w *World) discover(header http.Header) error {
	at := w.origin + wellKnown
	document, err := request("GET", at, nil, header)
	if err != nil {
		if hasCode(err, "invalid_response") {
			return fail(200, "not_a_world", at, nil)
		}
		return err
	}
	members, _ := document.(object)
	endpoints, _ := members["endpoints"].(object)
	protocol, isText := members["protocol"].(string)
	if !isText || endpoints["api"] == nil {
		return fail(200, "not_a_world", at, nil)
	}
	if protocol != "world/0.1" {
		return fail(200, "unsupported_protocol", at, object{"offered": protocol, "supported": []string{"world/0.1"}})
	}
	api, _ := endpoints["api"].(string)
	u, err := url.Parse(api)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(api, "@?#") {
		return fail(200, "invalid_response", at, nil)
	}
	if !strings.HasSuffix(api, "/") {
		api += "/"
	}
	w.document, w.api = document, api
	return nil
}

func (w *World) call(method, path string, body any) (any, error) {
	answer, err := w.once(method, path, body)
	// If the operator has moved the API, the discovery document has its new address.
	if !hasCode(err, "api_moved", "network_error", "http_404") {
		return answer, err
	}
	before, known := w.api, w.document.(object)["world"]
	if moved := w.discover(http.Header{"Cache-Control": {"no-cache"}}); moved != nil {
		return nil, moved
	}
	if fmt.Sprint(w.document.(object)["world"]) != fmt.Sprint(known) {
		return nil, fail(0, "world_mismatch", w.origin, nil)
	}
	if w.api == before {
		return nil, err
	}
	return w.once(method, path, body)
}

func (w *World) once(method, path string, body any) (any, error) {
	header := http.Header{}
	if token := os.Getenv("WORLD_TOKEN"); token != "" {
		u, _ := url.Parse(w.api)
		isPlain := u.Scheme == "http" && !isLoopback(u.Hostname())
		// A discovery document must not be able to redirect the token to another origin.
		if isPlain || u.Scheme+"://"+u.Host != w.origin {
			return nil, fail(0, "insecure_endpoint", w.api, nil)
		}
		header.Set("Authorization", "Bearer "+token)
	}
	return request(method, w.api+path, body, header)
}

func request(method, at string, body any, header http.Header) (any, error) {
	var sent io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, at, sent)
	if err != nil {
		return nil, fail(0, "invalid_argument", at, nil)
	}
	if header != nil {
		r.Header = header.Clone()
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{Timeout: 20 * time.Second, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		// Never forwards a token to another origin. Go itself would forward it to another port.
		if next.URL.Scheme != via[0].URL.Scheme || next.URL.Host != via[0].URL.Host {
			next.Header.Del("Authorization")
		}
		if len(via) >= 10 {
			return errors.New("too many redirects")
		}
		return nil
	}}
	response, err := client.Do(r)
	if err != nil {
		var late interface{ Timeout() bool }
		if errors.As(err, &late) && late.Timeout() {
			return nil, fail(0, "timeout", at, nil)
		}
		return nil, fail(0, "network_error", at, nil)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	if err != nil {
		return nil, fail(0, "network_error", at, nil)
	}
	if len(text) > maxBytes {
		return nil, fail(response.StatusCode, "response_too_large", at, nil)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	// Keeps the digits of numbers as received.
	decoder.UseNumber()
	var answer any
	err = decoder.Decode(&answer)
	if response.StatusCode >= 400 {
		return nil, failure(response.StatusCode, at, answer)
	}
	if err != nil || decoder.More() {
		return nil, fail(response.StatusCode, "invalid_response", at, nil)
	}
	return answer, nil
}

func failure(status int, at string, body any) error {
	members, _ := body.(object)
	nested, _ := members["error"].(object)
	listed, _ := members["errors"].([]any)
	candidates := []any{members, nested}
	for _, one := range append(candidates, listed...) {
		if fault, ok := one.(object); ok && fault["code"] != nil {
			return fail(status, fmt.Sprint(fault["code"]), at, fault["details"])
		}
	}
	return fail(status, "http_"+strconv.Itoa(status), at, nil)
}

// part escapes a path component. It refuses names that a URL cannot contain before anything is sent.
func part(text string) (string, error) {
	segments := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\\' })
	if text == "" || slices.Contains(segments, ".") || slices.Contains(segments, "..") ||
		strings.ContainsFunc(text, unicode.IsControl) {
		return "", fail(0, "invalid_argument", "", nil)
	}
	return strings.ReplaceAll(url.PathEscape(text), ":", "%3A"), nil
}

func (w *World) list(kind, limit string, every bool, print func(any)) error {
	query, seen, count := url.Values{}, map[any]bool{}, 0
	if limit != "" {
		query.Set("limit", limit)
	}
	for {
		path := "entities/" + kind
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		page, err := w.call("GET", path, nil)
		if err != nil {
			return err
		}
		members, _ := page.(object)
		entities, found := first[[]any](members, lists)
		unrecognised := fail(200, "invalid_response", w.api+path, object{"members": slices.Collect(maps.Keys(members))})
		if !found {
			return unrecognised
		}
		for _, entity := range entities {
			print(entity)
		}
		count += len(entities)
		cursor, _ := first[string](members, cursors)
		total, _ := first[json.Number](members, []string{"total"})
		// There are more pages, but the cursor has an unknown name.
		if all, err := total.Int64(); err == nil && every && cursor == "" && int(all) > count {
			return unrecognised
		}
		if !every || cursor == "" {
			return nil
		}
		if seen[cursor] {
			return fail(200, "pagination_loop", w.api+path, nil)
		}
		seen[cursor] = true
		query.Set("cursor", cursor)
	}
}

func first[T any](members object, names []string) (value T, found bool) {
	for _, name := range names {
		if value, found = members[name].(T); found {
			return value, true
		}
	}
	return value, false
}

func run(args []string) error {
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	print := func(value any) { output.Encode(value) }
	var words, types []string
	limit, every := "", false
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--all":
			every = true
		case args[i] == "--limit" && i+1 < len(args):
			i++
			limit = args[i]
		case args[i] == "--type" && i+1 < len(args):
			i++
			types = append(types, args[i])
		case args[i] != "--json":
			words = append(words, args[i])
		}
	}
	if len(words) < 2 {
		return fail(0, "invalid_argument", "", nil)
	}
	w, err := connect(words[1])
	if err != nil {
		return err
	}
	var answer any
	switch command, rest := words[0], words[2:]; {
	case command == "show":
		answer = w.document
	case command == "get" && len(rest) == 2:
		kind, wrong := part(rest[0])
		id, wrongID := part(rest[1])
		if err = errors.Join(wrong, wrongID); err == nil {
			answer, err = w.call("GET", "entities/"+kind+"/"+id, nil)
		}
	case command == "list" && len(rest) == 1:
		kind, wrong := part(rest[0])
		if wrong != nil {
			return wrong
		}
		return w.list(kind, limit, every, print)
	case command == "discover":
		input := object{}
		if len(rest) > 0 {
			input["text"] = strings.Join(rest, " ")
		}
		if types != nil {
			input["types"] = types
		}
		if limit != "" {
			input["limit"] = json.Number(limit)
		}
		answer, err = w.call("POST", "actions/wp%3Adiscover", object{"input": input})
	default:
		return fail(0, "invalid_argument", "", nil)
	}
	if err == nil {
		print(answer)
	}
	return err
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		var f *Failure
		errors.As(err, &f)
		json.NewEncoder(os.Stderr).Encode(f)
		os.Exit(1)
	}
}
