/** Location of an entity, as text and on a map that can be moved and zoomed. The map is loaded separately. */

import type { Entity } from '@worldwright/client'
import { bodyMemberOf, bodyOf, outlineOf, type Place } from '@worldwright/extensions/shown'
import { type Filter, NOTHING_ASKED, textOfValue } from '@worldwright/extensions/views'
import { useMemo } from 'preact/hooks'
import { To } from '../parts/link.tsx'
import { loaded } from '../parts/loaded.tsx'
import { placeText } from '../parts/place-text.ts'
import { Reference } from '../parts/reference.tsx'
import { Text } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { askablesOf } from '../question/askable.ts'
import { words } from '../words/words.ts'
import { typeIn } from '../world/world-profile.ts'

/** Renders nothing until the map is loaded. The text of the location does not depend on the map. */
const PlacesMap = loaded(async () => (await import('../charts/places-map.tsx')).PlacesMap)

/** Props of a map that shows the whole body, at the least zoom there is. Moving the map does not change the address. */
const WHOLE = { plot: { y: '0,0,0' }, onMoved: () => {}, isWhole: true }

/** Figure with the location of an entity, either on the Earth or on the body that the entity names. */
export function PlaceFigure({ entity, place }: { entity: Entity; place: Place }) {
  const { entity: w } = words.value
  const { schema } = typeIn(useOpenWorld().profile, entity.type)
  const body = bodyOf(entity.attributes, schema)
  const outline = outlineOf(body)
  const isEarth = outline === 'earth'
  const bodyName = isEarth ? w.mapEarth : typeof body === 'string' ? body : (body?.id ?? '')
  const placed = useMemo(() => [{ entity, place }], [entity, place])
  return (
    <figure class="place">
      <PlacesMap {...WHOLE} placed={placed} outline={outline} label={w.mapOf(placeText(place), bodyName)} />
      <figcaption>
        <span class="number">{placeText(place)}</span>
        {' · '}
        {isEarth ? (
          w.mapEarth
        ) : typeof body === 'string' ? (
          <Text text={body} />
        ) : (
          body && <Reference to={body} />
        )}
        {!isEarth && <span class="soft block">{outline === undefined ? w.mapOther : w.mapRough}</span>}
        <NearestLink entity={entity} place={place} />
      </figcaption>
    </figure>
  )
}

/** Link to entities of the same type, nearest first. Renders nothing if the world cannot sort by distance. */
function NearestLink({ entity, place }: { entity: Entity; place: Place }) {
  const { world, profile } = useOpenWorld()
  const askables = askablesOf(profile, typeIn(profile, entity.type))
  const key = askables.find(({ kind }) => kind === 'place')?.key
  if (key === undefined) return null
  // There is no distance between locations on different bodies.
  const named = bodyMemberOf(entity.attributes)
  const isAskable = named !== undefined && askables.some(({ key }) => key === named.name)
  const filters: Filter[] = isAskable
    ? [{ is: 'any', key: named.name, values: [textOfValue(named.body)] }]
    : []
  const asked = { ...NOTHING_ASKED, filters, near: { key, place } }
  return (
    <span class="block">
      <To route={{ page: 'list', origin: world.origin, type: entity.type, asked }}>
        {words.value.ask.nearestHere}
      </To>
    </span>
  )
}
