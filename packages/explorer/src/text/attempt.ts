/** Trying what may fail without anybody being at fault: a browser's storage, and text that is not ours. */

/** Returns the result of `use`, or undefined if it throws. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** The value that a text spells as JSON; undefined if there is none, or if it spells nothing. */
export function jsonFrom(text: string | null | undefined): unknown {
  return attempt(() => JSON.parse(text ?? ''))
}
