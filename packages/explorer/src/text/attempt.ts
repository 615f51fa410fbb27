/** Attempts that may fail without a fault: a browser's storage, and untrusted text. */

/** Returns the result of `use`, or undefined if it throws. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Parses a text as JSON; undefined if there is none, or if it is invalid. */
export function jsonFrom(text: string | null | undefined): unknown {
  return attempt(() => JSON.parse(text ?? ''))
}
