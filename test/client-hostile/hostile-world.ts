/**
 * A hostile world: a bare socket that sends exactly the bytes of a scenario.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'

/** Reaction of a scenario to one request. */
export type Reply = (socket: Socket, request: string, place: Place) => void

/** Addresses that a scenario may write into its answers. */
export interface Place {
  /** Origin of the world itself. */
  origin: string
  port: number
  /** Another origin, which must receive no secret. */
  foreign: string
  /** Number of requests to this world so far. */
  asked: number
}

/** A listening world, with everything it received. */
export interface Listening {
  place: Place
  heard: () => string
  close: () => Promise<void>
}

/** Listens on a free port. */
export async function listen(reply: Reply, foreign = ''): Promise<Listening> {
  let heard = ''
  const sockets = new Set<Socket>()
  const place: Place = { origin: '', port: 0, foreign, asked: 0 }
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let request = ''
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      request += bytes.toString('latin1')
      const end = request.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0)
      if (request.length < end + 4 + length) return
      const whole = request
      request = ''
      place.asked += 1
      reply(socket, whole, place)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  place.port = (server.address() as AddressInfo).port
  place.origin = `http://127.0.0.1:${place.port}`
  return {
    place,
    heard: () => heard,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Writes one whole answer: status line, header fields and body. */
export function answer(
  socket: Socket,
  status: number | string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  const lines = Object.entries({
    'Content-Type': 'application/json',
    'Content-Length': `${bytes.length}`,
    ...headers,
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head}\r\n`), bytes]))
}

/** Returns a discovery document whose API is at `api`. */
export function documentOf(api: string, more: object = {}): string {
  return JSON.stringify({ protocol: 'world/0.1', world: { id: 'urn:x' }, endpoints: { api }, ...more })
}

/** Returns a world with an honest discovery document and the given API. */
export function behind(api: Reply): Reply {
  return (socket, request, place) => {
    if (isDiscovery(request)) answer(socket, 200, documentOf(`${place.origin}/w`))
    else api(socket, request, place)
  }
}

/** Reports whether a request is for the discovery document. */
export function isDiscovery(request: string): boolean {
  return request.startsWith('GET /.well-known/world.json ')
}

/** Sends parts forever, as fast as the peer accepts them, or one every `ms` milliseconds. */
export function endless(socket: Socket, part: string | Buffer, ms?: number): void {
  if (ms !== undefined) {
    const timer = setInterval(() => socket.write(part), ms)
    socket.on('close', () => clearInterval(timer))
    return
  }
  const fill = () => {
    while (!socket.destroyed && socket.write(part)) {}
  }
  socket.on('drain', fill)
  fill()
}
