/**
 * Kills an import with concurrent writes at random moments, and checks the store. No acknowledged write may be lost, no
 * partial import may be visible, and repeating the import must produce the same content as an undisturbed run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openStore, storeAt } from '@worldwright/engines'
import { importRecords, resultOf, sourceFromFile } from '@worldwright/publish'
import type { StoreReport } from '@worldwright/sqlite'
import { type Effort, type Finding, finding } from './fault.ts'

/** Result of all kills of an import. */
export interface Kills {
  readonly kills: number
  /** Number of processes that ended before they could be killed. */
  readonly tooLate: number
  readonly acknowledged: number
  readonly lost: number
  readonly halfImports: number
  readonly damaged: number
  /** True if the content hash after the last run is the same as after an undisturbed run. */
  readonly sameContent: boolean
}

const ENTITIES = 20_000

/** Runs the fault with 100 kills of an import of 20,000 entities, or 5 kills and 2,000 entities in a short run. */
export async function killImports({ short }: Effort): Promise<Finding> {
  const found = short ? await kill(5, 2_000) : await kill(100)
  const { kills, acknowledged, lost, halfImports, damaged, sameContent } = found
  return finding(`${kills} kills of an import, ${acknowledged} acknowledged writes beside it`, {
    'writes lost': lost,
    'half imports': halfImports,
    'damaged stores': damaged,
    'other contents than undisturbed': sameContent ? 0 : 1,
  })
}

/** Kills an import `times` times. Counts lost writes and damage. */
export async function kill(times: number, entities = ENTITIES): Promise<Kills> {
  const folder = mkdtempSync(join(tmpdir(), 'world-kills-'))
  try {
    return await run(folder, times, entities)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run(folder: string, times: number, entities: number): Promise<Kills> {
  const store = join(folder, 'x.db')
  const acknowledged = new Set<number>()
  const found = { kills: 0, tooLate: 0, lost: 0, halfImports: 0, damaged: 0 }
  let generation = 0
  let longest = 0
  // The first run is undisturbed. Its duration limits the random delay before each kill.
  for (let round = 0; round <= times; round++) {
    const file = join(folder, 'x.ndjson')
    writeFileSync(file, linesOf(generation + 1, entities))
    const start = performance.now()
    const child = spawn(
      process.execPath,
      [
        '--conditions=@worldwright/source',
        join(import.meta.dirname, 'import-victim.ts'),
        file,
        store,
        String(acknowledged.size),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const timer = round === 0 ? undefined : setTimeout(() => child.kill('SIGKILL'), Math.random() * longest)
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
    clearTimeout(timer)
    if (child.signalCode === 'SIGKILL') found.kills += 1
    else if (round > 0) found.tooLate += 1
    // Random delays up to this length reach every phase, including the swap and the removal of staged data.
    if (child.exitCode === 0) longest = 1.05 * (performance.now() - start)
    for (const line of said.split('\n').slice(0, -1)) acknowledged.add(Number(line))
    const seen = await look(store, acknowledged, entities)
    found.lost += seen.lost
    if (seen.generation === undefined) found.halfImports += 1
    else generation = Math.max(generation, seen.generation)
    if (seen.damaged) found.damaged += 1
  }
  const sameContent = await endsTheSame(folder, store, acknowledged, generation + 1, entities)
  return { ...found, acknowledged: acknowledged.size, sameContent }
}

/** Returns the entities of one generation as NDJSON. Every entity differs between generations, to detect partial imports. */
function linesOf(generation: number, entities: number): string {
  const lines = Array.from({ length: entities }, (_, index) =>
    JSON.stringify({
      type: 'chaos:thing',
      id: `t${index}`,
      title: `Thing ${index}`,
      attributes: { generation },
    }),
  )
  return `${lines.join('\n')}\n`
}

async function look(file: string, acknowledged: ReadonlySet<number>, entities: number) {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  let lost = 0
  for (const number of acknowledged)
    if ((await store.get('chaos:write', `w${number}`)) === undefined) lost += 1
  const generations = new Map<number, number>()
  const snapshot = await store.snapshot()
  for await (const { json } of snapshot.entities('chaos:thing')) {
    const { generation } = JSON.parse(json).attributes
    generations.set(generation, (generations.get(generation) ?? 0) + 1)
  }
  await snapshot.close()
  // Like the entities, the search index must contain either the whole import or none of it.
  const { total } = await store.find({
    text: 'thing',
    types: ['chaos:thing'],
    limit: 0,
    budgetMs: 10_000,
  })
  await store.close()
  const [only, count = 0] = [...generations][0] ?? [0, entities]
  const whole =
    generations.size <= 1 && count === entities && total === (generations.size === 0 ? 0 : entities)
  return {
    lost,
    generation: whole ? only : undefined,
    damaged: (await verified(file)).problems.length > 0,
  }
}

async function endsTheSame(
  folder: string,
  killed: string,
  acknowledged: ReadonlySet<number>,
  generation: number,
  entities: number,
): Promise<boolean> {
  const file = join(folder, 'last.ndjson')
  writeFileSync(file, linesOf(generation, entities))
  const undisturbed = join(folder, 'undisturbed.db')
  for (const path of [killed, undisturbed]) {
    const store = await openStore(`sqlite:${path}`, { role: 'writer' })
    await resultOf(importRecords(store, [{ source: await sourceFromFile(file) }], { replace: true }))
    // A write without an acknowledgement may or may not exist, so it is repeated in both stores.
    const last = Math.max(0, ...acknowledged) + 2
    for (let number = 0; number <= last; number++)
      await store.write([{ put: { type: 'chaos:write', id: `w${number}`, attributes: { number } } }])
    await store.close()
  }
  return (await verified(killed)).contentHash === (await verified(undisturbed)).contentHash
}

async function verified(file: string): Promise<StoreReport> {
  return (await storeAt(`sqlite:${file}`)).verify()
}
