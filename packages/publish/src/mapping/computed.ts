/** Attributes that a definition computes from the columns of a row and from each other. */
import { Cql2SyntaxError } from '@worldwright/client/cql2'
import type { JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from '@worldwright/entities'
import { createEvaluator, ExpressionFault, type Value } from './expression.ts'

/** Expression of each computed attribute. */
export type Computed = Readonly<Record<string, string>>

/** Returns the faults of expressions, by attribute: a wrong syntax, an unknown function, or a cycle. */
export function computedFaults(computed: Computed): { readonly name: string; readonly message: string }[] {
  const faults = Object.entries(computed).flatMap(([name, text]) => {
    try {
      planned(name, text)
      return []
    } catch (error) {
      if (!(error instanceof ExpressionFault || error instanceof Cql2SyntaxError)) throw error
      return [{ name, message: error.message.replace(/\.$/, '') }]
    }
  })
  if (faults.length > 0) return faults
  const sorted = new Set(inOrder(computed).map(({ name }) => name))
  return Object.keys(computed)
    .filter((name) => !sorted.has(name))
    .map((name) => ({ name, message: 'is computed from itself. A column of the same name is hidden by it' }))
}

/** Returns the columns that expressions use, without other computed attributes. */
export function computedColumns(computed: Computed): string[] {
  const used = inOrder(computed).flatMap(({ uses }) => [...uses])
  return used.filter((name) => !Object.hasOwn(computed, name))
}

/** Prepares expressions that have no faults. The result computes the attributes of a row, or pushes faults. */
export function createComputer(computed: Computed) {
  const order = inOrder(computed)
  return (columnOf: (column: string) => Value, faults: RecordFault[]): [string, JsonValue][] => {
    const values = new Map<string, Value>()
    const valueIn = (name: string) => (values.has(name) ? values.get(name) : columnOf(name))
    for (const { name, evaluate, uses } of order) {
      try {
        values.set(name, evaluate(valueIn))
      } catch (error) {
        if (!(error instanceof ExpressionFault)) throw error
        values.set(name, undefined)
        const columns = uses.size === 0 ? '' : `, computed from ${[...uses].join(', ')}`
        faults.push({ pointer: '', reason: 'wrong_type', message: `${name}${columns}: ${error.message}` })
      }
    }
    return [...values].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  }
}

/** A computed attribute with the names that its expression uses. */
type Planned = ReturnType<typeof planned>

function planned(name: string, text: string) {
  const uses = new Set<string>()
  return { name, evaluate: createEvaluator(text, (column) => uses.add(column)), uses }
}

/** Returns computed attributes, each after those that it uses. Those in or behind a cycle are absent. */
function inOrder(computed: Computed): Planned[] {
  const sorted: Planned[] = []
  const left = new Map(Object.entries(computed).map(([name, text]) => [name, planned(name, text)]))
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const [name, one] of left) {
      if ([...one.uses].some((used) => left.has(used))) continue
      sorted.push(one)
      left.delete(name)
    }
  }
  return sorted
}
