/** The page for an address that leads nowhere. */
import { To } from '../parts/link.tsx'
import { words } from '../words/words.ts'

/** Says that there is no such page, and links out of it. */
export function LostPage() {
  const { lost, app } = words.value
  return (
    <div class="page narrow">
      <h1 class="arrival" tabIndex={-1}>
        {lost.title}
      </h1>
      <p>{lost.text}</p>
      <p>
        <To route={{ page: 'open' }} class="button">
          {app.openOther}
        </To>
      </p>
    </div>
  )
}
