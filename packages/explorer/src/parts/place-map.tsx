/** A small map with points: degrees as lines, and what is known of the body. */
import type { Outlined, Place } from '../data/values.ts'
import { groundOf } from './ground.ts'

const MERIDIANS = [-120, -60, 0, 60, 120]
const PARALLELS = [-60, -30, 0, 30, 60]

/** The map, in degrees with south downwards; a single place is marked from the edges on. Loaded only where there is a place. */
export function PlaceMap(props: {
  places: readonly Place[]
  /** Absent: only the degrees are drawn. */
  outline: Outlined | undefined
  label: string
}) {
  const { places, outline, label } = props
  const [only, second] = places
  return (
    <svg class="map" viewBox="-180 -90 360 180" role="img" aria-label={label}>
      <rect class="sea" x="-180" y="-90" width="360" height="180" />
      <path
        class="degrees"
        d={MERIDIANS.map((x) => `M${x} -90V90`).join('') + PARALLELS.map((y) => `M-180 ${y}H180`).join('')}
      />
      {outline !== undefined && <path class={`land ${outline}`} d={groundOf(outline)} />}
      {only !== undefined && second === undefined && (
        <>
          <path class="axes" d={`M${only.longitude} -90V90M-180 ${-only.latitude}H180`} />
          <circle class="halo" cx={only.longitude} cy={-only.latitude} r="9" />
        </>
      )}
      {places.map(({ latitude, longitude }, index) => (
        <circle key={index} class="point" cx={longitude} cy={-latitude} r="3.4" />
      ))}
    </svg>
  )
}
