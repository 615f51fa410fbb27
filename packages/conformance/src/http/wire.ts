/** Sends raw requests over plain sockets, so that no HTTP client normalises them or adds to them. */
import { lookup } from 'node:dns'
import { connect, isIP, type LookupFunction, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Exchange } from './exchange.ts'
import { type Parsed, parseResponse } from './parse-response.ts'

/** Options for sending a single request. */
export interface SendOptions {
  /** Response timeout, in milliseconds. */
  readonly timeout: number
  /** True for a HEAD request, whose response has no body even if its headers announce one. */
  readonly bodyless?: boolean
  /** Uses a new connection and closes it afterwards. */
  readonly alone?: boolean
}

/** Sends requests and keeps one connection per origin open for reuse. */
export interface Wire {
  /** Sends a request. Never rejects: an error is recorded in the exchange's `trouble`. */
  send(origin: string, bytes: Buffer, options: SendOptions): Promise<Exchange>
  /** Closes every connection and aborts the requests on it. */
  close(): void
}

/** Maximum number of bytes read per response. No proper response comes near it. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024

/** Creates a wire over plain sockets. Connections are opened on demand, and only to addresses that `allowAddress` accepts. */
export function createWire(allowAddress: (address: string) => boolean = () => true): Wire {
  const idle = new Map<string, Socket>()
  const busy = new Set<Socket>()
  return {
    async send(origin, bytes, options) {
      const kept = options.alone === true ? undefined : idle.get(origin)
      if (kept !== undefined) {
        idle.delete(origin)
        const attempt = await converse(kept, bytes, options)
        // A server may close an idle connection just as it is reused. No response arrives in that case.
        if (attempt.parsed !== undefined || attempt.timedOut)
          return finish(kept, origin, bytes, options, attempt)
        kept.destroy()
      }
      const socket = open(origin, allowAddress)
      busy.add(socket)
      socket.on('close', () => busy.delete(socket))
      return finish(socket, origin, bytes, options, await converse(socket, bytes, options))
    },
    close() {
      for (const socket of [...busy, ...idle.values()]) socket.destroy()
      idle.clear()
    },
  }

  function finish(
    socket: Socket,
    origin: string,
    bytes: Buffer,
    options: SendOptions,
    { parsed, trouble }: Attempt,
  ): Exchange {
    if (options.alone !== true && trouble === undefined && parsed?.reusable === true && !socket.destroyed) {
      busy.delete(socket)
      socket.removeAllListeners()
      socket.on('error', () => socket.destroy())
      socket.on('close', () => idle.get(origin) === socket && idle.delete(origin))
      // An idle connection must not keep the process alive.
      socket.unref()
      idle.get(origin)?.destroy()
      idle.set(origin, socket)
    } else socket.destroy()
    return new Exchange(origin, bytes, parsed?.response, trouble)
  }
}

function open(origin: string, allowAddress: (address: string) => boolean): Socket {
  const { protocol, hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  const refusal = new Error(`${host} has no address that is allowed`)
  // An IP address is not looked up.
  if (isIP(host) !== 0 && !allowAddress(host)) return new Socket().destroy(refusal)
  const allowed: LookupFunction = (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      const left = error ? [] : found.filter(({ address }) => allowAddress(address))
      const [first] = left
      if (first === undefined) return callback(error ?? refusal, '')
      return options.all ? callback(null, left) : callback(null, first.address, first.family)
    })
  if (protocol === 'http:') return connect({ host, port: Number(port || 80), lookup: allowed })
  // SNI requires a host name and must not contain an IP address.
  const name = isIP(host) === 0 ? { servername: host } : {}
  return connectTls({
    host,
    port: Number(port || 443),
    lookup: allowed,
    ALPNProtocols: ['http/1.1'],
    ...name,
  })
}

interface Attempt {
  readonly parsed: Parsed | undefined
  readonly trouble: string | undefined
  readonly timedOut: boolean
}

function converse(socket: Socket, bytes: Buffer, { timeout, bodyless }: SendOptions): Promise<Attempt> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    let timedOut = false
    const settle = (ended: boolean, trouble?: string) => {
      const parsed = parseResponse(received, ended, bodyless)
      if (parsed?.complete === true) done({ parsed, trouble: undefined, timedOut })
      else if (ended) done({ parsed, trouble: trouble ?? 'the connection ended too early', timedOut })
    }
    const done = (attempt: Attempt) => {
      clearTimeout(timer)
      socket.removeAllListeners('data')
      resolve(attempt)
    }
    const timer = setTimeout(() => {
      timedOut = true
      settle(true, `no whole answer within ${timeout} ms`)
    }, timeout)
    socket.ref()
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length > MAX_RESPONSE_BYTES) settle(true, 'the answer is too large to be read')
      else settle(false)
    })
    // The message is empty if a host has several addresses and connecting failed for all of them.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(true, `connection: ${error.message || error.code}`),
    )
    socket.on('close', () => settle(true))
    socket.on('end', () => settle(true))
    socket.write(bytes)
  })
}
