/** Writing a response of the handler to a response of `node:http`. */
import type { ServerResponse } from 'node:http'
import { createRequestIds, errorResponse, WorldFault, type WorldResponse } from '@worldwright/core'
import { KeptHeadResponse } from './kept-head.ts'
import { sendBody } from './node-body.ts'
import type { ConnectionLimits } from './node-limits.ts'
import { linger } from './node-linger.ts'

/** Maximum bytes of a body that is joined with the header fields into one write; beyond that, two writes cost less. */
const MAX_JOINED_BYTES = 4_096

const newId = createRequestIds()

/** Writes an answer. `keepAliveMs`: idle time allowed to the connection afterwards. */
export function writeAnswer(
  response: ServerResponse,
  answer: WorldResponse,
  keepAliveMs: number,
  limits: Pick<ConnectionLimits, 'written'> | undefined,
): void {
  // A broken request body has been answered already.
  if (response.headersSent) return
  const { status, headers, body, requestId } = answer
  try {
    if (isKeptHead(response, answer)) response.keepHead(answer, keepAliveMs / 1_000)
    else
      response.writeHead(status, requestId === undefined ? headers : { ...headers, 'request-id': requestId })
  } catch (error) {
    // A field that no answer may have, such as a value with a line end.
    process.emitWarning(error as Error)
    const fault = new WorldFault('internal_error', 'The server failed to answer this request.')
    writeAnswer(response, errorResponse(fault, requestId ?? newId()), keepAliveMs, limits)
    return
  }
  if (headers['connection'] === 'close' && !response.req.complete) linger(response.req.socket)
  if (body instanceof Uint8Array && body.byteLength <= MAX_JOINED_BYTES) {
    // Node.js joins header fields only with text; latin1 text has one character for every byte.
    response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
  } else if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) response.end(body)
  else sendBody(body, response)
  limits?.written(response)
}

/** Reports whether a prebuilt head suffices: the answer has a length, and does not end the connection. */
function isKeptHead(
  response: ServerResponse,
  { status, headers }: WorldResponse,
): response is KeptHeadResponse {
  if (!(response instanceof KeptHeadResponse) || !response.staysOpen()) return false
  return headers['connection'] === undefined && (status === 304 || headers['content-length'] !== undefined)
}

/**
 * Removes the body from an answer that came in a promise. The promises of a request that waited are in the old generation
 * of the garbage collector, and what they refer to stays in memory until a full collection, however long ago it was sent.
 */
export function letGo(answer: { body?: WorldResponse['body'] }): void {
  answer.body = undefined
}
