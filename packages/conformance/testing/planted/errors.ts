/** Faults of refusals. */
import {
  action,
  answers,
  asking,
  counter,
  discovery,
  entity,
  header,
  type Kind,
  list,
  type Proof,
  refused,
  sends,
  text,
  webPage,
} from '../breakages.ts'
import { refusals } from '../dialect-breakages.ts'
import type { Fault } from './fault.ts'

const path =
  (pattern: RegExp): Kind =>
  (asked, told) =>
    refused(asked, told) && pattern.test(asked.path)

const method =
  (...names: string[]): Kind =>
  (asked, told) =>
    refused(asked, told) && names.includes(asked.method)

const missing: Kind = (asked, told) => entity(asked, told) && told.status === 404
const badJson: Kind = (asked, told) => asked.body.toString() === '{"input":' && refused(asked, told)
const badLimit = asking('limit=many', refused)
const badCursor = asking('no-such-cursor', refused)
const badInput: Kind = (asked, told) => /"input":5/.test(asked.body.toString()) && refused(asked, told)

/** Writes another code for the refusals of a kind. */
function code(value: (count: number) => unknown, kind: Kind = refused): Proof {
  const next = counter()
  return refusals((error) => Object.assign(error, { code: value(next()) }), kind)
}

/** Faults of refusals, by the rule that they break. */
export const errorFaults: readonly Fault[] = [
  ['no refusal has a code', 'L1-errors-1', () => refusals((error) => delete error['code'])],
  ['no refusal has a message', 'L1-errors-1', () => refusals((error) => delete error['message'])],
  ['an unknown entity has no code', 'L1-errors-1', () => refusals((error) => delete error['code'], missing)],
  [
    'an unknown type has no message',
    'L1-errors-1',
    () => refusals((error) => delete error['message'], path(/no-such-type$/)),
  ],
  ['a bad cursor has no code', 'L1-errors-1', () => refusals((error) => delete error['code'], badCursor)],
  ['a bad limit has no message', 'L1-errors-1', () => refusals((error) => delete error['message'], badLimit)],
  ['a bad input has no code', 'L1-errors-1', () => refusals((error) => delete error['code'], badInput)],
  ['the code is a number', 'L1-errors-1', () => code(() => 404)],
  ['the code is true', 'L1-errors-1', () => code(() => true)],
  ['the code is empty', 'L1-errors-1', () => code(() => '')],
  ['the code is null', 'L1-errors-1', () => code(() => null)],
  ['the code is an object', 'L1-errors-1', () => code(() => ({ value: 'x' }))],
  ['the message is empty', 'L1-errors-1', () => refusals((error) => Object.assign(error, { message: ' ' }))],
  [
    'the message is an object',
    'L1-errors-1',
    () => refusals((error) => Object.assign(error, { message: { en: 'No.' } })),
  ],
  [
    'the code is in a header alone',
    'L1-errors-1',
    () => ({
      broken: {
        told(told, asked) {
          if (!refused(asked, told)) return
          told.body = { message: 'No.' }
          told.headers['error-code'] = 'x'
        },
      },
    }),
  ],
  ['the code counts', 'L1-errors-1', () => code((count) => `e${count}`)],
  ['the code of a bad cursor counts', 'L1-errors-1', () => code((count) => `e${count}`, badCursor)],
  ['the code of a bad input counts', 'L1-errors-1', () => code((count) => `e${count}`, badInput)],
  [
    'the code of an unknown route counts',
    'L1-errors-1',
    () => code((count) => `e${count}`, path(/no-such-route$/)),
  ],
  [
    'the code names the entity',
    'L1-errors-1',
    () => refusals((error, asked) => Object.assign(error, { code: asked.path.split('/').at(-1) }), missing),
  ],
  ['an unknown entity is a web page', 'L1-endpoints-6', () => webPage(missing)],
  ['an unknown type is a web page', 'L1-endpoints-6', () => webPage(path(/no-such-type$/))],
  ['an entity of an unknown type is a web page', 'L1-endpoints-6', () => webPage(path(/no-such-type\/./))],
  ['an unknown route is a web page', 'L1-endpoints-6', () => webPage(path(/no-such-route$/))],
  ['a path outside the API is a web page', 'L1-errors-1', () => webPage(path(/no-such-page$/))],
  ['an unknown action is a web page', 'L1-endpoints-6', () => webPage(path(/no-such-action$/))],
  ['a bad cursor is a web page', 'L1-endpoints-6', () => webPage(badCursor)],
  ['a bad limit is a web page', 'L1-endpoints-6', () => webPage(badLimit)],
  ['a body that is not JSON is a web page', 'L1-endpoints-6', () => webPage(badJson)],
  ['another method is a web page', 'L1-endpoints-6', () => webPage(method('DELETE'))],
  [
    'GET of the action is a web page',
    'L1-endpoints-6',
    () => webPage((asked, told) => action(asked, told) && asked.method === 'GET'),
  ],
  [
    'POST to the document is a web page',
    'L1-endpoints-6',
    () => webPage((asked, told) => discovery(asked, told) && asked.method !== 'GET'),
  ],
  [
    'another media type is a web page',
    'L1-errors-1',
    () => webPage((asked) => asked.headers['content-type'] === 'text/plain', 415),
  ],
  ['a longer path is a web page', 'L1-endpoints-6', () => webPage(path(/entities\/[^/]+\/[^/]+\/./))],
  ['an id that is encoded twice is a web page', 'L1-endpoints-6', () => webPage(path(/%25/))],
  [
    'a broken escape is a web page',
    'L1-endpoints-6',
    () => webPage((asked) => /%(?![0-9A-Fa-f]{2})/.test(asked.path), 400),
  ],
  [
    'a broken escape is a fault of the server',
    'L1-errors-1',
    () => answers((asked) => /%(?![0-9A-Fa-f]{2})/.test(asked.path), 500),
  ],
  [
    'a body without input is a web page',
    'L1-endpoints-6',
    () => webPage((asked) => asked.body.toString() === '{}', 400),
  ],
  ['every refusal is a web page', 'L1-endpoints-6', () => webPage(refused)],
  [
    'every refusal is plain text',
    'L1-endpoints-6',
    () => sends(refused, () => 'No.', { 'content-type': 'text/plain' }),
  ],
  ['every refusal is empty', 'L1-errors-1', () => sends(refused, () => '')],
  ['every refusal is JSON in a string', 'L1-errors-1', () => text(refused, (json) => JSON.stringify(json))],
  ['every refusal is text/html', 'L1-endpoints-6', () => header(refused, 'content-type', 'text/html')],
  ['a refusal says gzip and is plain', 'L1-endpoints-6', () => header(refused, 'content-encoding', 'gzip')],
  ['a refusal is cut off', 'L1-endpoints-6', () => sends(refused, (json) => json.slice(0, -1))],
  [
    'a refusal is shorter than its length',
    'L1-endpoints-6',
    () => header(missing, 'content-length', '99999'),
  ],
  [
    'a refusal has its code twice',
    'L1-endpoints-6',
    () => text(refused, (json) => json.replace('"code":', '"code":"other","code":')),
  ],
  ['a body that is not JSON is an error with the status 200', 'L1-errors-1', () => answers(badJson, 200)],
  ['a bad limit is an error with the status 200', 'L1-errors-1', () => answers(badLimit, 200)],
  [
    'an unknown route is an error with the status 200',
    'L1-errors-1',
    () => answers(path(/no-such-route$/), 200),
  ],
  [
    'every refusal has the status 200',
    'L1-errors-1',
    () => ({
      broken: {
        told(told) {
          if (told.status >= 400) told.status = 200
        },
      },
    }),
  ],
  [
    'an unknown action does something',
    'L1-errors-1',
    () => answers(path(/no-such-action$/), 200, { done: true }),
  ],
  ['a body that is not JSON is a fault of the server', 'L1-errors-1', () => answers(badJson, 500)],
  ['a bad cursor is a fault of the server', 'L1-errors-1', () => answers(badCursor, 500)],
  ['a bad limit is a fault of the server', 'L1-errors-1', () => answers(badLimit, 500)],
  ['a bad input is a fault of the server', 'L1-errors-1', () => answers(badInput, 500)],
  [
    'an unknown type is a fault of the server',
    'L1-errors-1',
    () => answers((asked, told) => list(asked, told) && told.status === 404, 503),
  ],
  [
    'every refusal is a fault of the server',
    'L1-errors-1',
    () => ({
      broken: {
        told(told) {
          if (told.status >= 400) told.status = 500
        },
      },
    }),
  ],
]
