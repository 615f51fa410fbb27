/**
 * Error messages as sentences: the address, what happened, and what to do.
 */
import { attempt, isWorldError, WorldError } from './error.ts'

const MESSAGES: Record<string, string> = {
  insecure_endpoint: 'Nothing was sent: it is not allowed.',
  invalid_argument: 'Nothing was sent: it is not valid.',
  invalid_response: 'The answer is not recognised.',
  network_error: 'No connection. Check the address.',
  not_a_world: 'No world answered here. Check the address.',
  gateway: 'The gateway failed. Try again.',
  timeout: 'No answer in time. Try again.',
  unsupported_protocol: 'The world has another version. Update the client.',
}

/** Runs a call. If it fails with a client code or because the server is not a world, its error gets a readable message. */
export async function withMessage<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isWorldError(error) ? addMessage(error) : error
  }
}

function addMessage(error: WorldError): WorldError {
  const { code, url, details, message } = error
  const isNoWorld = /^http_\d/.test(code)
  const sentence = MESSAGES[isNoWorld ? (code > 'http_501' ? 'gateway' : 'not_a_world') : code]
  // A message from the world is kept, and so is a message that is already a sentence.
  if (!sentence || !message.startsWith(code.replaceAll('_', ' '))) return error
  const facts = attempt(() =>
    Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  )
  const known = [isNoWorld ? code : [], systemCode(error) ?? [], facts ?? []].flat().join(', ')
  const place = url && `${url}: `
  // A new error, because the stack begins with the message. `cause` is copied separately, as spreading omits it.
  const context = { ...error, ...('cause' in error && { cause: error.cause }) }
  return new WorldError(code, `${place}${sentence}${known && ` (${known})`}`, context)
}

/** Returns only the system error code, such as ECONNREFUSED, because the message could contain a secret. */
function systemCode(error: unknown): string | undefined {
  const { code, cause } = Object(error)
  return /^[A-Z_]+$/.test(code) ? code : cause && systemCode(cause)
}
