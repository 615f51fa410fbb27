import { NotApplicable } from '../check/check.ts'
import { demand, expectHeader, expectObject, expectStatus } from '../http/expect.ts'
import { isObject } from '../json/json.ts'
import { revisionOf } from './canonical.ts'
import { type Scanned, scanJson } from './json-scan.ts'
import { type Page, readPage, typeWith } from './pages.ts'
import { entity, entityRoute, id, reads, type } from './subjects.ts'
import { check, type Target } from './target.ts'

const MEMBERS = ['type', 'id', 'title', 'summary', 'attributes', 'createdAt', 'updatedAt', 'revision']
const OPTIONAL = ['title', 'summary', 'createdAt', 'updatedAt', 'revision']
const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$/
const MOST_ENTITY_BYTES = 256 * 1024

/** Reads the first page of a type that has entities, once per run. Throws NotApplicable if no type has any. */
function sample(target: Target): Promise<Page> {
  return target.once('sample', async () => readPage(target, (await typeWith(target, 1)).type))
}

/** Fails if `pick` returns any fault for the JSON text of the sample page or of the entity under test. */
async function expectNone(target: Target, pick: (scanned: Scanned) => string[], what: string): Promise<void> {
  for (const exchange of [(await sample(target)).exchange, await entity(target)]) {
    const found = pick(scanJson(exchange.text))
    demand(found.length === 0, `${what}: ${found.slice(0, 5).join(', ')}`, exchange)
  }
}

/** Checks for section 2 of the decisions: the members of an entity. Ordered by rule. */
export const entityChecks = [
  check(
    'D2-1.a',
    'an entity has the type and the id it was asked by, and an object attributes',
    async (target) => {
      const exchange = await entity(target)
      expectStatus(exchange, 200)
      const body = expectObject(exchange)
      demand(body['type'] === (await type(target)), 'type is not the one asked for', exchange)
      demand(body['id'] === (await id(target)).id, 'id is not the one asked for', exchange)
      demand(isObject(body['attributes']), 'attributes is not an object', exchange)
    },
  ),
  check(
    'D2-1.b',
    'every entity of a list has the type of the list, a string id, and an object attributes',
    async (target) => {
      const { type: name } = await typeWith(target, 1)
      const { entities, exchange } = await sample(target)
      for (const one of entities) {
        demand(one['type'] === name, `type is ${JSON.stringify(one['type'])}`, exchange)
        demand(typeof one['id'] === 'string' && one['id'] !== '', 'an id is no string', exchange)
        demand(isObject(one['attributes']), 'attributes is not an object', exchange)
      }
    },
  ),
  check('D2-2.a', 'members without a value are left out, not null', async (target) => {
    const { entities, exchange } = await sample(target)
    for (const one of entities) {
      for (const name of OPTIONAL) demand(one[name] !== null, `${name} is null`, exchange)
    }
  }),
  check('D2-3.a', 'an entity has no members of its author beside attributes', async (target) => {
    const { entities, exchange } = await sample(target)
    for (const name of entities.flatMap((one) => Object.keys(one))) {
      demand(MEMBERS.includes(name), `an entity has the member ${name}`, exchange)
    }
  }),
  check('D2-4.a', 'times are written as in RFC 3339, in UTC', async (target) => {
    const { entities, exchange } = await sample(target)
    const times = entities.flatMap((one) => [one['createdAt'], one['updatedAt']])
    const given = times.filter((time) => time !== undefined)
    if (given.length === 0) throw new NotApplicable('no entity on the page has a time')
    for (const time of given) {
      demand(typeof time === 'string' && UTC.test(time), `the time ${JSON.stringify(time)}`, exchange)
    }
  }),
  check('D2-7.a', 'integers are between -(2^53-1) and 2^53-1', (target) =>
    expectNone(target, (scanned) => scanned.unsafe, 'integers out of range'),
  ),
  check('D2-8.a', 'no object has the same key twice', (target) =>
    expectNone(target, (scanned) => scanned.repeated, 'repeated keys'),
  ),
  check('D2-9.a', 'no string has a lone surrogate or a NUL', (target) =>
    expectNone(target, (scanned) => scanned.broken, 'broken strings'),
  ),
  check('D2-10.a', 'an entity takes no more than 256 KiB', async (target) => {
    const { entities, exchange } = await sample(target)
    for (const one of entities) {
      const bytes = Buffer.byteLength(JSON.stringify(one))
      demand(bytes <= MOST_ENTITY_BYTES, `an entity of ${bytes} bytes`, exchange)
    }
  }),
  check(
    'D2-13.a',
    'revision is 128 bits of SHA-256 over the canonical JSON of the content, in base64url',
    async (target) => {
      const { entities, exchange } = await sample(target)
      const given = entities.filter((one) => one['revision'] !== undefined)
      if (given.length === 0) throw new NotApplicable('no entity on the page has a revision')
      for (const one of given) {
        const right = revisionOf(one)
        demand(one['revision'] === right, `revision of ${one['id']} is not ${right}`, exchange)
      }
    },
  ),
  check('D2-14.a', 'an entity is the same in its list and read alone, revision included', async (target) => {
    const { exchange, entities } = await sample(target)
    const [first] = entities
    const alone = await target.call(entityRoute(String(first?.['type']), String(first?.['id'])))
    const same = JSON.stringify(alone.json) === JSON.stringify(first)
    demand(same, 'the entity read alone is another', exchange, alone)
  }),
  check('D6-20.a', 'JSON answers are application/json, in UTF-8', async (target) => {
    for (const exchange of [...(await reads(target)), await target.discover({ input: {} })])
      expectHeader(exchange, 'Content-Type', /^application\/json(\s*;\s*charset="?utf-8"?)?$/i)
  }),
]
