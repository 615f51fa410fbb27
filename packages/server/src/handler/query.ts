/** The query parameters of a list: `limit` and `cursor`, read strictly; every other parameter is ignored. */
import type { FieldFault } from '@worldwright/client/protocol'
import { fieldsFault } from '../world/errors.ts'

/** A list request's parameters. `limit` is as asked for, before the maximum applies; absent ones are undefined. */
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
  const faults: FieldFault[] = []
  const limit = single(query, 'limit', faults)
  const cursor = single(query, 'cursor', faults)
  if (limit !== undefined && !/^[0-9]+$/.test(limit)) {
    faults.push({ in: 'query', name: 'limit', reason: /^-[0-9]+$/.test(limit) ? 'too_small' : 'not_integer' })
  }
  if (faults.length > 0) {
    const names = [...new Set(faults.map((fault) => fault.name))].join(' and ')
    throw fieldsFault('invalid_parameter', `${names}: ${describe(faults)}`, faults)
  }
  return { limit: limit === undefined ? undefined : Number(limit), cursor }
}

/** The one value of a parameter. Names and values are decoded once; `+` is itself, not a space. */
function single(query: string, name: 'limit' | 'cursor', faults: FieldFault[]): string | undefined {
  const values = query
    .split('&')
    .map((pair) => [pair, pair.indexOf('=')] as const)
    .filter(([pair, equals]) => decoded(equals < 0 ? pair : pair.slice(0, equals)) === name)
    .map(([pair, equals]) => (equals < 0 ? '' : decoded(pair.slice(equals + 1))))
  if (values.length > 1) {
    faults.push({ in: 'query', name, reason: 'repeated' })
    return undefined
  }
  if (values.length === 1 && values[0] === undefined) faults.push({ in: 'query', name, reason: 'malformed' })
  return values[0]
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function describe(faults: readonly FieldFault[]): string {
  if (faults.some((fault) => fault.reason === 'repeated')) return 'may be given once only.'
  if (faults.some((fault) => fault.reason === 'malformed')) return 'holds a broken percent-escape.'
  return 'must be a whole number of 0 or more, in digits.'
}
