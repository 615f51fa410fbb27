/** Content negotiation: the media type and the content coding that the request headers ask for. */

/** Reports whether an `Accept` header permits JSON (RFC 9110, 12.5.1): the most specific range decides, q=0 excludes. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || accepted(accept)
}

/** Returns the offered media type with the highest weight in an `Accept` header; the first of a tie; undefined for none. */
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

/** Returns the offered coding with the highest weight in `Accept-Encoding`; the first of a tie; undefined for none. */
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
  // A client that weighs identity more gets an unencoded body.
  return bestQuality >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Maximum cached values per header: browsers and programs use a handful. */
const MAX_REMEMBERED = 256

/** Memoises a parser of header values. A flood of distinct values only clears the cache. */
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

/** Parses a weighted list into weights by lower-case name; ignores parameters other than `q`. */
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
