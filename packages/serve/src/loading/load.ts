/** Loads the sources of a world, in a separate thread if there is much to load. */
import { setTimeout as pause } from 'node:timers/promises'
import { type DefinedWorld, definedSources, type LoadResult, loadWorld } from '@worldwright/publish'
import type { Settings } from '../open/settings.ts'
import { rejectsBeside, type Workspace, withOwnStore } from '../open/workspace.ts'
import { brokenLines } from '../terminal/broken-lines.ts'
import { reportLines } from '../terminal/import-report.ts'
import type { Io } from '../terminal/io.ts'
import { count, say } from '../terminal/output.ts'
import { createRejectsFile } from '../terminal/rejects-file.ts'
import { followLoad } from './follow-load.ts'
import { areSmall, isSmallStore } from './is-little.ts'
import { runInThread } from './run-in-thread.ts'
import type { TaskEvent } from './thread.ts'

/**
 * Loads the workspace's sources into its store without blocking requests, and prints the outcome. Returns undefined if there
 * is nothing to load. Throws the errors of `loadWorld`, which may have lost their class: match them by name.
 */
export async function load(
  workspace: Workspace,
  { onInvalid }: Settings,
  cautious: boolean,
  io: Io,
): Promise<LoadResult | undefined> {
  const { definition, file, folder, store: url } = workspace
  if (file === undefined) return undefined
  const { signal, step } = io
  const world = { definition, file, folder, onInvalid, cautious, step }
  const rejects = await rejectsBeside(workspace)
  if (await isLittle(world, url))
    return withOwnStore(url, (own) => follow(loadWorld({ ...world, store: own, signal }), rejects, io))
  return follow(
    runInThread({ task: 'loadSources', input: { ...world, store: url } }, { signal }),
    rejects,
    io,
  )
}

/** Time for which a first load that fails is tried again, and the interval between two attempts, in milliseconds. */
const FIRST_MS = 60_000
const AGAIN_MS = 500

/** Loads as `load`, again while a store is held by others or not reached, as when many nodes start on a database at once. */
export async function firstLoadOf(...args: Parameters<typeof load>): Promise<LoadResult | undefined> {
  const [, , , { signal }] = args
  for (let deadline = Number.POSITIVE_INFINITY; ; await pause(AGAIN_MS, undefined, { signal }))
    try {
      return await load(...args)
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      const isPassing = name === 'StoreFault' && (code === 'busy' || code === 'unreachable')
      if (!isPassing || performance.now() > deadline) throw error
      deadline = Math.min(deadline, performance.now() + FIRST_MS)
    }
}

async function follow(
  events: AsyncGenerator<TaskEvent, LoadResult | undefined>,
  rejectsPath: string,
  io: Io,
): Promise<LoadResult | undefined> {
  const openRejects = () => createRejectsFile(rejectsPath)
  const { result, warnings, rejects } = await followLoad(events, io, { openRejects })
  if (result === undefined) return undefined
  for (const line of [...reportLines(result, warnings, rejects), ...brokenLines(result.broken)]) say(io, line)
  if (result.unread > 0)
    say(io, `Not read again, and their references not checked: ${count(result.unread, 'unchanged source')}.`)
  for (const type of result.undeclared)
    say(io, `warning: the sources fill ${type}, which is not among the types of the definition.`)
  return result
}

async function isLittle(world: DefinedWorld, store: string): Promise<boolean> {
  const sources = await definedSources(world)
  const joined = [...(sources[0]?.joined?.values() ?? [])].flat()
  return areSmall([...sources, ...joined].map(({ source }) => source)) && isSmallStore(store)
}
