/** Sending a body piece by piece to a response of `node:http`. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Writes a body with backpressure from its client. Either end closes the other: a client that disconnects ends the
 * body, and a body that breaks off ends the connection, since the rest cannot be sent any more.
 */
export function sendBody(body: AsyncIterable<Uint8Array | string>, response: ServerResponse): void {
  const source = body instanceof Readable ? body : Readable.from(body)
  // Without `pipeline`, and with few functions: it keeps 8 kB for one event stream, and thousands are open.
  const end = () => {
    if (source.readableEnded) response.end()
    else response.destroy()
  }
  const leave = () => source.destroy()
  source.on('data', (piece) => {
    if (!response.destroyed && !response.write(piece)) source.pause()
  })
  source.on('end', end)
  source.on('error', end)
  source.on('close', end)
  response.on('drain', () => source.resume())
  response.on('error', leave)
  response.on('close', leave)
  // Sent on their own: Node.js keeps all parts that it joins with a first piece for as long as the response is open.
  response.flushHeaders()
  if (response.closed) leave()
}
