/** Opens connections that send nothing, little or too much, and renews workers under load. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PAGE, search } from './asks.ts'
import { type Answer, Clients } from './clients.ts'
import { type Effort, type Fault, type Finding, finding } from './fault.ts'
import { LoadProcess } from './load-process.ts'
import { memoryOf, pidsOf } from './processes.ts'
import { quantile } from './quantile.ts'
import { type ServedWorld, serveWorld, TYPE, waitedFor, writeToken } from './served-world.ts'

const NEIGHBOUR = '127.0.0.2'
/** Size of a body that is far too large, in bytes. */
const HUGE = 100 * 1024 * 1024
const PACKED = gzipSync(Buffer.alloc(HUGE))

/** Thousands of open connections that never send anything. */
export const idleConnections = served(async (world, _token, { short }) => {
  const sockets = await opened(world, short ? 1_000 : 10_000, () => {})
  const answers = await honest(world, short)
  for (const socket of sockets) socket.destroy()
  return judged(`${sockets.length} idle connections`, answers, short)
})

/** Connections that send their header fields or body at one byte per second. */
export const slowConnections = served(async (world, _token, { short }) => {
  const each = short ? 200 : 4_000
  const kinds = [
    'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
    `POST /api/world/v0/actions/${encodeURIComponent('wp:discover')} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  ]
  const figures: string[] = []
  const mistakes: Record<string, number> = {}
  for (const kind of kinds) {
    const sockets = await opened(world, each, (socket) => socket.write(kind))
    const dripping = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x')
    }, 1_000)
    const answers = await honest(world, short)
    clearInterval(dripping)
    for (const socket of sockets) socket.destroy()
    const { figure, failed } = summary(answers)
    figures.push(figure)
    mistakes['honest requests failed'] = (mistakes['honest requests failed'] ?? 0) + failed
    if (!short && quantile(answers.map(took), 0.99) > 50)
      mistakes['kinds beyond 50 ms'] = (mistakes['kinds beyond 50 ms'] ?? 0) + 1
  }
  return finding(`${each} slow connections of each kind; ${figures.join(', ')}`, mistakes)
})

/** Renews all workers repeatedly under load from clients that never retry. */
export const renewals = served(async (world, _token, { short }) => {
  const times = short ? 3 : 10
  const kept = new Clients(world.port, NEIGHBOUR, 16)
  const fresh = new Clients(world.port, NEIGHBOUR, 0)
  const answers: Answer[] = []
  let going = true
  const clients = [kept, kept, kept, kept, fresh, fresh].map(async (client) => {
    while (going) answers.push(await client.ask(PAGE))
  })
  for (let round = 0; round < times; round++) {
    const before = world.pids('worker')
    process.kill(world.pids('primary')[0] ?? 0, 'SIGHUP')
    const renewed = () => {
      const now = world.pids('worker')
      return now.length === before.length && now.every((pid) => !before.includes(pid))
    }
    if ((await waitedFor(renewed, 60_000)) === undefined) throw new Error(`Not renewed:\n${world.said()}`)
  }
  going = false
  await Promise.all(clients)
  kept.close()
  const failed = answers.filter(({ status }) => status !== 200).length
  return finding(`${times} renewals of all workers, ${answers.length} requests`, {
    'requests failed': failed,
  })
})

/** Concurrent request bodies of 100 MB with a content length, chunked encoding, or compression. */
export const hugeBodies = served(async (world, token, { short }) => {
  const count = short ? 9 : 50
  const before = memoryOf(pidsOf(world))
  let peak = before
  const measuring = setInterval(() => (peak = Math.max(peak, memoryOf(pidsOf(world)))), 100)
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) => hugeBody(world, token, index % 3)),
  )
  clearInterval(measuring)
  const growth = (peak - before) / 1024 / 1024
  const refused = statuses.filter((status) => status === 413 || status === 415 || status === 503).length
  return finding(`${count} bodies of 100 MB, ${refused} refused; memory +${growth.toFixed(0)} MB`, {
    'not refused': count - refused,
    'figures beyond their limit': !short && growth > 32 ? 1 : 0,
  })
})

function served(run: (world: ServedWorld, token: string, effort: Effort) => Promise<Finding>): Fault {
  return async (effort) => {
    const folder = mkdtempSync(join(tmpdir(), 'world-connections-'))
    const store = join(folder, 'world.db')
    const token = await writeToken(store)
    const world = await serveWorld(store)
    try {
      const ready = () => world.said().includes('Workers ready')
      if ((await waitedFor(ready, 60_000)) === undefined) throw new Error(world.said())
      return await run(world, token, effort)
    } finally {
      await world.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Opens connections, a hundred at a time. Uses several local addresses, because a single one has too few ports. */
async function opened(world: ServedWorld, count: number, begin: (socket: Socket) => void): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, (_, index) => {
      const localAddress = `127.0.1.${1 + ((sockets.length + index) % 50)}`
      const socket = connect({ port: world.port, host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      return new Promise<Socket>((resolve) => {
        socket.once('connect', () => resolve(socket))
        socket.once('close', () => resolve(socket))
      })
    })
    for (const socket of await Promise.all(some)) {
      begin(socket)
      sockets.push(socket)
    }
  }
  return sockets
}

/** Runs a well-behaved client in a separate process, with a new connection per request. Returns its responses. */
async function honest(world: ServedWorld, short: boolean): Promise<readonly Answer[]> {
  const neighbour = new LoadProcess('neighbour')
  const own = { port: world.port, address: NEIGHBOUR, pids: [] }
  await neighbour.watch({
    page: { ...own, ask: PAGE, everyMs: 20 },
    search: { ...own, ask: search('w1'), everyMs: 200 },
  })
  await pause(short ? 3_000 : 35_000)
  const seen = await neighbour.seen<'page' | 'search'>()
  await neighbour.stop()
  return [...seen.page.answers, ...seen.search.answers]
}

function summary(answers: readonly Answer[]) {
  const failed = answers.filter(({ status }) => status !== 200).length
  return { failed, figure: `p99 ${quantile(answers.map(took), 0.99).toFixed(0)} ms` }
}

function judged(what: string, answers: readonly Answer[], short: boolean): Finding {
  const { failed, figure } = summary(answers)
  return finding(`${what}; ${answers.length} honest requests, ${figure}`, {
    'honest requests failed': failed,
    'figures beyond their limit': !short && quantile(answers.map(took), 0.99) > 50 ? 1 : 0,
  })
}

/** Sends a huge body. Returns the status of the response, which may come before the body is sent, or 0 if there is none. */
function hugeBody(world: ServedWorld, token: string, kind: number): Promise<number> {
  const piece = Buffer.alloc(64 * 1024, 'x')
  const framing = [
    `Content-Length: ${HUGE}`,
    'Transfer-Encoding: chunked',
    `Content-Length: ${PACKED.byteLength}\r\nContent-Encoding: gzip`,
  ][kind]
  const head = `PUT /api/operator/v0/entities/${encodeURIComponent(TYPE)}/huge HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nConnection: close\r\n${framing}\r\n\r\n`
  const socket = connect({ port: world.port, host: '127.0.0.1', localAddress: '127.0.0.9' })
  return new Promise((resolve) => {
    let text = ''
    let sent = 0
    const more = () => {
      while (socket.writable && sent < HUGE / piece.byteLength) {
        sent += 1
        const bytes =
          kind === 0 ? piece : Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
        if (!socket.write(bytes)) return void socket.once('drain', more)
      }
      if (kind === 1 && socket.writable) socket.write('0\r\n\r\n')
    }
    socket.on('data', (bytes) => (text += bytes))
    socket.on('error', () => {})
    socket.once('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)))
    socket.once('connect', () => {
      socket.write(head)
      if (kind === 2) socket.write(PACKED)
      else more()
    })
  })
}

function took({ ms }: Answer): number {
  return ms
}
