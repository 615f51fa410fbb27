/** Naive condition evaluation, which tests each distinct value once and then every document. */
import { metresBetween } from '../columns/sphere.ts'
import type { Condition, Operand, Point, PropertyPath } from '../port/conditions.ts'
import {
  type Comparable,
  compare,
  operandOf,
  type PlainColumn,
  type PlainDocuments,
} from './plain-values.fixture.ts'

/** Truth value of a condition for a document, `undefined` if it is unknown. */
export type Truth = boolean | undefined

/** Returns the truth value of a condition for each document. */
export function holds(condition: Condition, documents: PlainDocuments): readonly Truth[] {
  switch (condition.op) {
    case 'and':
      return all(
        condition.conditions.map((each) => holds(each, documents)),
        documents,
      )
    case 'or':
      return any(
        condition.conditions.map((each) => holds(each, documents)),
        documents,
      )
    case 'not':
      return holds(condition.condition, documents).map((truth) => (truth === undefined ? undefined : !truth))
    case 'in':
      return any(equals(condition, documents), documents)
    case 'containsAll':
      return all(equals(condition, documents), documents)
    case 'between':
      return between(condition, documents)
    case 'absent':
      return documents.present(condition.property).map((isPresent) => !isPresent)
    case 'refersTo':
      return documents.referrers(condition.target).of.map((paths) => paths.length > 0)
    case 'prefix':
      return fits(
        documents.column(condition.property, 'text'),
        (text) => condition.prefix.isWellFormed() && String(text).startsWith(condition.prefix),
      )
    case 'inBox':
      return fits(documents.places(condition.property), (place) => isInBox(place, condition))
    case 'within':
      return fits(
        documents.places(condition.property),
        (place) => metresBetween(condition.center, place) <= condition.metres,
      )
    default:
      return compares(condition.op, condition.property, condition.value, documents)
  }
}

function all(results: readonly (readonly Truth[])[], { all }: PlainDocuments): readonly Truth[] {
  const whole: Truth[] = all.map(() => true)
  for (const result of results)
    for (let at = 0; at < whole.length; at++) {
      const truth = result[at]
      if (truth === false || (truth === undefined && whole[at])) whole[at] = truth
    }
  return whole
}

function any(results: readonly (readonly Truth[])[], { all }: PlainDocuments): readonly Truth[] {
  const whole: Truth[] = all.map(() => false)
  for (const result of results)
    for (let at = 0; at < whole.length; at++) {
      const truth = result[at]
      if (truth === true || (truth === undefined && whole[at] === false)) whole[at] = truth
    }
  return whole
}

/** Reports, for each document, whether any of its values fits. The result is unknown for a document without values. */
function fits<Value>({ values, of }: PlainColumn<Value>, fit: (value: Value) => boolean): readonly Truth[] {
  const fitting = values.map(fit)
  return of.map((ordinals) =>
    ordinals.length === 0 ? undefined : ordinals.some((ordinal) => fitting[ordinal]),
  )
}

function equals(
  { property, values }: { readonly property: PropertyPath; readonly values: readonly Operand[] },
  documents: PlainDocuments,
): (readonly Truth[])[] {
  return values.map((value) => compares('=', property, value, documents))
}

function compares(
  op: '=' | '<' | '<=' | '>' | '>=',
  property: PropertyPath,
  operand: Operand,
  documents: PlainDocuments,
): readonly Truth[] {
  const { kind, value } = operandOf(operand)
  return fits(documents.column(property, kind), (found) => {
    const order = orderTo(found, value)
    if (op === '=') return order === 0
    if (op === '<') return order < 0
    if (op === '<=') return order <= 0
    return op === '>' ? order > 0 : order >= 0
  })
}

/** Compares as `compare` does, except that an ill-formed operand equals no text and sorts before its encoded form. */
function orderTo(found: Comparable, operand: Comparable): number {
  const order = compare(found, operand)
  return order === 0 && typeof operand === 'string' && !operand.isWellFormed() ? 1 : order
}

function between(
  { property, low, high }: Extract<Condition, { op: 'between' }>,
  documents: PlainDocuments,
): readonly Truth[] {
  const [least, most] = [operandOf(low), operandOf(high)]
  if (least.kind !== most.kind) return documents.all.map(() => undefined)
  return fits(
    documents.column(property, least.kind),
    (found) => orderTo(found, least.value) >= 0 && orderTo(found, most.value) <= 0,
  )
}

function isInBox(
  { longitude, latitude }: Point,
  { west, south, east, north }: Extract<Condition, { op: 'inBox' }>,
): boolean {
  const isBetween =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
  return latitude >= south && latitude <= north && isBetween
}
