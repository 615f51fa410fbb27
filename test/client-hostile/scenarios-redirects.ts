/** Hostile worlds that redirect clients to other origins and to forbidden addresses. */
import { answer, behind, documentOf, isDiscovery, type Place, type Reply } from './hostile-world.ts'
import type { Scenario } from './scenarios.ts'

const to =
  (location: (place: Place) => string, status = 302): Reply =>
  (socket, _, place) =>
    answer(socket, status, '', { Location: location(place) })

/** Returns all scenarios with a hostile redirect. */
export function redirects(): Scenario[] {
  return [...loops(), ...foreign(), ...inner()]
}

function loops(): Scenario[] {
  return [
    {
      name: 'discovery redirects to itself',
      op: 'connect',
      reply: to(({ origin }) => `${origin}/.well-known/world.json`),
      expect: 'http_302',
    },
    { name: 'an entity redirects to itself', op: 'get', reply: behind(to(() => '')), expect: 'http_302' },
    {
      name: 'two addresses redirect to each other',
      op: 'get',
      reply: behind((socket, request, place) =>
        to(() => (request.includes('/a') ? '/b' : '/a'))(socket, request, place),
      ),
      expect: 'http_302',
    },
    {
      name: 'every redirect leads to a new address',
      op: 'get',
      reply: behind(to(({ asked }) => `/r${asked}`)),
      expect: 'http_302',
    },
    ...[
      'data:application/json,{}',
      'file:///etc/passwd',
      'ftp://h.example/',
      'javascript:1',
      'http://',
      'http://u:p@127.0.0.1/',
      'https://',
      'blob:x',
    ].map(
      (location): Scenario => ({
        name: `a redirect to ${location}`,
        op: 'get',
        reply: behind(to(() => location)),
        expect: 'http_302',
      }),
    ),
    {
      name: 'a redirect whose body has no end',
      op: 'get',
      reply: behind(
        (socket) =>
          void socket.write(
            `HTTP/1.1 302 X\r\nLocation: /a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nxxxxx\r\n`,
          ),
      ),
      expect: ['http_302', 'timeout', 'network_error'],
    },
  ]
}

/** Returns redirects to another origin. The other origin must not receive the token. */
function foreign(): Scenario[] {
  const there = ({ foreign: origin }: Place) => `${origin}/take`
  return [
    ...[301, 302, 303, 307, 308].flatMap((status): Scenario[] => [
      {
        name: `a ${status} of discovery to another origin`,
        op: 'connect',
        reply: to(there, status),
        expect: 'not_a_world',
      },
      {
        name: `a ${status} of a read to another origin`,
        op: 'get',
        reply: behind(to(there, status)),
        expect: 'ok',
      },
      {
        name: `a ${status} of a search to another origin`,
        op: 'discover',
        reply: behind(to(there, status)),
        expect: status < 307 ? `http_${status}` : 'invalid_response',
      },
      {
        name: `a ${status} of an action to another origin`,
        op: 'action',
        reply: behind(to(there, status)),
        expect: status < 307 ? `http_${status}` : 'ok',
      },
    ]),
    {
      name: 'a page redirects to another origin',
      op: 'walk',
      reply: behind(to(there)),
      expect: 'invalid_response',
    },
    {
      name: 'another origin under the name localhost',
      op: 'get',
      reply: behind(to(({ port }) => `http://localhost:${port}/x`)),
      expect: ['network_error', 'http_302', 'http_404', 'timeout'],
    },
  ]
}

const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  'localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.0.1',
  '[fd00:ec2::254]',
]

function inner(): Scenario[] {
  const portOf = ({ foreign: origin }: Place) => new URL(origin).port
  return PRIVATE.flatMap((host): Scenario[] => [
    {
      name: `endpoints.api points to ${host}`,
      op: 'get',
      guard: true,
      reply: (socket, request, place) =>
        answer(socket, 200, isDiscovery(request) ? documentOf(`http://${host}:${portOf(place)}/w`) : '{}'),
      expect: 'insecure_endpoint',
    },
    {
      name: `a redirect points to ${host}`,
      op: 'get',
      guard: true,
      reply: behind(to((place) => `http://${host}:${portOf(place)}/w`)),
      expect: 'insecure_endpoint',
    },
    {
      name: `discovery redirects to ${host}`,
      op: 'connect',
      guard: true,
      reply: to((place) => `http://${host}:${portOf(place)}/`),
      expect: 'insecure_endpoint',
    },
  ])
}
