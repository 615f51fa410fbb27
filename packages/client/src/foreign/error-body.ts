/**
 * Error bodies of any form: code and message at the top, in `error`, first in `errors`, or of a problem (RFC 9457).
 */
import { isObject } from '../protocol.ts'

/** An error body with `code` and `message` at the top, as far as they are recognised. */
export function errorBodyFrom(body: unknown): unknown {
  const { error, errors } = Object(body)
  const told = Object([error, Object(errors)[0], body].find(isObject))
  const { code = told.type ?? error, message = told.detail ?? told.title ?? code } = told
  return { ...told, code: code && `${code}`, message }
}
