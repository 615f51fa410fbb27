/**
 * Opens idle event streams and reports the cost per stream to the server, and the delay until a write reaches all
 * streams: `node --conditions=@worldwright/source bench/changes.ts [STREAMS]`. The budget is 20 kB per stream.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorld } from '@worldwright/core'
import { openStore } from '@worldwright/engines'
import { changes } from '@worldwright/extensions/changes'
import { listen } from '@worldwright/node'

/** Memory of the server process in bytes, and its processor time in microseconds. */
interface Used {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
  readonly micros: number
}

const WORLD = { id: 'urn:example:changes', types: [{ type: 'sol:moon' }] }
/** The same young-generation limit as `world serve`. */
const OPTIONS = ['--conditions=@worldwright/source', '--expose-gc', '--max-semi-space-size=8']
const WRITES = 100
const MAX_BYTES = 20_000

if (process.send) await serve()
else await measure(Number(process.argv[2] ?? 1_000))

/** Serves a world from a store on disk. Accepts commands over IPC: an id to write, or null to report usage. */
async function serve(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'world-changes-'))
  const store = await openStore(`sqlite:${join(folder, 'x.db')}`, { role: 'writer' })
  const server = await listen(createWorld({ ...WORLD, store, extensions: [changes()] }), { port: 0 })
  process.on('message', async (id: string | null) => {
    if (id === null) {
      process.send?.(await used())
      return
    }
    await store.write([{ put: { type: 'sol:moon', id, attributes: {} } }])
    process.send?.(Date.now())
  })
  process.once('disconnect', async () => {
    await server.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  process.send?.(server.port)
}

async function used(): Promise<Used> {
  for (let count = 0; count < 5; count++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { rss, heapUsed, external, micros: user + system }
}

async function measure(count: number): Promise<void> {
  const server = fork(import.meta.filename, { execArgv: OPTIONS })
  const [port] = (await once(server, 'message')) as [number]
  // The first streams are a warm-up for one-time allocations.
  for (const stream of await opened(port, 200)) stream.destroy()
  const before = await asked<Used>(server, null)
  const streams = await opened(port, count)
  const after = await asked<Used>(server, null)
  const each = (member: keyof Used) => Math.round((after[member] - before[member]) / count)
  say(`${count} streams, each: ${each('rss')} bytes resident, ${each('heapUsed')} of them on the heap`)
  const delays: number[] = []
  for (let write = 0; write < WRITES; write++)
    delays.push(...(await delaysOf(server, streams, `moon-${write}`)))
  const { micros } = await asked<Used>(server, null)
  // This includes the forced garbage collections of `used`, which are a small part.
  const event = (micros - after.micros) / WRITES / count
  say(
    `${event.toFixed(1)} µs of processor time for each event on each stream, what the write itself took included`,
  )
  delays.sort((one, other) => one - other)
  const at = (part: number) => delays[Math.floor(part * (delays.length - 1))]
  say(`${WRITES} writes, from acknowledgement to event: median ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  for (const stream of streams) stream.destroy()
  server.disconnect()
  await once(server, 'exit')
  if (each('rss') > MAX_BYTES) process.exitCode = 1
}

/** Writes an entity. Returns each stream's delay in milliseconds, negative if the event preceded the acknowledgement. */
async function delaysOf(server: ChildProcess, streams: readonly Socket[], id: string): Promise<number[]> {
  const heard = streams.map(async (stream) => {
    await until(stream, `"id":"${id}"`)
    return Date.now()
  })
  const written = await asked<number>(server, id)
  return (await Promise.all(heard)).map((at) => at - written)
}

async function asked<T>(server: ChildProcess, message: string | null): Promise<T> {
  const answer = once(server, 'message') as Promise<[T]>
  server.send(message as string)
  return (await answer)[0]
}

async function opened(port: number, count: number): Promise<Socket[]> {
  const streams: Socket[] = []
  while (streams.length < count) {
    const some = Array.from({ length: Math.min(100, count - streams.length) }, async () => {
      const stream = connect(port, '127.0.0.1').setEncoding('utf8')
      stream.write(
        'GET /api/world/v0/changes?since=now HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n',
      )
      await until(stream, 'event: position')
      return stream
    })
    streams.push(...(await Promise.all(some)))
  }
  return streams
}

function until(stream: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const heard = (chunk: string) => {
      said += chunk
      if (!said.includes(text)) return
      stream.off('data', heard)
      stream.off('close', reject)
      resolve()
    }
    stream.on('data', heard)
    stream.once('close', reject)
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
