/** Input box for a point. The list is sorted by distance from that point. */

import type { Place } from '@worldwright/extensions/shown'
import { pointText, pointTyped } from '@worldwright/extensions/views'
import { useEffect, useId, useState } from 'preact/hooks'
import { words } from '../words/words.ts'
import { AskBox } from './ask-box.tsx'

/** Accepts latitude and longitude in degrees. Clearing the box ends the sort by distance. Invalid points are reported. */
export function NearBox(props: { place: Place | undefined; onPlace: (place: Place | undefined) => void }) {
  const { place, onPlace } = props
  const { ask } = words.value
  const shown = place === undefined ? '' : pointText(place)
  const [isWrong, setWrong] = useState(false)
  const id = useId()

  useEffect(() => setWrong(false), [shown])

  function change(text: string) {
    const point = pointTyped(text)
    setWrong(point === undefined && text.trim() !== '')
    if (point !== undefined || text.trim() === '') onPlace(point)
  }

  return (
    <div class="near">
      <label for={id}>{ask.nearLabel}</label>
      <AskBox
        id={id}
        type="text"
        inputMode="text"
        dir="ltr"
        maxLength={60}
        placeholder="48.86, 2.35"
        text={shown}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onText={change}
      />
      {isWrong && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {ask.nearWrong}
        </p>
      )}
    </div>
  )
}
