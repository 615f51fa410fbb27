/** Shows the results of a search as a list. */
import type { DiscoverOutput, World } from '@worldwright/client'
import { isWorldError } from '@worldwright/client'
import { Suspense, use } from 'react'

/** Outcome of a search: a value even if it fails, so that rendering never throws. */
export type Search = Promise<DiscoverOutput | { failed: string }>

/** Starts a search. Call it outside of rendering: in a loader, an event handler, or with `useMemo`. */
export function search(world: World, text: string): Search {
  return world.discover({ text, limit: 10 }).catch((error) => {
    if (!isWorldError(error)) throw error
    return { failed: error.code === 'rate_limited' ? 'Too many questions. Try again soon.' : 'No answer.' }
  })
}

/** Shows a search, both while it runs and when it is done. */
export function MoonList({ found }: { found: Search }) {
  return (
    <Suspense fallback={<p>Searching…</p>}>
      <Found found={found} />
    </Suspense>
  )
}

function Found({ found }: { found: Search }) {
  const result = use(found)
  if ('failed' in result) return <p role="alert">{result.failed}</p>
  return (
    <ul>
      {result.entities.map(({ type, id, title }) => (
        <li key={`${type} ${id}`}>{title ?? id}</li>
      ))}
    </ul>
  )
}
