/** Evaluates conditions over single entities, with the results of the index. */
import { compareUtf8, type IndexRules } from '@worldwright/core/store'
import { referenceText } from '../columns/column-key.ts'
import { metresBetween } from '../columns/sphere.ts'
import type { Condition, Operand, Point } from '../port/conditions.ts'
import { type PropertyValue, pathKey } from '../port/document.ts'
import { isInBox, kindOfLeaf, type Leaf } from '../read/ordinals.ts'
import { timesIn } from './search-document.ts'
import { valuesOf } from './search-values.ts'

/** Indexed values of an entity, by path. A path without an entry has no value. */
export type EntityValues = ReadonlyMap<string, readonly PropertyValue[]>

/** Tests one condition. Undefined means unknown. Takes time in proportion to the values, of which there are at most 513. */
export type Test = (values: EntityValues) => boolean | undefined

/** Extracts the values that an index with these rules has of an entity, given as JSON that includes its times. */
export function entityValues(type: string, json: string, rules: IndexRules): EntityValues {
  const entity = JSON.parse(json)
  const key: PropertyValue[] = [
    { path: TYPE, kind: 'text', value: type },
    { path: ID, kind: 'text', value: entity.id },
  ]
  return Map.groupBy([...key, ...valuesOf(entity, timesIn(entity), rules[type])], ({ path }) => path)
}

const TYPE = pathKey('type')
const ID = pathKey('id')

/**
 * Compiles a condition to a test, to be used for any number of entities.
 * @throws StoreFault `unsupported` for a path through a reference, as other entities are not known here
 */
export function testOf(condition: Condition): Test {
  switch (condition.op) {
    case 'not': {
      const test = testOf(condition.condition)
      return (values) => {
        const truth = test(values)
        return truth === undefined ? undefined : !truth
      }
    }
    case 'and':
    case 'or':
      return joined(condition.conditions.map(testOf), condition.op === 'or')
    case 'in':
    case 'containsAll': {
      const { property, values } = condition
      const equalities = values.map((value) => leafTest({ op: '=', property, value }))
      return joined(equalities, condition.op === 'in')
    }
    case 'absent': {
      const path = pathKey(condition.property)
      return (values) => !values.has(path)
    }
    case 'refersTo': {
      const target = referenceText(condition.target)
      const refers = (value: PropertyValue) =>
        value.kind === 'reference' && referenceText(value.value) === target
      return (values) => values.values().some((all) => all.some(refers))
    }
    default:
      return leafTest(condition)
  }
}

/** Joins tests. One result equal to `decisive` decides; otherwise, one unknown result makes the whole unknown. */
function joined(tests: readonly Test[], decisive: boolean): Test {
  return (values) => {
    let truth: boolean | undefined = !decisive
    for (const test of tests) {
      const one = test(values)
      if (one === decisive) return decisive
      if (one === undefined) truth = undefined
    }
    return truth
  }
}

function leafTest(leaf: Leaf): Test {
  const path = pathKey(leaf.property)
  const kind = kindOfLeaf(leaf)
  const fits = fitOf(leaf)
  return (values) => {
    let truth: boolean | undefined
    for (const value of values.get(path) ?? []) {
      if (value.kind !== kind) continue
      if (fits(value.value)) return true
      truth = false
    }
    return truth
  }
}

type Value = Exclude<PropertyValue, { readonly kind: 'unindexed' }>['value']

/** Returns a function that tests a single value of the kind of `leaf`. */
function fitOf(leaf: Leaf): (value: Value) => boolean {
  switch (leaf.op) {
    case 'inBox':
      return (value) => isInBox(value as Point, leaf)
    case 'within':
      return (value) => metresBetween(leaf.center, value as Point) <= leaf.metres
    case 'prefix':
      return (value) => leaf.prefix.isWellFormed() && String(value).startsWith(leaf.prefix)
    case 'between': {
      const [low, high] = [orderTo(leaf.low), orderTo(leaf.high)]
      return (value) => low(value) >= 0 && high(value) <= 0
    }
    default: {
      const order = orderTo(leaf.value)
      if (leaf.op === '=') return (value) => order(value) === 0
      if (leaf.op === '<') return (value) => order(value) < 0
      if (leaf.op === '<=') return (value) => order(value) <= 0
      return leaf.op === '>' ? (value) => order(value) > 0 : (value) => order(value) >= 0
    }
  }
}

/** Returns a function that compares values of the operand's kind with it, as the index orders them. */
function orderTo(operand: Operand): (value: Value) => number {
  const given = typeof operand === 'object' && 'instant' in operand ? operand.instant : operand
  if (typeof given === 'number' || typeof given === 'boolean') {
    const number = Number(given)
    return (value) => (Number(value) === number ? 0 : Number(value) < number ? -1 : 1)
  }
  const asked = comparable(typeof given === 'string' ? given : given.reference)
  const text = asked.toWellFormed()
  // No indexed text equals an ill-formed one, which sorts before the text that its bytes would be.
  const tie = text === asked ? 0 : 1
  return (value) => compareUtf8(comparable(value), text) || tie
}

function comparable(value: Value): string {
  return typeof value === 'object' && 'type' in value ? referenceText(value) : String(value)
}
