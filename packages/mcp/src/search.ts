/** The tool `search`: entities by words. */
import type { DiscoverOutput, Entity } from '@worldwright/client/protocol'
import type { Answer } from './answer.ts'
import { refuseUnlisted } from './faults.ts'
import { addressText, callText, parts, quoted, valueText, word } from './text.ts'
import { type Asked, cursorAfter, placeOf, TEXT, TEXTS, type Tool, textsOf } from './tool.ts'

/** Searches by words, best match first. Every world answers it. */
export const search: Tool = {
  name: 'search',
  description: 'Finds entities by words, best first. No words: all.',
  properties: {
    text: TEXT,
    types: TEXTS,
    fields: { ...TEXTS, description: 'attributes to show' },
    limit: { type: 'integer' },
    cursor: TEXT,
  },
  answer: found,
}

async function found({ on, args, signal }: Asked): Promise<Answer> {
  const { cursor: _, fields, ...input } = args
  const place = placeOf(args['cursor'])
  const { skip, ...at } = place
  const output = await on.world.discover({ ...input, ...at }, { signal })
  if (output.total === 0) refuseUnlisted(on, 'search', args)
  const { entities, nextCursor, truncated } = output
  return {
    head: headOf(output),
    rows: entities.slice(skip).map((entity) => hitText(entity, textsOf(fields))),
    tail(shown) {
      const cursor = cursorAfter(place, shown, entities.length, nextCursor)
      if (cursor !== undefined) return [`More: ${callText('search', { ...args, cursor })}`]
      return [truncated && 'There are more, without a cursor: use other words, types or a higher limit.']
    },
  }
}

/** Writes an entity on one line: its address, its title, and the named fields or else its summary or first attributes. */
export function hitText(
  { attributes, title, summary, ...entity }: Entity,
  fields: readonly string[],
): string {
  const named = fields.length > 0 ? fields : Object.keys({ ...attributes }).slice(0, 4)
  const values = named
    .filter((name) => attributes?.[name] !== undefined)
    .map((name) => `${word(name, 60)}=${valueText(attributes[name], 80)}`)
  const about = fields.length === 0 && summary ? [quoted(`${summary}`, 140)] : values
  return parts(addressText(entity), title && quoted(`${title}`, 100), ...about)
}

function headOf({ total, counts, totalIsLowerBound, why, partial }: DiscoverOutput): string {
  const types = Object.entries({ ...counts }).map(([type, count]) => `${word(type)} ${valueText(count)}`)
  const more = types.length > 12 && `and ${types.length - 12} more types`
  const readings = [why ?? []]
    .flat()
    .map(
      (one) =>
        `${valueText(one.word)} read as ${parts(one.order && word(`${one.order}`), word(`${one.type}`))}`,
    )
  return parts(
    totalIsLowerBound && 'at least',
    `${valueText(total)} found`,
    types.length > 1 && `(${types.slice(0, 12).join(', ')})`,
    more,
    ...readings,
    partial && '; the search ran out of time, so there may be more',
  )
}
