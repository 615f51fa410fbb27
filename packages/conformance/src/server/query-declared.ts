import { NotApplicable } from '../check/check.ts'
import { demand } from '../http/expect.ts'
import { at, isObject, type JsonObject } from '../json/json.ts'
import { anyType, condition, declared, expectFaults, listed, query } from './questions.ts'
import { types } from './subjects.ts'
import { check, type Target } from './target.ts'

const NO_PROPERTY = 'conformance-no-such-property'
const HELD = condition('=', { property: 'id' }, 'a')

/** CQL2 operators that a world need not support. */
const CQL2 = ['s_within', 't_after', 't_intersects', 'a_overlaps', 'casei', '+']

/** Returns the number `name` in the `limits` of the extension. Throws NotApplicable if there is none. */
async function stated(target: Target, name: string): Promise<number> {
  const value = at(await declared(target), ['limits', name])
  if (!Number.isSafeInteger(value)) throw new NotApplicable(`the extension does not state limits.${name}`)
  return value as number
}

/** Returns a condition with this nesting depth; a plain comparison has depth 1. */
function nested(depth: number): JsonObject {
  return depth <= 1 ? HELD : condition('not', nested(depth - 1))
}

/** Checks for section 9 of the decisions: declaration of the query extension, and refused queries. Ordered by rule. */
export const queryDeclaredChecks = [
  check(
    'D9-1.a',
    'the extension lists operators, limits, and for each type properties with their kinds',
    async (target) => {
      const { operators, limits, properties, types: byType } = await declared(target)
      const { exchange } = await target.document()
      const isList = Array.isArray(operators) && operators.every((one) => typeof one === 'string')
      demand(isList, 'operators is no list of names', exchange)
      demand(isObject(limits), 'limits is not an object', exchange)
      demand(isObject(byType), 'types is not an object', exchange)
      for (const type of await types(target)) {
        const own = byType[type]
        demand(Array.isArray(own), `types has no list for ${type}`, exchange)
        demand(listed(own).length === own.length, `a property of ${type} is without name or kinds`, exchange)
      }
      demand(listed(properties).length > 0, 'properties does not list those of every entity', exchange)
    },
  ),
  check(
    'D9-1.b',
    'as many conditions as limits.conditions says are answered, one more is refused',
    async (target) => {
      const most = await stated(target, 'conditions')
      const many = (count: number) => condition('or', ...Array.from({ length: count }, () => HELD))
      await query(target, { where: most > 1 ? many(most) : HELD })
      await expectFaults(target, { where: many(most + 1) }, '/input/where')
    },
  ),
  check(
    'D9-1.c',
    'conditions as deep as limits.depth says are answered, deeper ones are refused',
    async (target) => {
      const most = await stated(target, 'depth')
      await query(target, { where: nested(most) })
      await expectFaults(target, { where: nested(most + 1) }, '/input/where')
    },
  ),
  check(
    'D9-2.a',
    'unknown members, properties, operators and types get 400 invalid_input that names all of them',
    async (target) => {
      await declared(target)
      const unknown = condition('conformanceOp', { property: 'id' }, 'a')
      const where = condition('and', unknown, condition('isNull', { property: NO_PROPERTY }))
      const input = { conformance: 1, where, sort: [NO_PROPERTY] }
      const inside = ['/input/where/args/0/op', '/input/where/args/1/args/0']
      await expectFaults(target, input, '/input/conformance', ...inside, '/input/sort/0')
      await expectFaults(target, { types: ['conformance:no-such-type'] }, '/input/types/0')
    },
  ),
  check(
    'D9-3.a',
    'where a property cannot be asked, details.properties lists those of the types that are asked',
    async (target) => {
      const { type, properties } = await anyType(target)
      const details = await expectFaults(target, { types: [type], sort: [NO_PROPERTY] }, '/input/sort/0')
      const { exchange } = await target.document()
      const given = details['properties']
      demand(Array.isArray(given), 'details.properties is not a list', exchange)
      const names = new Set(given.map((name) => JSON.stringify(name)))
      const missing = properties.find(({ property }) => !names.has(JSON.stringify(property)))
      demand(missing === undefined, `details.properties lacks ${missing?.property}`, exchange)
    },
  ),
  check('D9-4.a', 'what CQL2 has beyond the listed operators is refused by its name', async (target) => {
    const { operators } = await declared(target)
    const beyond = CQL2.filter((op) => !Array.isArray(operators) || !operators.includes(op))
    for (const op of beyond) {
      const where = condition(op, { property: 'id' }, 'a')
      const { fields } = await expectFaults(target, { where }, '/input/where/op')
      const isNamed = JSON.stringify(fields).includes(op)
      demand(isNamed, `the refusal does not name ${op}`, (await target.document()).exchange)
    }
  }),
]
