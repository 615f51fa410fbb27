import type { DiscoverOutput, Entity } from '@worldwright/client/protocol'
import type { Answer } from './answer.ts'
import { refuseUnlisted } from './faults.ts'
import { addressText, number, parts, quoted, valueText, word } from './text.ts'
import { type Asked, moreText, placeOf, TEXT, TEXTS, type Tool, textsOf } from './tool.ts'

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

async function found(asked: Asked): Promise<Answer> {
  const { on, args, signal } = asked
  const { cursor: _, fields, ...input } = args
  const { skip, ...at } = placeOf(args['cursor'])
  const output = await on.world.discover({ ...input, ...at }, { signal })
  if (output.total === 0) refuseUnlisted(asked, 'search')
  const { entities, truncated } = output
  return {
    head: headOf(output),
    rows: entities.slice(skip).map((entity) => hitText(entity, textsOf(fields))),
    tail: (shown) => [
      moreText(args, output, shown) ||
        (truncated &&
          args['limit'] !== 0 &&
          'There are more, without a cursor: use other words, types or a higher limit.'),
    ],
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
  const types = Object.entries({ ...counts }).map(([type, count]) => `${word(type, 60)} ${number(count)}`)
  const counted = types.length > 1 && `(${types.slice(0, 12).join(', ')}${types.length > 12 ? ', …' : ''})`
  const readings = [why ?? []]
    .flat()
    .map(
      (one) =>
        `${valueText(one.word, 60)} read as ${parts(one.order && word(`${one.order}`, 60), word(`${one.type}`, 60))}`,
    )
  const head = parts(totalIsLowerBound && 'at least', `${number(total)} found`, counted)
  return [head, ...readings, ...(partial ? ['the search ran out of time, so there may be more'] : [])].join(
    '; ',
  )
}
