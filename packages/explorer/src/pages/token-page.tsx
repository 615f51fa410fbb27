/** The page of a private world before a token is given. */
import { To } from '../parts/link.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { words } from '../words/words.ts'

/** Says that the world at `origin` needs a token, and takes one. */
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
