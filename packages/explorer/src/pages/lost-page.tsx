/** Page for unknown addresses. */
import { To } from '../parts/link.tsx'
import { words } from '../words/words.ts'

/** Reports that the page does not exist, and links to the start page. */
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
