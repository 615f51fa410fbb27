/** The tool `search`: entities by words. */
import type { DiscoverInput, DiscoverOutput, Entity } from '@worldwright/client/protocol'
import type { Answer } from './answer.ts'
import { refuseUnlisted } from './faults.ts'
import { addressText, callText, quoted, valueText, word } from './text.ts'
import { type Asked, placeAfter, placeOf, TEXTS, type Tool, textOf, textsOf } from './tool.ts'

/** Maximum characters of a summary. */
const SUMMARY = 140
/** Maximum number of attributes shown of an entity without a summary. */
const MAX_ATTRIBUTES = 4

/** Searches by words, best match first. Every world answers it. */
export const search: Tool = {
  name: 'search',
  description: 'Finds entities by words, best first. No words: all.',
  properties: {
    text: { type: 'string' },
    types: TEXTS,
    fields: { ...TEXTS, description: 'attributes to show' },
    limit: { type: 'integer' },
    cursor: { type: 'string' },
  },
  isSafe: true,
  answer: found,
}

async function found({ on, args, signal }: Asked): Promise<Answer> {
  const place = placeOf(args['cursor'])
  const fields = textsOf(args['fields'])
  const input: DiscoverInput = {
    ...(textOf(args['text']) !== undefined && { text: String(args['text']) }),
    ...(textsOf(args['types']).length > 0 && { types: textsOf(args['types']) }),
    ...(typeof args['limit'] === 'number' && { limit: args['limit'] }),
    ...(place.cursor !== undefined && { cursor: place.cursor }),
  }
  const output = await on.world.discover(input, { signal })
  if (output.total === 0) refuseUnlisted(on, 'search', args)
  const { entities, nextCursor } = output
  const rows = entities.slice(place.skip).map((entity) => hitText(entity, fields))
  return {
    head: [summaryOf(output)],
    rows,
    tail(shown) {
      const cursor = placeAfter(place, shown, entities.length, nextCursor)
      if (cursor !== undefined) return [`More: ${callText('search', { ...args, cursor })}`]
      const isCut = output.truncated === true
      return isCut
        ? ['There are more, and this world gives no cursor: use other words, types or a higher limit.']
        : []
    },
  }
}

/** Writes an entity on one line: its address, its title, and the named fields or else its summary. */
export function hitText(
  { attributes, title, summary, ...entity }: Entity,
  fields: readonly string[],
): string {
  const entries = Object.entries(attributes ?? {})
  const chosen =
    fields.length > 0
      ? fields.map((name) => [name, attributes?.[name]] as const)
      : summary === undefined
        ? entries.slice(0, MAX_ATTRIBUTES)
        : []
  const values = chosen
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${word(name, 60)}=${valueText(value, 80)}`)
  const words = fields.length === 0 && summary !== undefined ? [quoted(`${summary}`, SUMMARY)] : values
  return [addressText(entity), ...(title === undefined ? [] : [quoted(`${title}`, 100)]), ...words].join(' ')
}

function summaryOf({ total, counts, totalIsLowerBound, why, partial }: DiscoverOutput): string {
  const perType = Object.entries(counts ?? {}).map(([type, count]) => `${word(type)} ${count}`)
  const many = perType.length > 12 ? [...perType.slice(0, 12), `${perType.length - 12} more types`] : perType
  const number = typeof total === 'number' ? `${totalIsLowerBound ? 'at least ' : ''}${total} found` : 'found'
  const readings = (Array.isArray(why) ? why : []).map(
    ({ word: read, type, order }) =>
      `${word(`${read}`)} read as ${order ? `${word(order)} of ` : ''}${word(`${type}`)}`,
  )
  return [
    many.length > 1 ? `${number}: ${many.join(', ')}` : number,
    ...readings,
    ...(partial ? ['the search ran out of time, so there may be more'] : []),
  ].join('; ')
}
