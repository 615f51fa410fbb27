/** What a list is sorted by, where it is no column: how far an entity is, or when it came or changed. */
import type { Entity } from '@worldwright/client'
import { distanceKm } from '../data/distance.ts'
import { bodyOf, outlineOf, type Place, placeOf } from '../data/values.ts'
import { locale } from '../navigation/settings.ts'
import type { Asked } from '../question/filters.ts'
import { numberText, timeText } from '../text/numbers.ts'
import { unitText } from '../words/words.ts'
import { typeIn } from '../world/outlook.ts'
import { useOpenWorld } from './world-context.ts'

/** A few words to stand behind a title; nothing for other orders, and where the entity does not say. */
export function Beside({ entity, asked }: { entity: Entity; asked: Pick<Asked, 'near' | 'sort'> }) {
  const { outlook } = useOpenWorld()
  const { near, sort } = asked
  const text =
    near === undefined
      ? momentText(entity, sort)
      : distanceText(entity, near.place, typeIn(outlook, entity.type).schema)
  return text === undefined ? null : <span class="beside soft">{text}</span>
}

/** Characters of a day: `2026-11-23`. */
const DAY = 10

function momentText(entity: Entity, sort: string): string | undefined {
  const name = sort.replace(/^-/, '')
  const moment = name === 'createdAt' || name === 'updatedAt' ? entity[name] : undefined
  return typeof moment === 'string' ? timeText(moment.slice(0, DAY), locale.value) : undefined
}

/** In kilometres; undefined where the entity has no place, or its body's size is not known. */
function distanceText(entity: Entity, from: Place, schema: unknown): string | undefined {
  const to = placeOf(entity.attributes)
  const body = outlineOf(bodyOf(entity.attributes, schema))
  const distance = to && distanceKm(from, to, body)
  if (distance === undefined) return undefined
  const rounded = distance < 10 ? Math.round(distance * 100) / 100 : Math.round(distance)
  return `${numberText(rounded, locale.value)} ${unitText('km')}`
}
