/** The client that breaks a rule: every part of it consults this module to break one. */

/** Reports whether the client should break the rule of this name. */
export type Breaks = (name: string) => boolean

/** A call that failed, as the client reports it on its last line. */
export class Failed extends Error {
  readonly error: Record<string, unknown>

  constructor(status: number, code: unknown, url: string, details: unknown = {}) {
    super(String(code))
    this.error = { status, code, details, url }
  }
}

/** Ends a call with an error of the client. */
export function fail(status: number, code: unknown, url: string, details?: unknown): never {
  throw new Failed(status, code, url, details)
}

/** Returns the JSON value of a text; undefined if it is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
