import type { DiscoverOutput } from '@worldwright/client'
import { discoverPages } from '@worldwright/client/query'
import { connectTo } from '@worldwright/serve/open'
import { count, type Io, jsonText, say, shellWord, visible, writeLine } from '@worldwright/serve/terminal'
import { asReceived, entityTable } from '../terminal/entity-text.ts'
import { sayGuesses } from '../terminal/guesses.ts'
import type { ListOptions } from './list.ts'

/** Command-line flags of `world discover`. */
export interface DiscoverOptions extends ListOptions {
  readonly type?: string[]
  /** File with the origins of many worlds. */
  readonly in?: string
}

/** Prints one page of matches or all pages, best match first. With `json`, prints one entity per line. */
export async function discover(
  origin: string,
  words: readonly string[],
  options: DiscoverOptions,
  io: Io,
): Promise<number> {
  const world = await connectTo(origin, options, io)
  const input = {
    ...(options.type && { types: options.type }),
    ...(words.length > 0 && { text: words.join(' ') }),
    ...(options.limit !== undefined && { limit: options.limit }),
    ...(options.cursor !== undefined && { cursor: options.cursor }),
  }
  let last: DiscoverOutput | undefined
  let shown = 0
  for await (const output of discoverPages(world, input, { signal: io.signal })) {
    await print(output, last === undefined, options, io)
    shown += output.entities.length
    last = output
    if (!options.all) break
  }
  if (last) say(io, summary(last, shown))
  sayGuesses(world, io)
  const isShort = options.all && options.cursor === undefined && shown < Number(last?.total)
  if (isShort)
    say(io, `The world gives no cursor after ${count(shown, 'match', 'matches')}: try a higher --limit.`)
  return isShort ? 1 : 0
}

async function print({ entities }: DiscoverOutput, heading: boolean, { json }: DiscoverOptions, io: Io) {
  if (json) for (const entity of entities) await writeLine(io.stdout, jsonText(asReceived(entity)))
  else if (entities.length > 0) {
    const lines = entityTable(entities, io, ['type'])
    for (const line of heading ? lines : lines.slice(1)) await writeLine(io.stdout, line)
  }
}

/** Summarizes a page of matches in one line. A world with non-standard member names may report no total. */
function summary(
  { total, counts, totalIsLowerBound, truncated, partial, nextCursor, why, broad }: DiscoverOutput,
  shown: number,
): string {
  if (typeof total !== 'number') return `${count(shown, 'entity shown', 'entities shown')}.`
  const perType = Object.entries(counts ?? {}).map(([type, matches]) => `${visible(type)} ${matches}`)
  const found = `${totalIsLowerBound ? 'At least ' : ''}${count(total, 'match', 'matches')}`
  return [
    `${found}${perType.length > 1 ? ` (${perType.join(', ')})` : ''}`,
    ...readingsIn(why),
    ...(broad ? ['the text is broad: it matches most entities'] : []),
    ...(truncated && shown !== total ? [`${shown} shown`] : []),
    ...(nextCursor !== undefined
      ? [`there are more: --cursor ${visible(shellWord(nextCursor))}, or --all`]
      : []),
    ...(partial ? ['partial: the time budget of the search ran out'] : []),
  ].join('; ')
}

/** Says which words were read as types and orders. */
function readingsIn(why: DiscoverOutput['why']): string[] {
  if (!Array.isArray(why)) return []
  return why.map(({ word, type, order }) =>
    visible(`${word} read as ${order === undefined ? type : `${order} of ${type}`}`),
  )
}
