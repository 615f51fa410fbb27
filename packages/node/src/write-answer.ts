/** Writes a handler's response to a `node:http` response. */
import type { ServerResponse } from 'node:http'
import { createRequestIds, errorResponse, WorldFault, type WorldResponse } from '@worldwright/core'
import { KeptHeadResponse } from './kept-head.ts'
import { sendBody } from './node-body.ts'
import type { ConnectionLimits } from './node-limits.ts'
import { linger } from './node-linger.ts'

/** Maximum size of a body that is written together with the header fields, in bytes. Above it, two writes cost less. */
const MAX_JOINED_BYTES = 4_096

const newId = createRequestIds()

/** Writes a response. `keepAliveMs` is the idle time allowed on the connection afterwards. */
export function writeAnswer(
  response: ServerResponse,
  answer: WorldResponse,
  keepAliveMs: number,
  limits: Pick<ConnectionLimits, 'written'> | undefined,
): void {
  // An error response to a broken request body may have been sent already.
  if (response.headersSent) return
  const { status, headers, body, requestId } = answer
  try {
    if (isKeptHead(response, answer)) response.keepHead(answer, keepAliveMs / 1_000)
    else
      response.writeHead(status, requestId === undefined ? headers : { ...headers, 'request-id': requestId })
  } catch (error) {
    // The response has an invalid field, such as a value with a line break.
    process.emitWarning(error as Error)
    const fault = new WorldFault('internal_error', 'The server failed to answer this request.')
    writeAnswer(response, errorResponse(fault, requestId ?? newId()), keepAliveMs, limits)
    return
  }
  if (headers['connection'] === 'close' && !response.req.complete) linger(response.req.socket)
  if (body instanceof Uint8Array && body.byteLength <= MAX_JOINED_BYTES) {
    // Node.js joins header fields only with text. Latin-1 maps each byte to one character.
    response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
  } else if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) response.end(body)
  else sendBody(body, response)
  limits?.written(response)
}

/** Reports whether a prebuilt head can be used: the response has a known length and keeps the connection open. */
function isKeptHead(
  response: ServerResponse,
  { status, headers }: WorldResponse,
): response is KeptHeadResponse {
  if (!(response instanceof KeptHeadResponse) || !response.staysOpen()) return false
  return headers['connection'] === undefined && (status === 304 || headers['content-length'] !== undefined)
}

/**
 * Releases the body of a response returned in a promise. The promises of a delayed request have reached the old generation
 * of the garbage collector, so whatever they refer to stays in memory until a full collection.
 */
export function letGo(answer: { body?: WorldResponse['body'] }): void {
  answer.body = undefined
}
