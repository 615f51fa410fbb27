/** Operations that are expected to fail at times, such as access to browser storage and parsing of untrusted text. */

/** Returns the result of `use`, or undefined if `use` throws. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Parses text as JSON. Returns undefined if the text is absent or is not JSON. */
export function jsonFrom(text: string | null | undefined): unknown {
  return attempt(() => JSON.parse(text ?? ''))
}
