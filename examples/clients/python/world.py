#!/usr/bin/env python3
"""Reads any world/0.1 world, using only Python's standard library.

    world.py show|get|list|discover ORIGIN … --json       (a token: WORLD_TOKEN)
"""

import argparse
import json
import os
import sys
from http.client import HTTPException
from unicodedata import category
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

MAX_BYTES = 16 * 1024 * 1024
WELL_KNOWN = "/.well-known/world.json"
# The specification leaves these names open. The first one present is used.
LISTS = ("entities", "items", "results", "data", "matches")
CURSORS = ("nextCursor", "next_cursor", "next", "cursor", "nextPageToken", "next_page_token", "after",
           "continuationToken")


class WorldError(Exception):
    def __init__(self, status, code, url, details=None):
        super().__init__(code)
        self.report = {"status": status, "code": code, "details": details or {}, "url": url}


class SameOrigin(HTTPRedirectHandler):
    """Never forwards a token to another origin."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            req.headers.pop("Authorization", None)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def no_number(text):
    """Rejects NaN and Infinity, which Python accepts but JSON does not."""
    raise ValueError(text)


def is_loopback(host):
    return host in ("localhost", "::1") or bool(host) and host.startswith("127.")


def origin_from(text):
    """Returns scheme, host and port. Without a scheme, assumes https, or http on loopback."""
    if "://" not in text:
        text = ("http://" if is_loopback(urlsplit(f"//{text}").hostname) else "https://") + text
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or parts.query or parts.fragment \
            or parts.path not in ("", "/", WELL_KNOWN):
        raise WorldError(0, "invalid_argument", f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
    return f"{parts.scheme}://{parts.netloc}"


class World:
    def __init__(self, origin):
        self.origin = origin_from(origin)
        self.opener = build_opener(SameOrigin)
        self.connect()

    def connect(self, **headers):
        url = self.origin + WELL_KNOWN
        try:
            self.document = document = self.request(url, headers)
        except WorldError as error:
            if error.report["code"] == "invalid_response":
                error.report["code"] = "not_a_world"
            raise
        endpoints = document.get("endpoints") if isinstance(document, dict) else None
        if not isinstance(endpoints, dict) or not isinstance(document.get("protocol"), str) or "api" not in endpoints:
            raise WorldError(200, "not_a_world", url)
        if document["protocol"] != "world/0.1":
            details = {"offered": document["protocol"], "supported": ["world/0.1"]}
            raise WorldError(200, "unsupported_protocol", url, details)
        api = endpoints["api"] if isinstance(endpoints["api"], str) else ""
        parts = urlsplit(api)
        if parts.scheme not in ("http", "https") or not parts.hostname or any(sign in api for sign in "@?#"):
            raise WorldError(200, "invalid_response", url)
        self.api = api if api.endswith("/") else api + "/"

    def call(self, path, body=None):
        headers, token = {}, os.environ.get("WORLD_TOKEN")
        if token:
            parts = urlsplit(self.api)
            is_plain = parts.scheme == "http" and not is_loopback(parts.hostname)
            # A discovery document must not be able to redirect the token to another origin.
            if is_plain or f"{parts.scheme}://{parts.netloc}" != self.origin:
                raise WorldError(0, "insecure_endpoint", self.api)
            headers["Authorization"] = f"Bearer {token}"
        try:
            return self.request(self.api + path, headers, body)
        except WorldError as error:
            # If the operator has moved the API, the discovery document has its new address.
            if error.report["code"] not in ("api_moved", "network_error", "http_404"):
                raise
            before, world = self.api, self.document.get("world")
            self.connect(**{"Cache-Control": "no-cache"})
            if self.document.get("world") != world:
                raise WorldError(0, "world_mismatch", self.origin) from error
            if self.api == before:
                raise
            return self.request(self.api + path, headers, body)

    def request(self, url, headers, body=None):
        headers = {"Accept": "application/json", **headers}
        if body is not None:
            headers["Content-Type"], body = "application/json", json.dumps(body).encode()
        try:
            with self.opener.open(Request(url, body, headers), timeout=20) as response:
                text = response.read(MAX_BYTES + 1)
                if len(text) > MAX_BYTES:
                    raise WorldError(response.status, "response_too_large", url)
                return json.loads(text, parse_constant=no_number)
        except HTTPError as error:
            raise self.failure(error, url) from None
        except (ValueError, HTTPException) as error:
            raise WorldError(200, "invalid_response", url) from error
        except OSError as error:
            is_late = isinstance(getattr(error, "reason", error), TimeoutError)
            raise WorldError(0, "timeout" if is_late else "network_error", url) from error

    def failure(self, error, url):
        try:
            body = json.loads(error.read(MAX_BYTES))
            for inner in (body.get("error"), (body.get("errors") or [None])[0], body):
                if isinstance(inner, dict) and isinstance(inner.get("code"), (str, int)):
                    return WorldError(error.code, str(inner["code"]), url, inner.get("details"))
        except (ValueError, AttributeError, KeyError, TypeError):
            pass
        return WorldError(error.code, f"http_{error.code}", url)


def part(text):
    """Escapes a path component. Refuses names that a URL cannot contain before anything is sent."""
    if not text or any(category(sign) == "Cc" for sign in text) or {".", ".."} & set(text.replace("\\", "/").split("/")):
        raise WorldError(0, "invalid_argument", "")
    return quote(text, safe="")


def pages(world, kind, limit, every):
    query, seen, count = ({"limit": limit} if limit is not None else {}), set(), 0
    while True:
        path = f"entities/{part(kind)}" + (f"?{urlencode(query)}" if query else "")
        page = world.call(path)
        members = page if isinstance(page, dict) else {}
        entities = next((members[name] for name in LISTS if isinstance(members.get(name), list)), None)
        if entities is None:
            raise WorldError(200, "invalid_response", world.api + path, {"members": list(members)})
        yield from entities
        count += len(entities)
        cursor = next((members[name] for name in CURSORS if members.get(name) is not None), None)
        if every and not cursor and members.get("total", 0) > count:
            # There are more pages, but the cursor has an unknown name.
            raise WorldError(200, "invalid_response", world.api + path, {"members": list(members)})
        if not every or not cursor:
            return
        if cursor in seen:
            raise WorldError(200, "pagination_loop", world.api + path)
        seen.add(cursor)
        query["cursor"] = cursor


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in {"show": [], "get": ["type", "id"], "list": ["type"], "discover": ["text"]}.items():
        command = commands.add_parser(name)
        command.add_argument("origin")
        for word in words:
            command.add_argument(word, nargs="?" if word == "text" else None)
        command.add_argument("--json", action="store_true")
        command.add_argument("--limit", type=int)
        command.add_argument("--all", action="store_true")
        command.add_argument("--type", action="append", dest="types")
    asked = parser.parse_args()
    try:
        world = World(asked.origin)
        if asked.command == "show":
            print(json.dumps(world.document))
        elif asked.command == "get":
            print(json.dumps(world.call(f"entities/{part(asked.type)}/{part(asked.id)}")))
        elif asked.command == "list":
            for entity in pages(world, asked.type, asked.limit, asked.all):
                print(json.dumps(entity))
        else:
            wanted = {"types": asked.types, "text": asked.text, "limit": asked.limit}
            given = {name: value for name, value in wanted.items() if value is not None}
            print(json.dumps(world.call("actions/wp%3Adiscover", {"input": given})))
    except WorldError as error:
        print(json.dumps(error.report), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
