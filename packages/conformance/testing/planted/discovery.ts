/** Faults of the discovery document. */
import {
  answers,
  type Body,
  counter,
  counting,
  discovery,
  edit,
  editIn,
  header,
  type Proof,
  page200,
  redirects,
  sends,
  swap,
  text,
  webPage,
} from '../breakages.ts'
import type { Fault } from './fault.ts'

const API = /"api":"([^"]*)"/

/** Changes the document. */
function changed(change: (document: Body) => void): Proof {
  return edit(discovery, change)
}

/** Writes another value for `endpoints.api`; `$1` is the right one. */
function api(value: string): Proof {
  return text(discovery, (json) => json.replace(API, `"api":${value}`))
}

const gzip = { 'content-encoding': 'gzip' }

/** Faults of the discovery document, by the rule that they break. */
export const discoveryFaults: readonly Fault[] = [
  ['there is no document', 'L1-routes-1', () => answers(discovery, 404)],
  ['the document is a fault of the server', 'L1-routes-1', () => answers(discovery, 500)],
  ['the document is cut off', 'L1-routes-1', () => sends(discovery, (json) => json.slice(0, -9))],
  ['the document is a web page', 'L1-routes-1', () => page200(discovery)],
  ['the document is empty', 'L1-routes-1', () => sends(discovery, () => '')],
  ['the document is an array', 'L1-routes-1', () => text(discovery, (json) => `[${json}]`)],
  ['the document is JSON in a string', 'L1-routes-1', () => text(discovery, (json) => JSON.stringify(json))],
  ['the document is an error with the status 200', 'L1-routes-1', () => answers(discovery, 200)],
  [
    'the document leads to itself by a redirect',
    'L1-routes-1',
    () => redirects(discovery, '/.well-known/world.json'),
  ],
  ['the document has a comment', 'L1-routes-1', () => text(discovery, (json) => `// a world\n${json}`)],
  [
    'the document ends with a comma',
    'L1-routes-1',
    () => text(discovery, (json) => json.replace(/\}$/, ',}')),
  ],
  ['the document has a byte order mark', 'L1-endpoints-6', () => text(discovery, (json) => `\ufeff${json}`)],
  [
    'the document is UTF-16',
    'L1-endpoints-6',
    () => sends(discovery, (json) => Buffer.from(json, 'utf16le')),
  ],
  [
    'the document is not UTF-8',
    'L1-endpoints-6',
    () => sends(discovery, (json) => Buffer.from(json.replace('{', '{"name":"caf\u00e9",'), 'latin1')),
  ],
  ['the document is text/html', 'L1-endpoints-6', () => header(discovery, 'content-type', 'text/html')],
  ['the document is text/plain', 'L1-endpoints-6', () => header(discovery, 'content-type', 'text/plain')],
  ['the document has no Content-Type', 'L1-endpoints-6', () => header(discovery, 'content-type')],
  [
    'the document says gzip and is plain',
    'L1-endpoints-6',
    () => header(discovery, 'content-encoding', 'gzip'),
  ],
  ['the document says br and is plain', 'L1-endpoints-6', () => header(discovery, 'content-encoding', 'br')],
  [
    'the document is shorter than its length',
    'L1-endpoints-6',
    () => header(discovery, 'content-length', '99999'),
  ],
  [
    'the document is longer than its length',
    'L1-endpoints-6',
    () => header(discovery, 'content-length', '40'),
  ],
  [
    'the document has protocol twice',
    'L1-endpoints-6',
    () => text(discovery, (json) => json.replace('{', '{"protocol":"world/0.0",')),
  ],
  [
    'gzip that is asked for is plain',
    'L1-endpoints-6',
    () => ({
      broken: {
        told(told, asked) {
          if (discovery(asked, told) && asked.headers['accept-encoding'] !== undefined)
            Object.assign(told.headers, gzip)
        },
      },
    }),
  ],
  ['protocol is missing', 'L1-discovery-1', () => changed((body) => delete body['protocol'])],
  ['protocol is a number', 'L1-discovery-1', () => swap(discovery, '"world/0.1"', '0.1')],
  ['protocol is null', 'L1-discovery-1', () => swap(discovery, '"world/0.1"', 'null')],
  [
    'protocol is a list of versions',
    'L1-versioning-1',
    () => swap(discovery, '"world/0.1"', '["world/0.1"]'),
  ],
  ['protocol stands in another member', 'L1-versioning-1', () => swap(discovery, '"protocol"', '"version"')],
  ['protocol is another version', 'L1-discovery-2', () => swap(discovery, 'world/0.1', 'world/0.2')],
  ['protocol is written in capitals', 'L1-discovery-2', () => swap(discovery, 'world/0.1', 'World/0.1')],
  ['protocol ends with a space', 'L1-discovery-2', () => swap(discovery, 'world/0.1', 'world/0.1 ')],
  ['endpoints is missing', 'L1-discovery-3', () => changed((body) => delete body['endpoints'])],
  [
    'endpoints is an array',
    'L1-discovery-3',
    () => changed((body) => Object.assign(body, { endpoints: [body['endpoints']] })),
  ],
  [
    'endpoints.api is missing',
    'L1-discovery-3',
    () => editIn(discovery, 'endpoints', (inner) => delete inner['api']),
  ],
  ['endpoints.api is a path', 'L1-discovery-3', () => api('"/api/world/v0"')],
  ['endpoints.api has no scheme', 'L1-discovery-3', () => api('"//world.test/deep/"')],
  ['endpoints.api is a host', 'L1-versioning-2', () => api('"world.test/deep/"')],
  ['endpoints.api is an object', 'L1-discovery-3', () => api('{"url":"$1"}')],
  ['endpoints.api is of another scheme', 'L1-discovery-3', () => api('"ftp://world.test/"')],
  ['endpoints.api is no URL', 'L1-discovery-3', () => api('"http://"')],
  ['endpoints.api ends with a space', 'L1-discovery-3', () => api('"$1 "')],
  ['endpoints.api leads to another path', 'L1-discovery-4', () => api('"$1/old/"')],
  [
    'endpoints.api leads to web pages',
    'L1-discovery-4',
    () => webPage((asked) => !asked.path.startsWith('/.well'), 200),
  ],
  [
    'endpoints.api is another one each time',
    'L1-discovery-4',
    () =>
      counting((body, count) => {
        Object.assign(body['endpoints'] as Body, { api: `http://world.test/v${count}/` })
      }),
  ],
  [
    'the identifier is missing',
    'L1-discovery-6',
    ({ members }) => changed((body) => delete body[members.id]),
  ],
  [
    'the identifier is null',
    'L1-discovery-6',
    ({ members }) => changed((body) => Object.assign(body, { [members.id]: null })),
  ],
  [
    'the identifier is empty',
    'L1-discovery-6',
    ({ members }) => changed((body) => Object.assign(body, { [members.id]: '' })),
  ],
  [
    'the identifier is another one each time',
    'L1-discovery-6',
    ({ members }) =>
      counting((body, count) => {
        body[members.id] = `urn:x:${count}`
      }),
  ],
  ['the types are missing', 'L1-discovery-7', ({ members }) => changed((body) => delete body[members.types])],
  [
    'the types are null',
    'L1-service-7',
    ({ members }) => changed((body) => Object.assign(body, { [members.types]: null })),
  ],
  [
    'the types are other ones each time',
    'L1-discovery-7',
    ({ types }) => {
      const next = counter()
      return text(discovery, (json) => json.replaceAll(types[1].split(':')[1] ?? '', () => `kind${next()}`))
    },
  ],
  [
    'a type is named that is not there',
    'L1-discovery-7',
    ({ types }) => swap(discovery, types[1].split(':')[1] ?? '', 'nothing'),
  ],
  [
    'a type is not named',
    'L1-discovery-7',
    ({ types }) => swap(discovery, types[1].split(':')[1] ?? '', types[0].split(':')[1] ?? ''),
  ],
  [
    'a type has no prefix',
    'L1-entity-2',
    ({ members, types }) =>
      changed((body) => Object.assign(body, { [members.types]: [types[0].split(':')[1], types[1]] })),
  ],
  [
    'the actions are missing',
    'L1-discovery-8',
    ({ members }) => changed((body) => delete body[members.actions]),
  ],
  ['wp:discover is not among the actions', 'L1-discovery-8', () => swap(discovery, 'discover', 'search')],
]
