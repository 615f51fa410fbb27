/** Where an entity is: a map that can be moved and enlarged, which is fetched apart from the page, and the place in words. */
import type { Entity } from '@worldwright/client'
import { useMemo } from 'preact/hooks'
import { bodyOf, isEarth, type Place } from '../data/values.ts'
import { loaded } from '../parts/loaded.tsx'
import { placeText } from '../parts/place-text.ts'
import { Reference } from '../parts/reference.tsx'
import { Text } from '../parts/text.tsx'
import { words } from '../words/words.ts'

/** Without the map the place still stands in words. */
const EntityMap = loaded(async () => (await import('../charts/entity-map.tsx')).EntityMap)

/** The figure of an entity's place on its body: the Earth, or the one that the entity names. */
export function PlaceFigure({ entity, place }: { entity: Entity; place: Place }) {
  const { entity: w } = words.value
  const body = bodyOf(entity.attributes)
  const hasLand = isEarth(body)
  const bodyName = hasLand ? w.mapEarth : typeof body === 'string' ? body : (body?.id ?? '')
  const placed = useMemo(() => [{ entity, place }], [entity, place])
  return (
    <figure class="place">
      <EntityMap placed={placed} hasLand={hasLand} label={w.mapOf(placeText(place), bodyName)} />
      <figcaption>
        <span class="number">{placeText(place)}</span>
        {' · '}
        {hasLand ? (
          w.mapEarth
        ) : typeof body === 'string' ? (
          <Text text={body} />
        ) : (
          body && <Reference to={body} />
        )}
        {!hasLand && <span class="soft block">{w.mapOther}</span>}
      </figcaption>
    </figure>
  )
}
