/** A body that is written piece by piece, on its way to a response of `node:http`. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Writes a body as fast as its client takes it. The end of one is the end of the other: a client that leaves ends the
 * body, and a body that breaks off ends the connection, since the rest cannot be sent any more.
 */
export function sendBody(body: AsyncIterable<Uint8Array | string>, response: ServerResponse): void {
  const source = body instanceof Readable ? body : Readable.from(body)
  // By hand, and with few functions: what `pipeline` keeps for one event stream is 8 kB, and thousands are open.
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
  // On their own: Node keeps the many parts of what it joins with a first piece, for as long as the response is open.
  response.flushHeaders()
  if (response.closed) leave()
}
