/** Streams a body to a `node:http` response. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Writes a body with backpressure. Either end closes the other: a client that disconnects ends the body, and a body that
 * fails closes the connection, since the response can no longer be completed.
 */
export function sendBody(body: AsyncIterable<Uint8Array | string>, response: ServerResponse): void {
  const source = body instanceof Readable ? body : Readable.from(body)
  // Avoids `pipeline`, which allocates 8 kB per stream, because thousands of event streams may be open.
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
  // Headers are flushed first. If Node.js joined them with a chunk, it would retain both until the response is closed.
  response.flushHeaders()
  if (response.closed) leave()
}
