/** Right but odd worlds: each takes a freedom that Level 1 leaves, and no check may fail in it. */
import { gzipSync } from 'node:zlib'
import {
  action,
  answers,
  any,
  asks,
  counter,
  discovery,
  edit,
  header,
  redirects,
  refused,
  sends,
} from '../breakages.ts'
import { entries, refusals } from '../dialect-breakages.ts'
import { ORIGIN } from '../in-process.ts'
import { changed, type Freedom, world } from './free-worlds.ts'
import { entityFreedoms, listFreedoms } from './freedoms-of-data.ts'

const next = counter()

/** Freedoms of the action. */
const ACTIONS: readonly Freedom[] = [
  ['the action finds nothing', () => changed(entries(() => [], action))],
  [
    'the action finds nothing without a text',
    () => changed(entries((all, { body }) => (body.includes('"text"') ? all : []), action)),
  ],
  [
    'the action refuses types that are not there',
    () =>
      changed(
        answers((asked, told) => action(asked, told) && asked.body.includes('no-such-type'), 404, {
          code: 'no_such_type',
          message: 'No.',
        }),
      ),
  ],
  [
    'the action finds the nearest entity to any text',
    () =>
      changed(
        asks((asked) => {
          asked.body = Buffer.from(asked.body.toString().replace('xqzvwk jqxzzv wvkqjx', 'hammer'))
        }),
      ),
  ],
  [
    'results have a score that changes',
    () => changed(entries((all) => all.map((one) => ({ score: next(), entity: one })), action)),
  ],
  [
    'results have marks in their titles',
    () =>
      changed(entries((all) => all.map((one) => ({ ...one, title: `<em>${one['title']}</em>` })), action)),
  ],
  [
    'GET of the action answers as well',
    () =>
      changed(
        asks((asked) => {
          if (asked.path.endsWith('wp%3Adiscover') && asked.method === 'GET')
            Object.assign(asked, { method: 'POST', body: Buffer.from('{"input":{}}') })
        }),
      ),
  ],
  [
    'an unknown action answers with nothing',
    () => changed(answers((asked) => asked.path.endsWith('no-such-action'), 200, {})),
  ],
]

/** Freedoms of errors, and of HTTP. */
const ANSWERS: readonly Freedom[] = [
  [
    'refusals have more members',
    () =>
      changed(
        refusals((error) =>
          Object.assign(error, { details: { a: 1 }, requestId: next(), type: 'about:blank' }),
        ),
      ),
  ],
  [
    'refusals have another message each time',
    () => changed(refusals((error) => Object.assign(error, { message: `No (${next()}).` }))),
  ],
  ['refusals are in an array', () => world({ error: (code, message) => ({ errors: [{ code, message }] }) })],
  [
    'refusals are problems with a code',
    () =>
      world({
        error: (code, message, status) => ({ type: 'about:blank', title: 'No', status, code, message }),
        errorType: 'application/problem+json',
      }),
  ],
  ['codes are numbers', () => world({ error: (code, message) => ({ code: code.length, message }) })],
  [
    'every refusal is a 422',
    () =>
      changed({
        broken: { told: (told) => (told.status >= 400 ? Object.assign(told, { status: 422 }) : told) },
      }),
  ],
  [
    'JSON is application/vnd.lib+json',
    () => changed(header(any, 'content-type', 'application/vnd.lib+json')),
  ],
  [
    'JSON is declared in capitals',
    () => changed(header(any, 'content-type', 'Application/JSON; Charset=UTF-8')),
  ],
  [
    'JSON is indented and escaped',
    () =>
      changed(
        sends(
          any,
          (json) =>
            `${JSON.stringify(JSON.parse(json), null, 2).replaceAll(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
        ),
      ),
  ],
  [
    'every answer is chunked',
    () =>
      changed(
        sends(any, (json) => `${Buffer.byteLength(json).toString(16)}\r\n${json}\r\n0\r\n\r\n`, {
          'transfer-encoding': 'chunked',
        }),
      ),
  ],
  [
    'every answer is compressed',
    () => changed(sends(any, (json) => gzipSync(json), { 'content-encoding': 'gzip' })),
  ],
  [
    'answers are compressed where that is accepted',
    () =>
      changed(
        sends(
          (asked) => /gzip/.test(asked.headers['accept-encoding'] ?? ''),
          (json) => gzipSync(json),
          { 'content-encoding': 'gzip' },
        ),
      ),
  ],
  [
    'answers have cookies and entity tags',
    () =>
      changed({
        broken: {
          told: (told) =>
            Object.assign(told.headers, { 'set-cookie': `a=${next()}`, etag: `"${next()}"`, vary: 'Accept' }),
        },
      }),
  ],
  [
    'the document is at another origin, by a redirect',
    () => {
      const elsewhere = changed(
        redirects((asked, told) => discovery(asked, told), 'http://www.world.test/.well-known/world.json'),
      )
      return (asked, origin) => (origin === ORIGIN ? elsewhere : world({}))(asked, origin)
    },
  ],
  [
    'the document has many more members',
    () =>
      changed(
        edit(discovery, (body) =>
          Object.assign(body, {
            name: 'Library',
            contact: { mail: 'a@b.example' },
            tags: ['a:b'],
            updated: next(),
          }),
        ),
      ),
  ],
  [
    'refusals outside the API are redirects',
    () =>
      changed(
        redirects((asked, told) => refused(asked, told) && asked.path === '/conformance-no-such-page', '/'),
      ),
  ],
]

/** Freedoms of the text, each in a world that is otherwise right. */
export const FREEDOMS: readonly Freedom[] = [...listFreedoms, ...entityFreedoms, ...ACTIONS, ...ANSWERS]
