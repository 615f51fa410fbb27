/** A place with its map, which is fetched apart from the page. */
import type { EntityRef } from '@worldwright/client'
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isEarth, type Place } from '../data/values.ts'
import { words } from '../words/words.ts'
import type { PlaceMap } from './place-map.tsx'
import { placeText } from './place-text.ts'
import { Reference } from './reference.tsx'
import { Text } from './text.tsx'

type MapView = FunctionComponent<Parameters<typeof PlaceMap>[0]>

/** The figure of a place on a body. */
export function PlaceFigure({ place, body }: { place: Place; body: EntityRef | string | undefined }) {
  const [Drawn, setDrawn] = useState<MapView>()
  const { entity } = words.value
  const hasLand = isEarth(body)
  const bodyName = hasLand ? entity.mapEarth : typeof body === 'string' ? body : (body?.id ?? '')

  useEffect(() => {
    import('./place-map.tsx').then(
      (loaded) => setDrawn(() => loaded.PlaceMap),
      // Without the map the place still stands in words.
      () => {},
    )
  }, [])

  return (
    <figure class="place">
      {Drawn === undefined ? (
        <div class="map empty" aria-hidden="true" />
      ) : (
        <Drawn places={[place]} hasLand={hasLand} label={entity.mapOf(placeText(place), bodyName)} />
      )}
      <figcaption>
        <span class="number">{placeText(place)}</span>
        {' · '}
        {hasLand ? (
          entity.mapEarth
        ) : typeof body === 'string' ? (
          <Text text={body} />
        ) : (
          body && <Reference to={body} />
        )}
        {!hasLand && <span class="soft block">{entity.mapOther}</span>}
      </figcaption>
    </figure>
  )
}
