"""A world of novels and their authors: Level 1 of world/0.1, using only Python's standard library.

    python3 novels.py [PORT]        # 0 takes a free port; the origin is printed
"""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

API = "/fiction/api"
PAGE, MAX_PAGE = 10, 40

AUTHORS = {
    1: ("Jane Austen", 1775), 2: ("Charles Dickens", 1812), 3: ("Charlotte Brontë", 1816),
    4: ("Emily Brontë", 1818), 5: ("George Eliot", 1819), 6: ("Herman Melville", 1819),
    7: ("Gustave Flaubert", 1821), 8: ("Фёдор Достоевский", 1821), 9: ("Лев Толстой", 1828),
    10: ("Thomas Hardy", 1840), 11: ("Henry James", 1843), 12: ("Theodor Fontane", 1819),
}

NOVELS = [
    ("Sense and Sensibility", 1, 1811), ("Pride and Prejudice", 1, 1813), ("Mansfield Park", 1, 1814),
    ("Emma", 1, 1815), ("Persuasion", 1, 1817), ("Northanger Abbey", 1, 1817), ("Oliver Twist", 2, 1839),
    ("Nicholas Nickleby", 2, 1839), ("David Copperfield", 2, 1850), ("Bleak House", 2, 1853),
    ("Hard Times", 2, 1854), ("Little Dorrit", 2, 1857), ("A Tale of Two Cities", 2, 1859),
    ("Great Expectations", 2, 1861), ("Our Mutual Friend", 2, 1865), ("Jane Eyre", 3, 1847),
    ("Shirley", 3, 1849), ("Villette", 3, 1853), ("Wuthering Heights", 4, 1847), ("Adam Bede", 5, 1859),
    ("The Mill on the Floss", 5, 1860), ("Silas Marner", 5, 1861), ("Middlemarch", 5, 1872),
    ("Daniel Deronda", 5, 1876), ("Typee", 6, 1846), ("Omoo", 6, 1847), ("Moby-Dick", 6, 1851),
    ("Madame Bovary", 7, 1857), ("Salammbô", 7, 1862), ("L’Éducation sentimentale", 7, 1869),
    ("Преступление и наказание", 8, 1866), ("Идиот", 8, 1869), ("Бесы", 8, 1872),
    ("Братья Карамазовы", 8, 1880), ("Война и мир", 9, 1869), ("Анна Каренина", 9, 1877),
    ("Far from the Madding Crowd", 10, 1874), ("Tess of the d’Urbervilles", 10, 1891),
    ("Jude the Obscure", 10, 1895), ("The Portrait of a Lady", 11, 1881),
    ("The Wings of the Dove", 11, 1902), ("Effi Briest", 12, 1895), ("Der Stechlin", 12, 1898),
]


def author(number):
    name, born = AUTHORS[number]
    return {"kind": "fic:author", "number": number, "name": name, "born": born}


def novel(number):
    title, by, year = NOVELS[number - 1]
    return {"kind": "fic:novel", "number": number, "name": title, "year": year,
            "author": {"kind": "fic:author", "number": by}}


SHELVES = {
    "fic:author": [author(number) for number in AUTHORS],
    "fic:novel": [novel(number) for number in range(1, len(NOVELS) + 1)],
}


class Fault(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.body = status, {"error": {"code": code, "message": message}}


def shelf(kind):
    if kind not in SHELVES:
        raise Fault(404, "no-such-kind", f"There is no kind {kind} here.")
    return SHELVES[kind]


def page(kind, query):
    """Returns one page of a kind. The cursor is the index of the last entity in base64."""
    entities = shelf(kind)
    limit = query.get("limit", [str(PAGE)])[0]
    if not (limit.isascii() and limit.isdigit()):
        raise Fault(400, "bad-limit", "limit is a whole number of 0 or more.")
    limit = min(int(limit), MAX_PAGE)
    after = 0
    if "cursor" in query:
        try:
            after = int(base64.b64decode(query["cursor"][0], validate=True).decode().removeprefix("after "))
        except ValueError as error:
            raise Fault(400, "bad-cursor", "This cursor is none of ours.") from error
    rest = [entity for entity in entities if entity["number"] > after]
    shown = rest[:limit]
    more = limit > 0 and len(rest) > limit
    cursor = base64.b64encode(f"after {shown[-1]['number']}".encode()).decode() if more else None
    return {"members": shown, "count": len(entities), "next": cursor}


def one(kind, number):
    for entity in shelf(kind):
        if str(entity["number"]) == number:
            return entity
    raise Fault(404, "no-such-entity", f"There is no {kind} {number}.")


def discover(body):
    if not isinstance(body, dict) or not isinstance(body.get("input"), dict):
        raise Fault(400, "bad-input", "The body is an object with an object named input.")
    asked = body["input"]
    kinds, text, limit = asked.get("types") or list(SHELVES), asked.get("text") or "", asked.get("limit", PAGE)
    if not isinstance(kinds, list) or not isinstance(text, str) or isinstance(limit, bool) \
            or not isinstance(limit, int) or limit < 0:
        raise Fault(400, "bad-input", "types is a list, text a string, limit a whole number.")
    words = text.casefold().split()
    hits = [entity for kind in kinds for entity in SHELVES.get(kind, [])
            if all(word in entity["name"].casefold() for word in words)]
    return {"result": {"members": hits[:min(limit, MAX_PAGE)], "count": len(hits)}}


class World(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Sends head and body in one write.
    wbufsize = -1

    def document(self):
        origin = f"http://{self.headers.get('Host', 'localhost')}"
        return {"protocol": "world/0.1", "worldId": "urn:example:novels", "label": "Novels of the 19th century",
                "endpoints": {"api": origin + API}, "kinds": ["fic:author", "fic:novel"],
                "operations": ["wp:discover"]}

    def answer(self):
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        if path == "/.well-known/world.json":
            self.need("GET")
            return self.document()
        if not path.startswith(API + "/"):
            raise Fault(404, "nothing-here", "There is nothing at this path.")
        parts = [unquote(part) for part in path.removeprefix(API + "/").split("/")]
        if parts[0] == "entities" and len(parts) == 2:
            self.need("GET")
            return page(parts[1], query)
        if parts[0] == "entities" and len(parts) == 3:
            self.need("GET")
            return one(parts[1], parts[2])
        if parts == ["actions", "wp:discover"]:
            self.need("POST")
            return discover(self.body())
        raise Fault(404, "nothing-here", "There is nothing at this path.")

    def need(self, method):
        if self.command not in (method, "HEAD" if method == "GET" else method):
            raise Fault(405, "wrong-method", f"Only {method} works here.")

    def body(self):
        try:
            return json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        except ValueError as error:
            raise Fault(400, "bad-json", "The body is not JSON.") from error

    def do_GET(self):
        try:
            status, answer = 200, self.answer()
        except Fault as fault:
            status, answer = fault.status, fault.body
            self.close_connection = True
        text = json.dumps(answer, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def do_OPTIONS(self):
        self.send_response(204)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "Accept, Content-Type")
        self.end_headers()

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000), World)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
