/**
 * Failures as sentences: where, what happened, and the way out.
 */
import { attempt, isWorldError, WorldError } from './error.ts'

const MESSAGES: Record<string, string> = {
  invalid_argument: 'Nothing was sent, since this cannot be asked for.',
  invalid_response: 'The answer was not recognised.',
  network_error: 'The connection failed. Check the address and the network.',
  not_a_world: 'What answers here is not a world. Check the address.',
  timeout: 'No answer came in time. Try again later.',
  unsupported_protocol: 'The world speaks another version of the protocol. Look for a newer client.',
}

/** Runs a call; a failure that the client names itself, or no world did, comes out with a sentence as its message. */
export async function withMessage<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isWorldError(error) ? addMessage(error) : error
  }
}

function addMessage(error: WorldError): WorldError {
  const { code, status, url, details, message } = error
  const sentence = /^http_\d/.test(code)
    ? `No world answered here, but something else with status ${status}. Check the address.`
    : MESSAGES[code]
  // What a world says of its own failure stands, and so does what has been put in words already.
  if (!sentence || !message.startsWith(code.replaceAll('_', ' '))) return error
  const facts = attempt(() =>
    Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  )
  const known = [systemCode(error) ?? [], facts ?? []].flat().join(', ')
  const place = url && `${url}: `
  // Created again, since a stack begins with the message. A cause is not among what is spread.
  const context = { ...error, ...('cause' in error && { cause: error.cause }) }
  return new WorldError(code, `${place}${sentence}${known && ` (${known})`}`, context)
}

/** The system's own name for what went wrong, such as ECONNREFUSED: no more, since a message could repeat a secret. */
function systemCode(error: unknown): string | undefined {
  const { code, cause } = Object(error)
  return /^[A-Z_]+$/.test(code) ? code : cause && systemCode(cause)
}
