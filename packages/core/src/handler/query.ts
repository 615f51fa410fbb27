/** Strict parsing of query parameters: malformed values of known parameters are refused, unknown parameters are ignored. */
import type { FieldFault } from '@worldwright/client/protocol'
import { fieldsFault } from '../world/errors.ts'

/** Parameters of a list request; undefined if absent. `limit` is the requested value, before the maximum is applied. */
export interface ListParameters {
  readonly limit: number | undefined
  readonly cursor: string | undefined
}

/**
 * Parses `limit` and `cursor` from a raw query string.
 * @throws WorldFault `invalid_parameter` naming every parameter that is repeated or malformed.
 */
export function listParameters(query: string): ListParameters {
  if (query === '') return { limit: undefined, cursor: undefined }
  const reader = new QueryReader(query)
  const limit = reader.count('limit')
  const cursor = reader.single('cursor')
  reader.finish()
  return { limit, cursor }
}

interface Refusal {
  readonly fault: FieldFault
  readonly why: string
}

/** Reads parameters from a raw query string, and collects their faults. */
export class QueryReader {
  readonly #query: string
  readonly #refusals: Refusal[] = []

  constructor(query: string) {
    this.#query = query
  }

  /** Returns all values of a parameter, in order. Percent-decodes names and values once; `+` is not decoded to a space. */
  values(name: string): string[] {
    const values = this.#query
      .split('&')
      .map((pair) => [pair, pair.indexOf('=')] as const)
      .filter(([pair, equals]) => decoded(equals < 0 ? pair : pair.slice(0, equals)) === name)
      .map(([pair, equals]) => (equals < 0 ? '' : decoded(pair.slice(equals + 1))))
    if (values.includes(undefined)) this.refuse(name, 'malformed', 'holds a broken percent-escape.')
    return values.filter((value) => value !== undefined)
  }

  /** Returns the only value of a parameter, or undefined if it is absent or refused. */
  single(name: string): string | undefined {
    const values = this.values(name)
    if (values.length < 2) return values[0]
    this.refuse(name, 'repeated', 'may be given once only.')
    return undefined
  }

  /** Returns a parameter as a non-negative integer, or undefined if it is absent or refused. */
  count(name: string): number | undefined {
    const value = this.single(name)
    if (value === undefined) return undefined
    if (/^[0-9]+$/.test(value)) return Number(value)
    const reason = /^-[0-9]+$/.test(value) ? 'too_small' : 'not_integer'
    this.refuse(name, reason, 'must be a whole number of 0 or more, in digits.')
    return undefined
  }

  /** Records a fault of a parameter. `why` is the message text that follows the parameter's name. */
  refuse(name: string, reason: FieldFault['reason'], why: string): void {
    this.#refusals.push({ fault: { in: 'query', name, reason }, why })
  }

  /** @throws WorldFault `invalid_parameter` naming every parameter that was refused */
  finish(): void {
    const [first] = this.#refusals
    if (first === undefined) return
    const faults = this.#refusals.map(({ fault }) => fault)
    const names = [...new Set(faults.map((fault) => fault.name))].join(' and ')
    throw fieldsFault('invalid_parameter', `${names}: ${first.why}`, faults)
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
