/** The location of an entity: a map that can be moved and zoomed, fetched apart from the page, and the location in words. */
import type { Entity } from '@worldwright/client'
import { useMemo } from 'preact/hooks'
import { bodyMemberOf, bodyOf, outlineOf, type Place } from '../data/values.ts'
import { To } from '../parts/link.tsx'
import { loaded } from '../parts/loaded.tsx'
import { placeText } from '../parts/place-text.ts'
import { Reference } from '../parts/reference.tsx'
import { Text } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { askablesOf } from '../question/askable.ts'
import { type Filter, NOTHING_ASKED, textOfValue } from '../question/filters.ts'
import { words } from '../words/words.ts'
import { typeIn } from '../world/world-profile.ts'

/** Without the map, the location is still shown in words. */
const PlacesMap = loaded(async () => (await import('../charts/places-map.tsx')).PlacesMap)

/** Shows the whole body; moving the map leaves the address as it is. */
const WHOLE = { plot: { y: '0,0,1' }, onMoved: () => {}, isWhole: true }

/** The figure of an entity's location on its body: the Earth, or the one that the entity names. */
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

/** Links to the list of the same type by distance; nothing if the world cannot be asked for that. */
function NearestLink({ entity, place }: { entity: Entity; place: Place }) {
  const { world, profile } = useOpenWorld()
  const askables = askablesOf(profile, typeIn(profile, entity.type))
  const key = askables.find(({ kind }) => kind === 'place')?.key
  if (key === undefined) return null
  // There are no distances between different bodies.
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
