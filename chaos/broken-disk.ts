/**
 * Makes the disk of a served world fail in several ways, and then repairs it. Reads must continue, writes must be refused
 * with a reason, and the world must recover by itself within seconds.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { storeAt } from '@worldwright/engines'
import { builtShim } from './built-shim.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { readThing, type ServedWorld, serveWorld, waitedFor, writeThing, writeToken } from './served-world.ts'

const WELL_MS = 5_000

/** Disk failure and its repair. */
interface Trouble {
  readonly name: string
  /** Reasons that a refused write may report. */
  readonly reasons: readonly string[]
  begin(target: DiskTarget): void
  end(target: DiskTarget): void
}

/** Folder, store and world that a disk failure affects. */
interface DiskTarget {
  readonly folder: string
  readonly store: string
  readonly world: ServedWorld
}

const EIO = 5
const EROFS = 30
const failWith = (errno: number) => ({
  begin: ({ folder }: DiskTarget) => writeFileSync(`${folder}.errno`, String(errno)),
  end: ({ folder }: DiskTarget) => rmSync(`${folder}.errno`),
})

const TROUBLES: readonly Trouble[] = [
  {
    name: 'disk full',
    reasons: ['full', 'io'],
    begin: ({ folder }) => fill(join(folder, 'filler')),
    end: ({ folder }) => rmSync(join(folder, 'filler')),
  },
  { name: 'disk read-only', reasons: ['io', 'read_only'], ...failWith(EROFS) },
  { name: 'disk fails', reasons: ['io'], ...failWith(EIO) },
  {
    name: 'file moved',
    reasons: ['file_gone'],
    begin: ({ store }) => renameSync(store, `${store}.away`),
    end: ({ store }) => renameSync(`${store}.away`, store),
  },
  {
    name: 'log moved',
    reasons: ['file_gone'],
    begin: ({ store }) => renameSync(`${store}-wal`, `${store}.away`),
    end: ({ store }) => renameSync(`${store}.away`, `${store}-wal`),
  },
  {
    name: 'no file handles',
    // Writes need only files that are already open. Opening any other file fails.
    reasons: ['busy', 'io', 'not_a_store', 'overloaded'],
    begin: ({ world }) => limitHandles(world, 24),
    end: ({ world }) => limitHandles(world, 4_096),
  },
]

/** Runs the fault with each failure lasting five seconds, or one second in a short run. */
export async function brokenDisk({ short }: Effort): Promise<Finding> {
  if (process.getuid?.() !== 0) return notRun('only root may mount a small disk')
  const base = mkdtempSync(join(tmpdir(), 'world-disk-'))
  const folder = join(base, 'disk')
  mkdirSync(folder)
  try {
    const shim = builtShim('failing-disk', base)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder])
    if (mounted.status !== 0) return notRun(`no small disk can be mounted: ${mounted.stderr}`)
    try {
      return await run(folder, shim, short ? 1_000 : 5_000)
    } finally {
      spawnSync('umount', [folder])
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function run(folder: string, shim: string, milliseconds: number): Promise<Finding> {
  const store = join(folder, 'world.db')
  const token = await writeToken(store)
  const world = await serveWorld(store, { env: { LD_PRELOAD: shim, CHAOS_FOLDER: folder } })
  const mistakes = {
    'reads failed': 0,
    'refusals without a reason': 0,
    'acknowledged and lost': 0,
    'not well again': 0,
    damaged: 0,
  }
  const acknowledged: string[] = []
  const figures: string[] = []
  let next = 0
  const write = async () => {
    const id = `t${next++}`
    const answer = await writeThing(world.url, token, id, `Thing ${'x'.repeat(2_000)}`)
    if (answer.status === 201) acknowledged.push(id)
    return answer
  }
  try {
    await waitedFor(() => world.said().includes('Workers ready'), 20_000)
    for (const trouble of TROUBLES) {
      const target = { folder, store, world }
      await write()
      trouble.begin(target)
      const until = performance.now() + milliseconds
      let refused = 0
      while (performance.now() < until) {
        const { status, body } = await write()
        if (status !== 201) {
          refused += 1
          if (status !== 503 || !trouble.reasons.includes(reasonIn(body))) {
            mistakes['refusals without a reason'] += 1
            figures.push(`${trouble.name}: ${status} ${body.slice(0, 200)}`)
          }
        }
        if ((await readThing(world.url, 'first')).status !== 200) mistakes['reads failed'] += 1
        await pause(20)
      }
      trouble.end(target)
      const well = await waitedFor(async () => (await write()).status === 201, 2 * WELL_MS)
      if (well === undefined || well > WELL_MS) mistakes['not well again'] += 1
      figures.push(`${trouble.name}: ${refused} refused, well after ${well?.toFixed(0) ?? 'never'} ms`)
    }
    for (const id of acknowledged)
      if ((await readThing(world.url, id)).status !== 200) mistakes['acknowledged and lost'] += 1
    await world.stop()
    const { problems } = await (await storeAt(`sqlite:${store}`)).verify()
    mistakes.damaged = problems.length
    return finding(figures.join('; '), mistakes)
  } finally {
    await world.stop()
  }
}

function reasonIn(body: string): string {
  try {
    return JSON.parse(body).details?.reason ?? ''
  } catch {
    return ''
  }
}

/** Fills the disk that contains a file to its last byte. */
function fill(file: string): void {
  const { bavail, bsize } = statfsSync(join(file, '..'))
  writeFileSync(file, Buffer.alloc(bavail * bsize))
}

function limitHandles(world: ServedWorld, limit: number): void {
  for (const pid of [...world.pids('primary'), ...world.pids('worker')])
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:4096`])
}
