import { resultOf } from '@worldwright/publish'
import { runInThread, type Status } from '@worldwright/serve/loading'
import { existingWorkspace } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'
import { brokenLines, count, jsonText, keptLines, visible, writeLine } from '@worldwright/serve/terminal'
import type { MaintenanceOptions } from './backup.ts'

/** Prints the status of a world, as text or as JSON. */
export async function statusCommand(
  path: string | undefined,
  { store: storeFlag, json }: MaintenanceOptions,
  io: Io,
): Promise<number> {
  const { definition, store } = await existingWorkspace(path, storeFlag, io)
  const input = { store, types: definition.types }
  const run = runInThread({ task: 'storeStatus', input }, { signal: io.signal, stopsAtOnce: true })
  const status = await resultOf(run)
  if (json) await writeLine(io.stdout, jsonText(status))
  else for (const line of linesOf(status)) await writeLine(io.stdout, line)
  return 0
}

function linesOf({ types, loaded, owned, shadowed, broken }: Status): string[] {
  const all = Object.values(owned).reduce((sum, one) => sum + one.shadowed, 0)
  return [
    ...Object.entries(types).map(([type, entities]) => `${type}: ${count(entities, 'entity', 'entities')}`),
    ...(loaded ? loadedLines(loaded) : ['No sources were loaded.']),
    ...Object.entries(owned).map(
      ([type, { entities, shadowed }]) =>
        `${type}: ${count(entities, 'entity', 'entities')} written or deleted by others than the sources; of ${shadowed.toLocaleString('en')} the sources say something else`,
    ),
    ...shadowed.map(({ type, id, isDeleted }) =>
      visible(`  ${type} ${id} ${isDeleted ? 'stays deleted' : 'stays as it was written'}`),
    ),
    ...(all > shadowed.length ? [`  … and ${(all - shadowed.length).toLocaleString('en')} more`] : []),
    ...(all > 0
      ? ['To let the sources decide: precedence: files, or precedence: last, for the type in world.yaml']
      : []),
    ...brokenLines(broken),
  ]
}

function loadedLines({ at, rejected, kept, isPartial }: NonNullable<Status['loaded']>): string[] {
  const when = at === undefined ? '' : ` at ${at}`
  const what = isPartial ? 'Only a part of the sources was' : 'The sources were'
  return [`${what} loaded${when}, ${count(rejected, 'record')} rejected.`, ...keptLines(kept)]
}
