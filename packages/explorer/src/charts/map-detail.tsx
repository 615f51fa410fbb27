/** The Earth for a map that is enlarged, over the ground of the whole map. */
import { BORDERS, LAND } from 'virtual:detail'

/** Sea, land and borders, in degrees. */
export function MapDetail() {
  return (
    <>
      <rect class="sea" x="-180" y="-90" width="360" height="180" />
      <path class="land earth" d={LAND} />
      <path class="borders" d={BORDERS} />
    </>
  )
}
