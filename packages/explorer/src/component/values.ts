/** Shows values as text and links, shortened, in the formats of the pages of a world. */
import { jsonLineOf } from '@worldwright/client/exact'
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import * as shown from '@worldwright/extensions/shown'
import { pagePath } from '@worldwright/extensions/views'
import { nameOf } from '../data/entity-name.ts'
import { addressOf, safeHref } from '../text/links.ts'
import { plainText, shortened } from '../text/visible.ts'
import { element, type Part } from './element.ts'

const LANGUAGE = 'en-GB'
/** Maximum length of a text in characters, and number of shown values of a list. */
const [MOST_TEXT, MOST_VALUES] = [300, 5]

/** A world, and titles of entities to which its values refer, by `type/id`; null for entities that do not exist. */
export interface Known {
  readonly origin: string
  readonly hasViews: boolean
  readonly titles: Map<string, string | null>
}

/** Returns the parts of a value. A list has its first values, and an object is JSON. */
export function partsOf(value: JsonValue | undefined, field: shown.Field, known: Known): Part[] {
  const found = shown.kindOf(value)
  const { isGrouped, unit } = field
  if (found.kind === 'nothing') return []
  if (found.kind === 'truth') return [found.value ? shown.TRUTH.yes : shown.TRUTH.no]
  if (found.kind === 'place') return [shown.placeText(found.value, LANGUAGE, shown.COMPASS)]
  if (found.kind === 'object') return [textOf(jsonLineOf(found.value))]
  if (found.kind === 'reference') return [entityLink(found.value, known)]
  if (found.kind === 'number') {
    const after = unit && shown.gapBefore(unit) + textOf(shown.unitText(unit, LANGUAGE, shown.UNITS))
    return [shown.numberText(found.value, LANGUAGE, isGrouped) + (after ?? '')]
  }
  if (found.kind === 'text') {
    const [text, href] = [found.value, safeHref(addressOf(found.value, [known.origin], known.hasViews))]
    if (!href?.startsWith('http')) return [textOf(shown.timeText(text, LANGUAGE) ?? text)]
    return [element('a', { href, rel: 'nofollow noreferrer' }, textOf(text))]
  }
  const more = found.value.length - MOST_VALUES
  const parts = found.value
    .slice(0, MOST_VALUES)
    .flatMap((one, at) => [
      at > 0 && ', ',
      ...(Array.isArray(one) ? [textOf(jsonLineOf(one))] : partsOf(one, field, known)),
    ])
  return [...parts, more > 0 && ` and ${countText(more)} more`]
}

/** Returns a link to the page of an entity. One that does not exist, or whose world has another address, is text. */
export function entityLink(
  entity: Pick<Entity, 'type' | 'id' | 'title'> & { world?: string },
  known: Known,
): Part {
  const { type, id, world } = entity
  const title = known.titles.get(`${type}/${id}`)
  const href = known.origin + pagePath(type, id)
  if (world !== undefined || title === null) return textOf(id)
  return element('a', { href, dir: 'auto' }, textOf(title ?? nameOf(entity)))
}

/** Returns text on one line, without invisible characters, and shortened. */
export function textOf(text: string): string {
  const cut = shortened(text, MOST_TEXT)
  return cut === undefined ? plainText(text) : `${plainText(cut)}…`
}

/** Returns a count with grouped digits, such as `1,200`. */
export function countText(count: number): string {
  return count.toLocaleString(LANGUAGE)
}
