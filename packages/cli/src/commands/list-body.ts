/** Reading list bodies, also those of worlds that name their members differently (decisions 7). */
import { type Entity, WorldError } from '@worldwright/client'

const LISTS = ['entities', 'items', 'results', 'data', 'matches']
const CURSORS = ['nextCursor', 'next_cursor', 'next', 'cursor']

/**
 * The entities of a list body.
 * @throws WorldError `invalid_response` where it holds no list.
 */
export function entitiesOf(body: object): Entity[] {
  const list = firstValue(body, LISTS, Array.isArray)
  if (list !== undefined) return list as Entity[]
  throw new WorldError('invalid_response', 'The answer holds no list.', {
    details: { members: Object.keys(body) },
  })
}

/** The cursor of the page after a list body; undefined after the last. */
export function nextCursorOf(body: object): string | undefined {
  return firstValue(body, CURSORS, (value) => typeof value === 'string' && value !== '') as string | undefined
}

function firstValue(body: object, names: readonly string[], fits: (value: unknown) => boolean): unknown {
  const members = new Map<string, unknown>(Object.entries(body))
  const name = names.find((name) => fits(members.get(name)))
  return name === undefined ? undefined : members.get(name)
}
