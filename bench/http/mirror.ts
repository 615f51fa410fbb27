/** Cost of a mirror in transferred bytes: a full copy of a large world, then an update with its changes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect as dial, type Server as NetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@worldwright/engines'
import { SERVER_CORES } from './cores.ts'
import { benchStore, idOf, MANY, QUICK_MANY, TYPE } from './data.ts'
import { spreadOf } from './measure.ts'
import { ROOT, startWorld } from './servers.ts'
import type { Line } from './table.ts'

const CHANGES = 1_000
const MOST_MEGABYTES = 2

/** Measures the megabytes, including header fields, and the seconds of a full run and of an update after 1,000 changes. */
export async function mirror(quick: boolean): Promise<Line[]> {
  const count = quick ? QUICK_MANY : MANY
  const folder = mkdtempSync(join(tmpdir(), 'world-mirror-'))
  const store = join(folder, 'world.db')
  copyFileSync(await benchStore(count), store)
  const meter = new Meter()
  try {
    await meter.listen()
    const first = await mirrored(store, folder, meter)
    await change(store, count)
    const second = await mirrored(store, folder, meter)
    const line = (question: string, value: number) => ({ question, bar: '', value: spreadOf([value]) })
    return [
      line(`mirror of ${count.toLocaleString('en')}, first run, MB`, first.megabytes),
      line('the same, seconds', first.seconds),
      {
        ...line(`second run after ${CHANGES.toLocaleString('en')} changes, MB`, second.megabytes),
        bar: `≤ ${MOST_MEGABYTES}`,
        met: second.megabytes <= MOST_MEGABYTES,
      },
      line('the same, seconds', second.seconds),
    ]
  } finally {
    meter.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function mirrored(store: string, folder: string, meter: Meter) {
  const port = await freePort()
  meter.to = port
  const flags = ['--workers', '1', '--port', `${port}`, '--public-url', meter.url]
  const server = await startWorld('world serve', store, SERVER_CORES, flags)
  try {
    const before = meter.bytes
    const began = performance.now()
    const main = join(ROOT, 'packages/cli/src/main.ts')
    const argv = ['--conditions=@worldwright/source', main, 'mirror', meter.url, 'mirror']
    const running = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(running, 'exit')
    if (code !== 0) throw new Error(`The mirror ended with code ${code}.`)
    return {
      megabytes: (meter.bytes - before) / 1e6,
      seconds: (performance.now() - began) / 1_000,
    }
  } finally {
    await server.stop()
  }
}

/** Changes entities spread over the whole world, with one write per change. */
async function change(file: string, count: number): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  for (let index = 0; index < CHANGES; index += 1) {
    const id = idOf(Math.floor((index * count) / CHANGES))
    const entity = await store.get(TYPE, id)
    const { title, attributes } = JSON.parse(entity?.json ?? '{}')
    await store.write([{ put: { type: TYPE, id, title: `${title} again`, attributes } }])
  }
  await store.close()
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  server.close()
  return port
}

async function listening(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

/** TCP proxy that counts the bytes sent back to the client. */
class Meter {
  bytes = 0
  /** Target port. */
  to = 0
  url = ''
  readonly #open = new Set<Socket>()
  readonly #server = createServer((client) => {
    const upstream = dial(this.to, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#open.add(one)
      one.once('close', () => {
        this.#open.delete(one)
        other.destroy()
      })
      one.on('error', () => {})
      one.pipe(other)
    }
    upstream.on('data', (chunk) => (this.bytes += chunk.length))
  })

  async listen(): Promise<void> {
    this.url = `http://127.0.0.1:${await listening(this.#server)}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }
}
