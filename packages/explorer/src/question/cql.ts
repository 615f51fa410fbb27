/** Parses typed conditions for questions to a world. */
import { type JsonObject, WorldError } from '@worldwright/client'

/** A syntax error in a condition, with its position. */
export interface Fault {
  readonly message: string
  /** UTF-16 units from the start. */
  readonly position: number
  readonly length: number
}

/** Parses a condition in CQL2-Text, or returns its syntax error. The parser is fetched with the first condition. */
export async function readCql(text: string): Promise<{ condition: JsonObject } | { fault: Fault }> {
  const { Cql2SyntaxError, parseCql2 } = await import('@worldwright/client/cql2')
  try {
    return { condition: parseCql2(text) as unknown as JsonObject }
  } catch (error) {
    if (error instanceof Cql2SyntaxError) return { fault: error }
    throw error
  }
}

/** As `readCql`; an empty text is no condition. Rejects with `invalid_argument` if it is not one. */
export async function conditionFrom(text: string): Promise<JsonObject | undefined> {
  if (text.trim() === '') return undefined
  const read = await readCql(text)
  if ('condition' in read) return read.condition
  const { message, position } = read.fault
  throw new WorldError('invalid_argument', message, { details: { position } })
}
