/** `world discover`: search a world. */
import type { DiscoverOutput } from '@worldwright/client'
import { connectTo, type ReadingOptions } from '../open/origin.ts'
import { asReceived, entityTable } from '../terminal/entity-text.ts'
import type { Io } from '../terminal/io.ts'
import { count, say, writeLine } from '../terminal/output.ts'
import { jsonText, visible } from '../terminal/visible.ts'

/** The flags of `world discover`. */
export interface DiscoverOptions extends ReadingOptions {
  readonly type?: string[]
  readonly limit?: number
}

/** Prints what matches, best first. With `json`, one entity a line. */
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
  }
  const output = await world.discover(input, { signal: io.signal })
  if (options.json)
    for (const entity of output.entities) await writeLine(io.stdout, jsonText(asReceived(entity)))
  else if (output.entities.length > 0) {
    for (const line of entityTable(output.entities, io, true)) await writeLine(io.stdout, line)
  }
  say(io, summary(output))
  return 0
}

/** Worlds of others may leave the numbers out. */
function summary({ entities, total, counts, totalIsLowerBound, truncated, partial }: DiscoverOutput): string {
  if (typeof total !== 'number') return `${count(entities.length, 'entity shown', 'entities shown')}.`
  const perType = Object.entries(counts ?? {}).map(([type, matches]) => `${visible(type)} ${matches}`)
  const found = `${totalIsLowerBound ? 'At least ' : ''}${count(total, 'match', 'matches')}`
  return [
    `${found}${perType.length > 1 ? ` (${perType.join(', ')})` : ''}`,
    ...(truncated ? [`${entities.length} shown; --limit shows more`] : []),
    ...(partial ? ['the search was ended early by its time budget'] : []),
  ].join('; ')
}
