/** Page shown for a private world if no token for it is known. */
import { To } from '../parts/link.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { words } from '../words/words.ts'

/** Reports that the world at `origin` requires a token, and asks for one. */
export function TokenPage({ origin }: { origin: string }) {
  const { about, app, failures } = words.value
  const { title, text, wayOut } = failures.needsToken
  return (
    <section class="failure page">
      <h1 tabIndex={-1} class="arrival">
        {title}
      </h1>
      <p>{text}</p>
      <p>{wayOut}</p>
      <TokenForm origin={origin} />
      <div class="row">
        <To route={{ page: 'about', origin }} class="button">
          {about.title}
        </To>
        <To route={{ page: 'open' }} class="button">
          {app.openOther}
        </To>
      </div>
    </section>
  )
}
