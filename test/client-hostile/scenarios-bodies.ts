/** Hostile worlds whose responses are complete, but have invalid bodies. */
import { answer, behind, type Reply } from './hostile-world.ts'
import type { Scenario } from './scenarios.ts'

const NO_OBJECT = [
  '',
  ' ',
  'null',
  'true',
  '5',
  '"text"',
  '[]',
  '[{}]',
  '{',
  '{]',
  '{"a":}',
  "{'a':1}",
  '{"a":1,}',
  'NaN',
  '{}{}',
  '<!doctype html><title>world</title>',
  '<?xml version="1.0"?><world/>',
  '\u0000',
  '\ufeff',
  'undefined',
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  '{"a":"\\ud800',
  '{"a":1e',
  '{"a":\u0001}',
]

const NO_WORLD = [
  '{}',
  '{"protocol":null}',
  '{"protocol":5}',
  '{"protocol":[]}',
  '{"protocol":["world/0.1"]}',
  '{"protocol":{}}',
  '{"protocol":{"toString":1}}',
  '{"protocol":""}',
  '{"protocol":"world"}',
  '{"protocol":"WORLD/0.1"}',
  '{"protocol":" world/0.1"}',
  '{"protocol":"http/1.1"}',
  '{"__proto__":{"protocol":"world/0.1"}}',
  // A file of other software that is also called `world.json`.
  '{"name":"world","version":"1.21","spawn":[0,64,0],"seed":-4172144997902289642}',
  '{"world":{"id":"urn:x","name":"Earth"},"regions":[{"id":1}]}',
  '{"type":"Topology","objects":{"countries":{}},"arcs":[]}',
  '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"world"}',
  '{"code":"not_found","message":"Nothing here."}',
]

const OTHER_VERSIONS = ['world/0.2', 'world/1.0', 'world/', 'world/0.10', 'world/0.1 ', 'world/0.1\n']

const NO_ENDPOINT = [
  'null',
  '5',
  '""',
  '"/w"',
  '"//h.example/w"',
  '"w"',
  '"ftp://h.example/w"',
  '"file:///etc/passwd"',
  '"javascript:alert(1)"',
  '"data:application/json,{}"',
  '"ws://h.example"',
  '"http://"',
  '"http://u:p@h.example/w"',
  '"http://h.example/w?x=1"',
  '"http://h.example/w#x"',
  '" http://h.example/w"',
  '"http://h.example/a b"',
  '"http://[::1/w"',
  '"http://h.example:99999/w"',
  '"http:\\\\\\\\h.example"',
  '["http://h.example"]',
  '{"toString":"http://h.example"}',
  '"http://h.example/w\\n"',
  '"http://@h.example/"',
]

const whole =
  (status: number, body: string | Buffer, headers?: Record<string, string>): Reply =>
  (socket) =>
    answer(socket, status, body, headers)

const short = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** Returns all scenarios with a hostile body. */
export function bodies(): Scenario[] {
  return [
    ...[...NO_OBJECT, ...NO_WORLD].map(
      (body): Scenario => ({
        name: `discovery is ${short(body)}`,
        op: 'connect',
        reply: whole(200, body),
        expect: 'not_a_world',
      }),
    ),
    ...OTHER_VERSIONS.map(
      (protocol): Scenario => ({
        name: `discovery says ${short(protocol)}`,
        op: 'connect',
        reply: whole(200, JSON.stringify({ protocol, endpoints: { api: 'http://127.0.0.1:1/' } })),
        expect: 'unsupported_protocol',
      }),
    ),
    ...NO_ENDPOINT.map(
      (api): Scenario => ({
        name: `endpoints.api is ${short(api)}`,
        op: 'get',
        reply: whole(200, `{"protocol":"world/0.1","endpoints":{"api":${api}}}`),
        expect: 'invalid_response',
      }),
    ),
    ...['null', '[]', '"http://h.example"', '{}', '5'].map(
      (endpoints): Scenario => ({
        name: `endpoints is ${endpoints}`,
        op: 'get',
        reply: whole(200, `{"protocol":"world/0.1","endpoints":${endpoints}}`),
        expect: 'invalid_response',
      }),
    ),
    ...NO_OBJECT.map(
      (body): Scenario => ({
        name: `an entity is ${short(body)}`,
        op: 'get',
        reply: behind(whole(200, body)),
        expect: 'invalid_response',
      }),
    ),
  ]
}
