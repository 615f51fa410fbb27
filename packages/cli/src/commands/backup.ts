/** `world backup`, `world restore` and `world verify`: back up, restore and verify a store. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { storeAt, storeUrl } from '@worldwright/engines'
import { resultOf } from '@worldwright/publish'
import { runInThread, type Verified } from '@worldwright/serve/loading'
import { DEFAULT_STORE, existingStore, existingWorkspace } from '@worldwright/serve/open'
import {
  brokenLines,
  count,
  FAILED,
  type Io,
  jsonText,
  say,
  UsageFault,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'
import type { StoreReport } from '@worldwright/sqlite'
import { verifiedSearch } from './search-index.ts'

/** Flags shared by the maintenance commands. */
export interface MaintenanceOptions {
  readonly store?: string
  readonly json?: boolean
}

/** Command-line flags of `world verify`. */
export interface VerifyOptions extends MaintenanceOptions {
  /** URL of a cluster index to compare with the store. */
  readonly search?: string
  /** Rebuilds the search index before comparing it with the entities. */
  readonly repair?: boolean
}

/** Backs up a store to a file and verifies the backup. Other processes may read and write the store meanwhile. */
export async function backupCommand(
  target: string,
  path: string | undefined,
  options: MaintenanceOptions,
  io: Io,
): Promise<number> {
  const store = await existingStore(path, options.store, io)
  const file = resolve(io.cwd, target)
  if (!existsSync(dirname(file))) throw new UsageFault(`There is no folder ${dirname(file)} to back up into.`)
  const run = runInThread(
    { task: 'backupStore', input: { store: store.url, file } },
    { signal: io.signal, stopsAtOnce: true },
  )
  const report = await resultOf(run).catch((error) => {
    // A terminated thread cannot remove its own file.
    if (io.signal.aborted) rmSync(`${file}.partial`, { force: true })
    throw error
  })
  return told(report, `Backed up ${count(report.entities, 'entity', 'entities')} to ${target}.`, options, io)
}

/** Restores a backup into a folder. Refuses a damaged backup, and a folder that already contains a store. */
export async function restoreCommand(
  backup: string,
  folder: string,
  options: MaintenanceOptions,
  io: Io,
): Promise<number> {
  const into = resolve(io.cwd, folder)
  const made = mkdirSync(into, { recursive: true })
  const store = await storeAt(storeUrl(DEFAULT_STORE, into))
  const restoring = Promise.resolve(store.restore(resolve(io.cwd, backup)))
  const report = await restoring.catch(async (error) => {
    // Remove the folder only if it was created above and is empty.
    if (made !== undefined) await rmdir(into).catch(() => {})
    throw error
  })
  const target = join(folder, basename(store.name))
  return told(report, `Restored ${count(report.entities, 'entity', 'entities')} into ${target}.`, options, io)
}

/** Verifies a store and reports entities that violate their schema. Returns exit code 1 if anything is damaged. */
export async function verifyCommand(
  path: string | undefined,
  { store: storeFlag, repair = false, json, search }: VerifyOptions,
  io: Io,
): Promise<number> {
  const { definition, store } = await existingWorkspace(path, storeFlag, io)
  const input = { store, types: definition.types, repair }
  const run = runInThread({ task: 'verifyStore', input }, { signal: io.signal, stopsAtOnce: true })
  const { rebuilt, ...report } = await resultOf(run)
  const { searchIndex } = report
  for (const problem of report.problems) say(io, visible(`damaged: ${problem}`))
  for (const example of report.danglingExamples) say(io, visible(`warning: ${example}`))
  if (report.dangling > report.danglingExamples.length)
    say(io, `warning: ${count(report.dangling, 'reference')} to what does not exist in all`)
  for (const line of brokenLines(report.broken)) say(io, line)
  if (rebuilt !== undefined)
    say(io, `The search index was ${rebuilt ? 'rebuilt' : 'not rebuilt: entities are damaged'}.`)
  if (searchIndex && searchIndex.damaged > 0)
    say(
      io,
      `The search index cannot agree with the entities: ${count(searchIndex.damaged, 'is', 'are')} damaged.`,
    )
  else if (searchIndex?.agrees === false)
    say(
      io,
      'The search index does not agree with the entities. Rebuild it with: npx worldwright verify --repair',
    )
  const cluster = await verifiedSearch(store, { ...(search !== undefined && { search }) }, io)
  const sound = report.problems.length === 0
  const said = `${count(report.entities, 'entity', 'entities')}, ${sound ? 'all sound' : 'DAMAGED; restore a backup'}.`
  await told(report, said, { ...(json && { json }) }, io)
  return sound && searchIndex?.agrees !== false && cluster?.agrees !== false ? 0 : FAILED
}

async function told(
  report: StoreReport | Omit<Verified, 'rebuilt'>,
  said: string,
  { json }: MaintenanceOptions,
  io: Io,
): Promise<number> {
  say(io, said)
  say(io, `Content hash ${report.contentHash}`)
  if (json) await writeLine(io.stdout, jsonText(report))
  return 0
}
