"""Runs the Level 1 vectors against the command of a client: python3 vectors.py FOLDER COMMAND..."""
import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, unquote

class World(BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0)) or b"{}"
        answer = {"status": 200, "body": json.dumps({"protocol": "world/0.1", "endpoints": {"api": world.case["api"]}})}
        if self.path != "/.well-known/world.json":
            answer = (world.case["answers"][len(world.sent):] or world.case["answers"])[0]
            world.sent.append((self.command, self.path, body, self.headers))
        self.send_response(answer["status"])
        self.end_headers()
        self.wfile.write(answer["body"].encode())
    do_POST, log_message = do_GET, lambda *_: None

def parts(address):
    path, _, query = address.removeprefix(origin).partition("?")
    return ":" in path, [unquote(part) for part in path.split("/")], parse_qs(query)

def check(case):
    world.case, world.sent = case, []
    ran = subprocess.run(sys.argv[2:] + case["arguments"], capture_output=True, text=True)
    for want, (method, address, body, headers) in zip(case.get("requests", []), world.sent, strict="requests" in case):
        assert (method, *parts(address)) == (want["method"], *parts(want["url"]))
        assert json.loads(body) == json.loads(want.get("body", "{}"))
        assert all(headers.get(name, "").startswith(value) for name, value in want["headers"].items())
    assert "ids" not in case or [json.loads(line)["id"] for line in ran.stdout.splitlines()] == case["ids"]
    if "error" in case:
        error = json.loads(ran.stderr.splitlines()[-1])
        assert ran.returncode and {"code", "details"} <= error.keys() and case["error"].items() <= error.items()

world, failed = HTTPServer(("127.0.0.1", 0), World), []
origin = f"http://127.0.0.1:{world.server_port}"
Thread(target=world.serve_forever, daemon=True).start()
texts = [Path(sys.argv[1], f"{kind}.json").read_text("utf-8") for kind in ("calls", "cursors", "errors", "walks")]
files = [json.loads(text.replace("https://sol.example", origin)) for text in texts]
cases = [case for file in files for case in file["cases"] if case["profile"] == "level-1"]
for case in cases:
    try:
        check(case)
    except (AssertionError, LookupError, ValueError) as fault:
        failed.append(f"failed: {case['rule']} {case['arguments']}: {fault!r}")
print(*failed, f"{len(cases) - len(failed)} passed, {len(failed)} failed", sep="\n")
sys.exit(len(failed) > 0)
