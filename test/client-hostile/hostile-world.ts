/** A hostile world: a bare socket that sends exactly the bytes of a scenario. */

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'

/** Reacts to a single request in whatever way the scenario needs. */
export type Reply = (socket: Socket, request: string, place: Place) => void

/** Facts about a hostile world that its answers may use. */
export interface Place {
  /** Origin of the world itself. */
  origin: string
  port: number
  /** Another origin, which must not receive any secret. */
  foreign: string
  /** Number of requests that the world has received, including this one. */
  asked: number
}

/** A listening world, and all that it has received. */
export interface Listening {
  place: Place
  heard: () => string
  close: () => Promise<void>
}

/** Starts a world on a free port that reacts to each request with `reply`. */
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

/** Writes a complete response: status line, header fields and body. */
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

/** Returns a world with a valid discovery document. `api` reacts to all other requests. */
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

/** Sends `part` forever, as fast as the client accepts it or once every `ms` milliseconds. */
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
