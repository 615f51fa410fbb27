/** Content negotiation: selects the media type and the content coding according to the request headers. */

/** Reports whether an `Accept` header allows JSON (RFC 9110, 12.5.1). The most specific range applies; q=0 excludes JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || accepted(accept)
}

/** Returns the offered media type with the highest weight (the first on a tie), or undefined if none is acceptable. */
export function preferredType(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined) return offered[0]
  const acceptable = offered
    .map((type) => ({ type, quality: qualityOf(accept, type) }))
    .filter(({ quality }) => quality > 0)
  return acceptable.toSorted((one, other) => other.quality - one.quality)[0]?.type
}

const accepted = remembering((accept) => qualityOf(accept, 'application/json') > 0)

function qualityOf(accept: string, type: string): number {
  if (accept.trim() === '') return 1
  const ranges = weighted(accept)
  for (const range of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const quality = ranges.get(range)
    if (quality !== undefined) return quality
  }
  return 0
}

/** Returns the offered coding with the highest weight (the first on a tie), or undefined for an unencoded body. */
export function contentCoding(
  acceptEncoding: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (acceptEncoding === undefined) return undefined
  const weights = weighted(acceptEncoding)
  const any = weights.get('*') ?? 0
  let best: string | undefined
  let bestQuality = 0
  for (const coding of offered) {
    const quality = weights.get(coding) ?? any
    if (quality > bestQuality) {
      best = coding
      bestQuality = quality
    }
  }
  // A client that prefers identity gets an unencoded body.
  return bestQuality >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Maximum number of cached values per header. Clients send only a handful of different values. */
const MAX_REMEMBERED = 256

/** Memoises a parser of header values. The cache is cleared when it is full, so a flood of values cannot exhaust memory. */
export function remembering<T>(read: (value: string) => T): (value: string) => T {
  const known = new Map<string, T>()
  return (value) => {
    const remembered = known.get(value)
    if (remembered !== undefined) return remembered
    const result = read(value)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(value, result)
    return result
  }
}

/** Parses a header list into weights by lower-case name. Ignores parameters other than `q`. */
function weighted(header: string): Map<string, number> {
  const members = new Map<string, number>()
  for (const member of header.split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, ''))
    if (name !== '') members.set(name, Number.isNaN(quality) ? 0 : quality)
  }
  return members
}
