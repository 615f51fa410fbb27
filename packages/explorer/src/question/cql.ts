/** Parses conditions in CQL2-Text that the user typed. */
import { type JsonObject, WorldError } from '@worldwright/client'

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

/** Parses a condition as `readCql` does. Returns undefined for blank text. Rejects invalid text with `invalid_argument`. */
export async function conditionFrom(text: string): Promise<JsonObject | undefined> {
  if (text.trim() === '') return undefined
  const read = await readCql(text)
  if ('condition' in read) return read.condition
  const { message, position } = read.fault
  throw new WorldError('invalid_argument', message, { details: { position } })
}
