import type { QueryOutput, World } from '@worldwright/client'
import { descriptionFrom, profileOf } from '@worldwright/client/foreign'
import type { JsonObject } from '@worldwright/client/protocol'
import { QUERY_ACTION } from '@worldwright/client/query'
import { WALK_LIMIT } from '@worldwright/extensions/walk-limit'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import { count, type Io, jsonText, say, shellWord, visible, writeLine } from '@worldwright/serve/terminal'
import { facetLines } from '../query/facet-text.ts'
import { groupLines, groupNotes } from '../query/group-text.ts'
import { questionFrom, type TypedQuestion } from '../query/question.ts'
import { columnsOf, resultTable, withColumns } from '../query/result-table.ts'
import { sayGuesses } from '../terminal/guesses.ts'

/** Command-line flags of `world query`. */
export interface QueryOptions extends ReadingOptions, TypedQuestion {
  readonly csv?: boolean
  readonly geojson?: boolean
  readonly walk?: boolean
  readonly walkLimit?: number
}

/** Prints one page of results or all of them, then the facets. @throws UsageFault if the condition cannot be parsed */
export async function query(
  origin: string,
  condition: string | undefined,
  options: QueryOptions,
  io: Io,
): Promise<number> {
  const input = questionFrom(condition, options)
  const world = await askedWorld(origin, input, options, io)
  const isGrouped = 'group' in input || 'measures' in input
  if (options.csv && isGrouped) {
    const { writeGroups } = await import('../query/result-file.ts')
    const answer = await writeGroups(world, input, io)
    for (const note of [...groupNotes(answer), summary(answer, 0, options)]) say(io, note)
    return 0
  }
  if (options.csv || options.geojson) {
    const { writeResult } = await import('../query/result-file.ts')
    await writeResult(world, input, options.csv ? 'csv' : 'geojson', io)
    return 0
  }
  await printPages(world, input, options, io)
  return 0
}

/** Connects to a world. With `walk`, first reads a world that answers no queries into memory, and returns that one. */
async function askedWorld(origin: string, input: JsonObject, options: QueryOptions, io: Io): Promise<World> {
  const world = await connectTo(origin, options, io)
  const { actions } = descriptionFrom(world.document, profileOf(world)?.names)
  const isAskable = actions?.value.some(({ name }) => name === QUERY_ACTION)
  if (options.walk && isAskable) say(io, 'This world answers queries itself, so --walk reads nothing.')
  if (!options.walk || isAskable) return world
  const { walkedWorld } = await import('../query/walked-world.ts')
  const walked = await walkedWorld(world, input, options.walkLimit ?? WALK_LIMIT, io)
  sayGuesses(world, io)
  return walked
}

async function printPages(world: World, input: JsonObject, options: QueryOptions, io: Io): Promise<void> {
  let first: QueryOutput | undefined
  let shown = 0
  const asked = options.json ? input : withColumns(input)
  for await (const page of world.query(asked, { signal: io.signal }).pages()) {
    shown += page.entities.length
    if (options.json) for (const entity of page.entities) await writeLine(io.stdout, jsonText(entity))
    else await printTable(page, first === undefined, input, io)
    first ??= page
    if (!options.all) break
  }
  if (first === undefined) return
  await printFacets(first, options, io)
  await printGroups(first, options, io)
  say(io, summary(first, shown, options))
}

async function printTable({ entities, counts }: QueryOutput, heading: boolean, input: JsonObject, io: Io) {
  if (entities.length === 0) return
  const lines = resultTable(entities, columnsOf(input), io, Object.keys(counts).length > 1)
  for (const line of heading ? lines : lines.slice(1)) await writeLine(io.stdout, line)
}

async function printFacets({ facets = [] }: QueryOutput, { json }: QueryOptions, io: Io): Promise<void> {
  if (facets.length === 0) return
  if (json) await writeLine(io.stdout, jsonText({ facets }))
  else for (const line of facets.flatMap((facet) => facetLines(facet, io))) await writeLine(io.stdout, line)
}

async function printGroups(first: QueryOutput, { json }: QueryOptions, io: Io): Promise<void> {
  const { group, measures, groups, groupsTotal, moreGroups } = first
  if (groups === undefined) return
  if (json) await writeLine(io.stdout, jsonText({ group, measures, groups, groupsTotal, moreGroups }))
  else for (const line of groupLines(first, io)) await writeLine(io.stdout, line)
  for (const note of groupNotes(first)) say(io, note)
}

function summary(first: QueryOutput, shown: number, { all, cursor }: QueryOptions): string {
  const {
    total,
    counts,
    totalIsLowerBound,
    partial,
    nextCursor,
    groupsTotal,
    unindexed,
    damaged = [],
  } = first
  const perType = Object.entries(counts).map(
    ([type, matches]) => `${visible(type)} ${matches.toLocaleString('en')}`,
  )
  const found = `${totalIsLowerBound ? 'At least ' : ''}${count(total, 'match', 'matches')}`
  const isCut = nextCursor !== undefined && !all
  return [
    `${found}${perType.length > 1 ? ` (${perType.join(', ')})` : ''}`,
    ...(groupsTotal !== undefined ? [count(groupsTotal, 'group')] : []),
    ...(isCut || cursor !== undefined ? [`${shown.toLocaleString('en')} shown`] : []),
    ...(isCut ? [`there are more: --cursor ${visible(shellWord(nextCursor))}, or --all`] : []),
    ...(partial ? ['partial: the time budget of the query ran out'] : []),
    ...(unindexed ? [`${count(unindexed, 'entity', 'entities')} with values too long to be compared`] : []),
    ...(damaged.length > 0
      ? [`${damaged.length.toLocaleString('en')} left out, since the store is damaged`]
      : []),
  ].join('; ')
}
