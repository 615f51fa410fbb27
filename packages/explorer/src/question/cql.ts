/** Checks conditions that the user typed, and parses those in CQL2-Text. */
import { type JsonObject, WorldError } from '@worldwright/client'
import { type Asked, misfitsOf, NOTHING_ASKED } from '@worldwright/extensions/views'
import type { Askable } from './askable.ts'

/** Syntax error in a condition, with its position and length. */
export interface Fault {
  readonly message: string
  /** Offset of the error in the condition, in UTF-16 code units. */
  readonly position: number
  readonly length: number
}

/** Parses a condition in CQL2-Text. Returns the syntax error if there is one. The parser is loaded on first use. */
export async function readCql(text: string): Promise<{ condition: JsonObject } | { fault: Fault }> {
  const { Cql2SyntaxError, parseCql2 } = await import('@worldwright/client/cql2')
  try {
    return { condition: parseCql2(text) as unknown as JsonObject }
  } catch (error) {
    if (error instanceof Cql2SyntaxError) return { fault: error }
    throw error
  }
}

/** Parses the CQL2-Text of a question, unless it is blank. Rejects what is invalid, as bounds that are no dates. */
export async function conditionFrom(asked: Pick<Asked, 'cql' | 'filters'>, askables: readonly Askable[]) {
  const { cql, filters } = asked
  const kindOf = (key: string) => askables.find((one) => one.key === key)
  const misfits = misfitsOf({ asked: { ...NOTHING_ASKED, filters } }, [], kindOf)
  if (misfits.length > 0)
    throw new WorldError('invalid_argument', `These are no dates: ${misfits.join(', ')}`)
  if (cql.trim() === '') return undefined
  const read = await readCql(cql)
  if ('condition' in read) return read.condition
  const { message, position } = read.fault
  throw new WorldError('invalid_argument', message, { details: { position } })
}
