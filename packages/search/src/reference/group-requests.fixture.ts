/** Random groups of random documents. */
import fc from 'fast-check'
import type { GroupKey, GroupOrder, GroupRequest, Measure, PropertyPath } from '../port/conditions.ts'

const KINDS = ['number', 'boolean', 'text', 'instant', 'reference'] as const
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const

/** Returns arbitrary groups and measures of these properties. */
export function groupRequest(property: fc.Arbitrary<PropertyPath>): fc.Arbitrary<GroupRequest> {
  const key: fc.Arbitrary<GroupKey> = fc.oneof(
    fc.record({ by: fc.constant('value'), property, kind: fc.constantFrom(...KINDS) }),
    fc.record({
      by: fc.constant('width'),
      property,
      width: fc.constantFrom(1, 10, 0.1, 0.25, 7.5, 1e-3, 1e-12, 1e300, 5e-324),
      origin: fc.constantFrom(0, -3, 0.05, -0.3, 1e9, -1e300),
    }),
    fc.record({
      by: fc.constant('unit'),
      property,
      kind: fc.constantFrom('instant', 'text'),
      unit: fc.constantFrom(...UNITS),
    }),
    fc.record({ by: fc.constant('cells'), property, degrees: fc.constantFrom(10, 7, 0.5, 45, 360, 1e-15) }),
  ) as fc.Arbitrary<GroupKey>
  const measure: fc.Arbitrary<Measure> = fc.oneof(
    fc.record({ op: fc.constantFrom('count', 'distinct'), property, kind: fc.constantFrom(...KINDS) }),
    fc.record({ op: fc.constantFrom('sum', 'avg', 'median'), property, kind: fc.constant('number') }),
    fc.record({
      op: fc.constantFrom('min', 'max'),
      property,
      kind: fc.constantFrom('number', 'text', 'instant'),
    }),
  ) as fc.Arbitrary<Measure>
  const measures = fc.array(measure, { maxLength: 4 })
  return fc
    .tuple(fc.array(key, { maxLength: 2 }), measures, fc.constantFrom(1, 4, 1000))
    .chain(([keys, measures, limit]) => {
      const of = measures.map((_, measure) => ({ by: 'measure', measure }) as const)
      const by = fc.constantFrom({ by: 'count' } as const, { by: 'key' } as const, ...of)
      const order = fc.tuple(by, fc.boolean()).map(([by, descending]): GroupOrder => ({ ...by, descending }))
      return fc.array(order, { maxLength: 3 }).map((sort) => ({ keys, measures, sort, limit }))
    })
}
