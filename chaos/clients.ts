/** Sends requests to a world and measures their response times. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ask } from './asks.ts'

/** Outcome of one request. `status` is 0 if there was no response. */
export interface Answer {
  readonly status: number
  /** Reason why there is no response: a system error code such as `ECONNRESET`, or `no answer in 30 s`. */
  readonly failure?: string
  /** Time from when the request was due until the last byte of the response, in milliseconds. */
  readonly ms: number
  readonly headers: IncomingHttpHeaders
}

/** Timeout of a request, and maximum age of an idle connection, in milliseconds. */
const TIMEOUT_MS = 30_000

/** Clients that send from one local address. */
export class Clients {
  readonly #agent: Agent
  readonly #port: number
  readonly #address: string

  /** @param connections maximum number of keep-alive connections, or 0 to open a new one for each request */
  constructor(port: number, address: string, connections: number) {
    this.#port = port
    this.#address = address
    // Times out idle connections before the server does, as careful clients do: reusing one just as it closes would fail.
    const kept = { keepAlive: true, maxSockets: connections, timeout: TIMEOUT_MS }
    this.#agent = new Agent(connections === 0 ? {} : kept)
  }

  /** Sends one request. Never rejects. */
  ask({ path, method = 'GET', headers = {}, body }: Ask, due = performance.now()): Promise<Answer> {
    return new Promise((resolve) => {
      const answered = (status: number, received: IncomingHttpHeaders = {}) =>
        resolve({ status, ms: performance.now() - due, headers: received })
      const failed = ({ code, message }: NodeJS.ErrnoException) =>
        resolve({ status: 0, failure: code ?? message, ms: performance.now() - due, headers: {} })
      const options = { port: this.#port, host: '127.0.0.1', localAddress: this.#address }
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = request(
        {
          ...options,
          path,
          method,
          headers: { ...headers, ...length },
          agent: this.#agent,
          timeout: TIMEOUT_MS,
        },
        (response) => {
          response.resume()
          response.once('end', () => answered(response.statusCode ?? 0, response.headers))
          response.once('error', failed)
        },
      )
      sent.once('timeout', () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`)))
      sent.once('error', failed)
      sent.end(body)
    })
  }

  /** Sends `perSecond` requests per second for `ms` milliseconds, and waits for all responses. */
  async openLoop(ask: () => Ask, perSecond: number, ms: number): Promise<Answer[]> {
    const began = performance.now()
    const all: Promise<Answer>[] = []
    while (performance.now() - began < ms) {
      const due = ((performance.now() - began) / 1_000) * perSecond
      while (all.length < due) all.push(this.ask(ask(), began + (all.length / perSecond) * 1_000))
      await pause(2)
    }
    return Promise.all(all)
  }

  close(): void {
    this.#agent.destroy()
  }
}
