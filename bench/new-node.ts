/**
 * Measures how long a new node over PostgreSQL takes to be ready: once by copying the database, once from a backup of the
 * first node, read over loopback: `node --conditions=@worldwright/source bench/new-node.ts [ENTITIES | FILE]`. Starts its own
 * server. ENTITIES are generated, 200,000 by default; FILE is a file to import. Linux only: memory is read from `/proc`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isReached, positionNow } from '@worldwright/core/store'
import { openStore, storeUrl } from '@worldwright/engines'
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { peakOf, ROOT } from './measured-loads.ts'
import { countOf, world } from './postgres/nodes.ts'

/** Maximum time of the seeded node, as a fraction of that of the copying one. */
const BAR = 0.2

/** Entities written after the backup, which the seeded node follows. */
const LATER = 1_000

/** Interval at which `/ready` is asked, in milliseconds. */
const POLL_MS = 20

const WORDS =
  'amber basin cliff delta ember fjord glade harbor island jungle karst lagoon mesa north oasis'.split(' ')

function* generated(count: number): Generator<string> {
  for (let at = 0; at < count; at++) {
    const word = (step: number) => WORDS[Math.floor(at / WORDS.length ** step) % WORDS.length]
    const attributes = {
      size: at % 9_973,
      share: (at % 1_000) / 8,
      kind: word(1),
      note: `${word(2)} ${word(3)} ${at}`,
    }
    yield `${JSON.stringify({ type: `bench:${word(0)}`, id: `e${at}`, title: `${word(1)} ${word(2)} ${at}`, attributes })}\n`
  }
}

async function fileToImport(folder: string, named = '200000'): Promise<string> {
  if (!/^\d+$/.test(named)) return resolve(named)
  const file = join(folder, 'entities.ndjson')
  await pipeline(generated(Number(named)), createWriteStream(file))
  return file
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Serves a node until `/ready` answers 200. Returns the process, which still runs, and the seconds. */
async function ready(cwd: string, ...args: string[]): Promise<{ child: ChildProcess; seconds: number }> {
  const port = await freePort()
  const argv = [
    'serve',
    '--port',
    '0',
    '--admin-port',
    `${port}`,
    '--workers',
    '1',
    '--no-access-log',
    ...args,
  ]
  const program = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts')]
  const begun = performance.now()
  const child = spawn(process.execPath, [...program, ...argv], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(said)
    await pause(POLL_MS)
  }
  return { child, seconds: (performance.now() - begun) / 1_000 }
}

/** Returns the processor time of a process, in seconds, and its peak memory, as cells of the table. */
function costOf(child: ChildProcess): string {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return `${((Number(fields[11]) + Number(fields[12])) / 100).toFixed(1)} | ${peakOf(child.pid)}`
}

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

const server = await startPostgres({ isDurable: true })
if (server === undefined) {
  process.stdout.write('Not run: this machine has no PostgreSQL.\n')
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
const children: ChildProcess[] = []
const objects = createServer((_, response) => createReadStream(backup).pipe(response)).listen(0, '127.0.0.1')
const backup = join(folder, 'node.backup')
const at = (cache: string) => `${server.url}?cache=${cache}`
try {
  await world(folder, 'import', await fileToImport(folder, process.argv[2]), '--store', at('none'))
  const copied = await ready(folder, '--store', at('copied'))
  const costs = [costOf(copied.child)]
  children.push(copied.child)
  const begun = performance.now()
  await world(folder, 'backup', backup, '--store', at('copied'))
  const backupSeconds = (performance.now() - begun) / 1_000
  const direct = await openStore(storeUrl(at('none'), folder), { role: 'writer' })
  const put = (id: number) => ({
    put: { type: 'bench:later', id: `e${id}`, title: `Later ${id}`, attributes: {} },
  })
  await direct.write(Array.from({ length: LATER }, (_, id) => put(id)))
  const [position, entities] = [await positionNow(direct), await countOf(direct)]
  await direct.close()
  await stopped(copied.child)
  const { port } = objects.address() as AddressInfo
  const seed = `http://127.0.0.1:${port}/node.backup`
  const seeded = await ready(folder, '--store', at('seeded'), '--seed', seed)
  children.push(seeded.child)
  costs.push(costOf(seeded.child))
  await stopped(seeded.child)
  const node = await openStore(storeUrl(`sqlite:${join(folder, 'seeded/copy.db')}`, folder), {
    role: 'reader',
  })
  if ((await isReached(node, position)) !== true || (await countOf(node)) !== entities)
    throw new Error('the seeded node has not all entities')
  await node.close()
  const ratio = seeded.seconds / copied.seconds
  process.stdout.write(
    `${[
      `| new node over ${entities.toLocaleString('en')} entities | seconds to \`/ready\` | processor s | resident MB |`,
      '|---|---|---|---|',
      `| copies the database | ${copied.seconds.toFixed(1)} | ${costs[0]} |`,
      `| from a backup of ${Math.round(statSync(backup).size / 1e6)} MB | ${seeded.seconds.toFixed(1)} | ${costs[1]} |`,
      `| ratio, bar ${BAR} or less | ${ratio.toFixed(3)}${ratio > BAR ? ' **MISS**' : ''} | | |`,
      `| the backup itself, verified | ${backupSeconds.toFixed(1)} | | |`,
    ].join('\n')}\n`,
  )
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
  objects.close()
  await server.end()
  rmSync(folder, { recursive: true })
}
