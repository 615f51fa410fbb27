/** How far an entity is from the point that a list is sorted by. */
import type { Entity } from '@worldwright/client'
import { distanceKm } from '../data/distance.ts'
import { bodyOf, outlineOf, type Place, placeOf } from '../data/values.ts'
import { locale } from '../navigation/settings.ts'
import { numberText } from '../text/numbers.ts'
import { unitText } from '../words/words.ts'
import { typeIn } from '../world/outlook.ts'
import { useOpenWorld } from './world-context.ts'

/** The distance in kilometres; nothing where there is no point, the entity has no place, or its body's size is not known. */
export function Distance({ entity, from }: { entity: Entity; from: Place | undefined }) {
  const { outlook } = useOpenWorld()
  const to = placeOf(entity.attributes)
  if (from === undefined || to === undefined) return null
  const { schema } = typeIn(outlook, entity.type)
  const distance = distanceKm(from, to, outlineOf(bodyOf(entity.attributes, schema)))
  if (distance === undefined) return null
  const rounded = distance < 10 ? Math.round(distance * 100) / 100 : Math.round(distance)
  return (
    <span class="distance soft">
      {numberText(rounded, locale.value)} {unitText('km')}
    </span>
  )
}
