/** A box for a point: what is nearest to it comes first. */
import { useEffect, useId, useState } from 'preact/hooks'
import type { Place } from '../data/values.ts'
import { pointText, pointTyped } from '../question/near.ts'
import { words } from '../words/words.ts'
import { useShownValue } from './use-shown-value.ts'

/** Takes latitude and longitude in degrees; an empty box takes the order away. What is no point is said, and changes nothing. */
export function NearBox(props: { place: Place | undefined; onPlace: (place: Place | undefined) => void }) {
  const { place, onPlace } = props
  const { ask } = words.value
  const shown = place === undefined ? '' : pointText(place)
  const [isWrong, setWrong] = useState(false)
  const id = useId()
  const box = useShownValue(shown)

  useEffect(() => setWrong(false), [shown])

  function change(text: string) {
    const point = pointTyped(text)
    setWrong(point === undefined && text.trim() !== '')
    if (point !== undefined || text.trim() === '') onPlace(point)
  }

  return (
    <div class="near">
      <label for={id}>{ask.nearLabel}</label>
      <input
        id={id}
        class="field small"
        type="text"
        inputMode="text"
        dir="ltr"
        maxLength={60}
        placeholder="48.86, 2.35"
        ref={box}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {isWrong && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {ask.nearWrong}
        </p>
      )}
    </div>
  )
}
