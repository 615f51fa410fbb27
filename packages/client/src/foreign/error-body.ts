/**
 * Error bodies of any form: code and message at the top level, in `error`, in `errors[0]`, in any other member, or as a problem
 * (RFC 9457).
 */
import { isObject } from '../protocol.ts'

/** Returns an error body with `code` and `message` at the top level, if they are recognised. */
export function errorBodyFrom(body: unknown): unknown {
  const { error, errors } = Object(body)
  const other = Object.values(Object(body)).find((one) => isObject(one) && one['code'] && one['message'])
  const told = Object([error, errors?.[0], other, body].find(isObject))
  const { message = told.detail ?? told.title, code = told.type ?? (message && error) } = told
  return { ...told, code: code && `${code}`, message }
}
