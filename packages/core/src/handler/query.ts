/** Strict parsing of query parameters: a known one is well formed or refused; every other parameter is ignored. */
import type { FieldFault } from '@worldwright/client/protocol'
import { fieldsFault } from '../world/errors.ts'

/** Parameters of a list request. `limit` is as requested, before the maximum applies; absent parameters are undefined. */
export interface ListParameters {
  readonly limit: number | undefined
  readonly cursor: string | undefined
}

/**
 * Reads `limit` and `cursor` from a raw query string.
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

/** A fault, and the text of its message. */
interface Refusal {
  readonly fault: FieldFault
  readonly why: string
}

/** Reads the parameters of one raw query, and collects their faults. */
export class QueryReader {
  readonly #query: string
  readonly #refusals: Refusal[] = []

  constructor(query: string) {
    this.#query = query
  }

  /** Returns the values of a parameter, in order. Decodes names and values once; `+` is itself, not a space. */
  values(name: string): string[] {
    const values = this.#query
      .split('&')
      .map((pair) => [pair, pair.indexOf('=')] as const)
      .filter(([pair, equals]) => decoded(equals < 0 ? pair : pair.slice(0, equals)) === name)
      .map(([pair, equals]) => (equals < 0 ? '' : decoded(pair.slice(equals + 1))))
    if (values.includes(undefined)) this.refuse(name, 'malformed', 'holds a broken percent-escape.')
    return values.filter((value) => value !== undefined)
  }

  /** Returns the only value of a parameter; undefined if it is absent or refused. */
  single(name: string): string | undefined {
    const values = this.values(name)
    if (values.length < 2) return values[0]
    this.refuse(name, 'repeated', 'may be given once only.')
    return undefined
  }

  /** Returns the number in a parameter of digits; undefined if it is absent or refused. */
  count(name: string): number | undefined {
    const value = this.single(name)
    if (value === undefined) return undefined
    if (/^[0-9]+$/.test(value)) return Number(value)
    const reason = /^-[0-9]+$/.test(value) ? 'too_small' : 'not_integer'
    this.refuse(name, reason, 'must be a whole number of 0 or more, in digits.')
    return undefined
  }

  /** Records a fault of a parameter. `why` continues the message after the parameter's name. */
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
