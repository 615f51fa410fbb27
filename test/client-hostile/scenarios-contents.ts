/** Hostile worlds whose lists, errors and documents are inconsistent. */
import { answer, behind, documentOf, isDiscovery, type Reply } from './hostile-world.ts'
import type { Scenario } from './scenarios.ts'

const whole =
  (status: number, body: string | Buffer, headers?: Record<string, string>): Reply =>
  (socket) =>
    answer(socket, status, body, headers)

const short = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** Returns all scenarios in which the content of a response is hostile. */
export function contents(): Scenario[] {
  return [...lists(), ...failures(), ...odd()]
}

function lists(): Scenario[] {
  const page = (nextCursor: unknown) => JSON.stringify({ entities: [{ id: 'a' }], nextCursor })
  const wrong = [
    '{}',
    '{"entities":{}}',
    '{"entities":null}',
    '{"rows":[]}',
    '{"entities":"[]"}',
    '{"data":{"items":[]}}',
  ]
  return [
    ...wrong.flatMap((body): Scenario[] => [
      { name: `a page is ${body}`, op: 'walk', reply: behind(whole(200, body)), expect: 'invalid_response' },
      {
        name: `an output is ${body}`,
        op: 'discover',
        reply: behind(whole(200, `{"output":${body}}`)),
        expect: 'invalid_response',
      },
    ]),
    ...['null', '5', '[]', '"x"', 'false'].map(
      (output): Scenario => ({
        name: `the output is ${output}`,
        op: 'discover',
        reply: behind(whole(200, `{"output":${output}}`)),
        expect: 'invalid_response',
      }),
    ),
    ...[5, true, {}, [], '', 'x'.repeat(5000)].map(
      (cursor): Scenario => ({
        name: `a cursor is ${short(JSON.stringify(cursor))}`,
        op: 'walk',
        reply: behind(whole(200, page(cursor))),
        expect: 'invalid_response',
      }),
    ),
    {
      name: 'a cursor leads to itself',
      op: 'walk',
      reply: behind(whole(200, page('x'))),
      expect: 'pagination_loop',
    },
    {
      name: 'two cursors lead to each other',
      op: 'walk',
      reply: behind((socket, request) => answer(socket, 200, page(request.includes('cursor=a') ? 'b' : 'a'))),
      expect: 'pagination_loop',
    },
    {
      name: 'a hundred cursors lead in a circle',
      op: 'walk',
      reply: behind((socket, _, { asked }) => answer(socket, 200, page(`c${asked % 100}`))),
      expect: 'pagination_loop',
    },
    {
      name: 'empty pages have new cursors forever',
      op: 'walk',
      reply: behind((socket, _, { asked }) => answer(socket, 200, `{"entities":[],"nextCursor":"${asked}"}`)),
      expect: ['pagination_loop'],
    },
    {
      name: 'a cursor is refused',
      op: 'walk',
      reply: behind((socket, request) =>
        request.includes('cursor=')
          ? answer(socket, 400, '{"code":"invalid_cursor","message":"No."}')
          : answer(socket, 200, page('x')),
      ),
      expect: 'invalid_cursor',
    },
    {
      name: 'the second page is HTML',
      op: 'walk',
      reply: behind((socket, request) =>
        answer(socket, 200, request.includes('cursor=') ? '<html>' : page('x')),
      ),
      expect: 'invalid_response',
    },
  ]
}

function failures(): Scenario[] {
  const noError = [
    '',
    '<html>',
    'null',
    '[]',
    '{"code":5,"message":"x"}',
    '{"error":{"code":"x","message":"y"}}',
    '{"code":"x"}',
    '{"code":"x","message":null}',
    '\u0000',
    '['.repeat(50_000),
  ]
  return [
    ...noError.map(
      (body): Scenario => ({
        name: `403 with ${short(body)}`,
        op: 'get',
        reply: behind(whole(403, body)),
        expect: 'http_403',
      }),
    ),
    ...[400, 401, 404, 406, 418, 429, 451, 500, 502, 503, 504, 511, 599].map(
      (status): Scenario => ({
        name: `${status} with a page of a proxy`,
        op: 'get',
        reply: behind(whole(status, '<h1>Sorry</h1>')),
        expect: `http_${status}`,
      }),
    ),
    ...['99999999', '-1', 'soon', 'Fri, 31 Dec 9999 23:59:59 GMT', '1e9'].map(
      (after): Scenario => ({
        name: `429 with Retry-After ${after}`,
        op: 'get',
        reply: behind(whole(429, '{"code":"rate_limited","message":"x"}', { 'Retry-After': after })),
        expect: 'rate_limited',
      }),
    ),
    {
      name: 'an error whose details, request id and code are hostile',
      op: 'get',
      reply: behind(whole(400, '{"code":"__proto__","message":"x","details":[1],"requestId":{}}')),
      expect: '__proto__',
    },
    {
      name: 'the API has moved, again and again',
      op: 'get',
      reply: (socket, request, place) =>
        isDiscovery(request)
          ? answer(socket, 200, documentOf(`${place.origin}/w${place.asked}`))
          : answer(socket, 410, '{"code":"api_moved","message":"x"}'),
      expect: 'api_moved',
    },
    {
      name: 'after the move another world answers',
      op: 'get',
      reply: (socket, request, place) =>
        isDiscovery(request)
          ? answer(socket, 200, documentOf(`${place.origin}/w`, { world: { id: `urn:${place.asked}` } }))
          : answer(socket, 410, '{"code":"api_moved","message":"x"}'),
      expect: 'world_mismatch',
    },
    {
      name: 'after the move there is no world',
      op: 'get',
      reply: (socket, request, place) =>
        isDiscovery(request) && place.asked === 1
          ? answer(socket, 200, documentOf(`${place.origin}/w`))
          : isDiscovery(request)
            ? answer(socket, 200, '{}')
            : answer(socket, 404, 'gone'),
      expect: 'not_a_world',
    },
  ]
}

function odd(): Scenario[] {
  const hostileKeys = '{"id":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  return [
    {
      name: 'an entity with keys of prototypes',
      op: 'get',
      reply: behind(whole(200, hostileKeys)),
      expect: 'ok',
    },
    {
      name: 'actions of a document are no list',
      op: 'action',
      reply: (socket, request, { origin }) =>
        answer(
          socket,
          isDiscovery(request) ? 200 : 500,
          documentOf(`${origin}/w`, { actions: { name: 'sol:count' } }),
        ),
      expect: 'http_500',
    },
    {
      name: 'actions of a document are nulls',
      op: 'action',
      reply: (socket, request, { origin }) =>
        answer(
          socket,
          isDiscovery(request) ? 200 : 500,
          documentOf(`${origin}/w`, { actions: [null, 5, 'x', []] }),
        ),
      expect: 'http_500',
    },
    {
      name: 'world is a text and id a number',
      op: 'get',
      reply: (socket, request, { origin }) =>
        answer(socket, isDiscovery(request) ? 200 : 500, documentOf(`${origin}/w`, { world: 'x' })),
      expect: 'http_500',
    },
    {
      name: 'UTF-16',
      op: 'connect',
      reply: whole(200, Buffer.from('{"protocol":"world/0.1"}', 'utf16le')),
      expect: 'not_a_world',
    },
    {
      name: 'broken UTF-8',
      op: 'connect',
      reply: whole(200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      expect: 'not_a_world',
    },
  ]
}
