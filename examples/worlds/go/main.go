// A world of chemical elements: Level 1 of world/0.1, using only Go's standard library.
//
//	go run main.go [PORT]        // 0 takes a free port; the origin is printed
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
)

const api = "/v3/chemistry"

// Symbols and names by atomic number.
const table = `H Hydrogen He Helium Li Lithium Be Beryllium B Boron C Carbon N Nitrogen O Oxygen F Fluorine Ne Neon
Na Sodium Mg Magnesium Al Aluminium Si Silicon P Phosphorus S Sulfur Cl Chlorine Ar Argon K Potassium Ca Calcium
Sc Scandium Ti Titanium V Vanadium Cr Chromium Mn Manganese Fe Iron Co Cobalt Ni Nickel Cu Copper Zn Zinc
Ga Gallium Ge Germanium As Arsenic Se Selenium Br Bromine Kr Krypton Rb Rubidium Sr Strontium Y Yttrium
Zr Zirconium Nb Niobium Mo Molybdenum Tc Technetium Ru Ruthenium Rh Rhodium Pd Palladium Ag Silver Cd Cadmium
In Indium Sn Tin Sb Antimony Te Tellurium I Iodine Xe Xenon Cs Caesium Ba Barium La Lanthanum Ce Cerium
Pr Praseodymium Nd Neodymium Pm Promethium Sm Samarium Eu Europium Gd Gadolinium Tb Terbium Dy Dysprosium
Ho Holmium Er Erbium Tm Thulium Yb Ytterbium Lu Lutetium Hf Hafnium Ta Tantalum W Tungsten Re Rhenium Os Osmium
Ir Iridium Pt Platinum Au Gold Hg Mercury Tl Thallium Pb Lead Bi Bismuth Po Polonium At Astatine Rn Radon
Fr Francium Ra Radium Ac Actinium Th Thorium Pa Protactinium U Uranium Np Neptunium Pu Plutonium Am Americium
Cm Curium Bk Berkelium Cf Californium Es Einsteinium Fm Fermium Md Mendelevium No Nobelium Lr Lawrencium
Rf Rutherfordium Db Dubnium Sg Seaborgium Bh Bohrium Hs Hassium Mt Meitnerium Ds Darmstadtium Rg Roentgenium
Cn Copernicium Nh Nihonium Fl Flerovium Mc Moscovium Lv Livermorium Ts Tennessine Og Oganesson`

// Element is an entity: an element, identified by its symbol, or a period.
type Element struct {
	EntityType string `json:"entityType"`
	EntityID   string `json:"entityId"`
	Name       string `json:"displayName"`
	Data       struct {
		AtomicNumber int     `json:"atomicNumber,omitempty"`
		LastNumber   int     `json:"lastAtomicNumber,omitempty"`
		Period       *Period `json:"period,omitempty"`
	} `json:"data"`
}

// Period references a period of the periodic table.
type Period struct {
	Rel        string `json:"rel"`
	EntityType string `json:"entityType"`
	EntityID   string `json:"entityId"`
}

var world = map[string][]Element{}

func init() {
	ends := []int{2, 10, 18, 36, 54, 86, 118}
	for i, last := range ends {
		period := Element{EntityType: "chem:period", EntityID: strconv.Itoa(i + 1), Name: fmt.Sprintf("Period %d", i+1)}
		period.Data.LastNumber = last
		world["chem:period"] = append(world["chem:period"], period)
	}
	words := strings.Fields(table)
	for i := 0; i < len(words); i += 2 {
		e := Element{EntityType: "chem:element", EntityID: words[i], Name: words[i+1]}
		e.Data.AtomicNumber = i/2 + 1
		for p, last := range ends {
			if e.Data.AtomicNumber <= last {
				e.Data.Period = &Period{"part-of", "chem:period", strconv.Itoa(p + 1)}
				break
			}
		}
		world["chem:element"] = append(world["chem:element"], e)
	}
}

type fault struct {
	status        int
	code, message string
}

func (f fault) Error() string { return f.message }

func document(r *http.Request) (any, error) {
	return map[string]any{
		"protocol":  "world/0.1",
		"identity":  map[string]string{"uri": "tag:chem.example,2026:elements", "title": "The elements"},
		"endpoints": map[string]string{"api": "http://" + r.Host + api},
		"types": map[string]any{
			"chem:element": map[string]string{"label": "Element"},
			"chem:period":  map[string]string{"label": "Period"},
		},
		"actions": map[string]any{"wp:discover": map[string]string{"summary": "Search by name"}},
	}, nil
}

func entitiesOf(name string) ([]Element, error) {
	all, ok := world[name]
	if !ok {
		return nil, fault{404, "UNKNOWN_TYPE", "no type " + name}
	}
	return all, nil
}

func list(r *http.Request) (any, error) {
	all, err := entitiesOf(r.PathValue("type"))
	if err != nil {
		return nil, err
	}
	limit := uint64(25)
	if text := r.URL.Query().Get("limit"); r.URL.Query().Has("limit") {
		if limit, err = strconv.ParseUint(text, 10, 32); err != nil {
			return nil, fault{400, "INVALID_LIMIT", "limit must be a non-negative integer"}
		}
	}
	limit = min(limit, 50)
	start := 0
	if token := r.URL.Query().Get("cursor"); r.URL.Query().Has("cursor") {
		if start, err = strconv.Atoi(strings.TrimPrefix(token, "offset+")); err != nil || start < 0 || start > len(all) {
			return nil, fault{400, "INVALID_CURSOR", "not a cursor of this list"}
		}
	}
	end := min(start+int(limit), len(all))
	token := ""
	if limit > 0 && end < len(all) {
		token = "offset+" + strconv.Itoa(end)
	}
	return map[string]any{
		"page": map[string]any{"data": all[start:end], "nextPageToken": token, "totalSize": len(all)},
	}, nil
}

func get(r *http.Request) (any, error) {
	all, err := entitiesOf(r.PathValue("type"))
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.EntityID == r.PathValue("id") {
			return map[string]any{"item": e}, nil
		}
	}
	return nil, fault{404, "NOT_FOUND", "no such entity"}
}

func discover(r *http.Request) (any, error) {
	var body struct {
		Input *struct {
			Types []string `json:"types"`
			Text  string   `json:"text"`
			Limit *uint    `json:"limit"`
		} `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Input == nil {
		return nil, fault{400, "INVALID_INPUT", "want {\"input\": {types, text, limit}}"}
	}
	types, limit := body.Input.Types, uint(25)
	if len(types) == 0 {
		types = []string{"chem:element", "chem:period"}
	}
	if body.Input.Limit != nil {
		limit = min(*body.Input.Limit, 50)
	}
	hits := []Element{}
	for _, name := range types {
		for _, e := range world[name] {
			if uint(len(hits)) < limit && strings.Contains(strings.ToLower(e.Name), strings.ToLower(body.Input.Text)) {
				hits = append(hits, e)
			}
		}
	}
	return map[string]any{"found": hits}, nil
}

func answer(method string, make func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method == "OPTIONS" {
			w.Header().Set("Access-Control-Allow-Headers", "Accept, Content-Type")
			w.WriteHeader(204)
			return
		}
		var body any
		err := error(fault{405, "METHOD_NOT_ALLOWED", "use " + method})
		if r.Method == method || method == "GET" && r.Method == "HEAD" {
			body, err = make(r)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		var f fault
		if errors.As(err, &f) {
			w.WriteHeader(f.status)
			body = map[string]any{"errors": []any{map[string]string{"code": f.code, "message": f.message}}}
		}
		json.NewEncoder(w).Encode(body)
	}
}

func main() {
	port := "8000"
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/world.json", answer("GET", document))
	mux.HandleFunc(api+"/entities/{type}", answer("GET", list))
	mux.HandleFunc(api+"/entities/{type}/{id}", answer("GET", get))
	mux.HandleFunc(api+"/actions/wp:discover", answer("POST", discover))
	mux.HandleFunc("/", answer("GET", func(*http.Request) (any, error) {
		return nil, fault{404, "NO_ROUTE", "nothing here"}
	}))
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	log.Fatal(http.Serve(listener, mux))
}
