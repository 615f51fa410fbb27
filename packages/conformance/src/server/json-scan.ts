/** Scans JSON text for faults that `JSON.parse` hides: repeated keys, rounded numbers and forbidden characters. */

/** Faults found in JSON text, in one array per type of fault. */
export interface Scanned {
  /** Keys that occur more than once in the same object. */
  readonly repeated: string[]
  /** Integers outside ±(2^53-1), as written. */
  readonly unsafe: string[]
  /** Strings with a lone surrogate or a NUL, as written. */
  readonly broken: string[]
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],:]/g

/** Scans `text`, which must be valid JSON. */
export function scanJson(text: string): Scanned {
  const found: Scanned = { repeated: [], unsafe: [], broken: [] }
  /** Keys seen so far in each open object, outermost first; undefined for an open array. */
  const open: (Set<string> | undefined)[] = []
  let keyNext = false
  for (const [token] of text.matchAll(TOKEN)) {
    const keys = open.at(-1)
    if (token === '{') {
      open.push(new Set())
      keyNext = true
    } else if (token === '[') {
      open.push(undefined)
      keyNext = false
    } else if (token === '}' || token === ']') {
      open.pop()
      keyNext = false
    } else if (token === ',') keyNext = keys !== undefined
    else if (token.startsWith('"')) {
      readString(token, keyNext ? keys : undefined, found)
      keyNext = false
    } else if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) found.unsafe.push(token)
  }
  return found
}

function readString(token: string, keys: Set<string> | undefined, found: Scanned): void {
  const value: string = JSON.parse(token)
  if (!value.isWellFormed() || value.includes('\u0000')) found.broken.push(token)
  if (keys === undefined) return
  if (keys.has(value)) found.repeated.push(value)
  keys.add(value)
}
