/** Request ids: what a client, a log line and an error body have in common. */
import { randomBytes } from 'node:crypto'

const SAFE = /^[A-Za-z0-9._~-]{1,64}$/

/**
 * A source of request ids. A client's own id is taken over where it is plain enough to be repeated in headers and
 * logs; otherwise a new one is made, unique across processes.
 */
export function createRequestIds(): (asked?: string) => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return (asked) => {
    const given = givenId(asked)
    if (given !== undefined) return given
    count += 1
    return `${process}-${count.toString(36)}`
  }
}

/** The id a client gave its request, where it is plain enough to be repeated. */
export function givenId(asked: string | undefined): string | undefined {
  return asked !== undefined && SAFE.test(asked) ? asked : undefined
}
