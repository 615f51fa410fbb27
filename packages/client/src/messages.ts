/**
 * Failures as sentences: the address, what happened, and what to do.
 */
import { attempt, isWorldError, WorldError } from './error.ts'

const MESSAGES: Record<string, string> = {
  insecure_endpoint: 'Nothing was sent there: it is not allowed.',
  invalid_argument: 'Nothing was sent: this cannot be asked for.',
  invalid_response: 'The answer was not recognised.',
  network_error: 'The connection failed. Check the address and the network.',
  not_a_world: 'No world answered here. Check the address.',
  timeout: 'No answer in time. Try again.',
  unsupported_protocol: 'The world has another version. Get a newer client.',
}

/** Runs a call; a failure with a code of the client, or from a server that is no world, gets a sentence as its message. */
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
  const sentence = MESSAGES[isNoWorld ? 'not_a_world' : code]
  // A message from the world is kept, and so is one that is a sentence already.
  if (!sentence || !message.startsWith(code.replaceAll('_', ' '))) return error
  const facts = attempt(() =>
    Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  )
  const known = [isNoWorld ? code : [], systemCode(error) ?? [], facts ?? []].flat().join(', ')
  const place = url && `${url}: `
  // Created again, since a stack begins with the message. Spreading does not copy a cause.
  const context = { ...error, ...('cause' in error && { cause: error.cause }) }
  return new WorldError(code, `${place}${sentence}${known && ` (${known})`}`, context)
}

/** Returns the system's error code, such as ECONNREFUSED, and nothing else, since a message could repeat a secret. */
function systemCode(error: unknown): string | undefined {
  const { code, cause } = Object(error)
  return /^[A-Z_]+$/.test(code) ? code : cause && systemCode(cause)
}
