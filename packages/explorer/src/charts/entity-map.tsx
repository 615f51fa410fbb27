/** The map of one entity: all of its body at first, with the entity as the only mark. */
import './charts.css'
import type { Outlined } from '../data/values.ts'
import { frameText, WHOLE } from './map-frame.ts'
import { type Placed, PlacesMap } from './places-map.tsx'

/** The map; where it is moved to is not kept: the address is the entity's. */
export function EntityMap(props: {
  placed: readonly Placed[]
  outline: Outlined | undefined
  label: string
}) {
  return <PlacesMap {...props} plot={{ y: frameText(WHOLE) }} onMoved={() => {}} isWhole />
}
