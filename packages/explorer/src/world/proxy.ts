/**
 * The world that `npx worldwright explore` started this page for: it is read through the server of the page, since
 * it may not let pages of another origin read it.
 */
import type { Fetch } from '@worldwright/client'
import type { Names } from '@worldwright/client/foreign'
import { isObject, member, textMember } from '../data/schema.ts'
import { attempt, jsonFrom } from '../text/attempt.ts'

/** The world that the page was started for, with names from the command line; `undefined` if a world or file server serves it. */
export const proxiedWorld = fromPage()

/** Returns a `fetch` through the server of the page, for the world it was started for; `undefined` for any other. */
export function proxiedFetch(origin: string): Fetch | undefined {
  if (origin !== proxiedWorld?.origin) return undefined
  return (url, init) => fetch(`/_proxy/${encodeURIComponent(url)}`, init)
}

function fromPage() {
  const meta = attempt(() => document.querySelector<HTMLMetaElement>('meta[name="worldwright-world"]'))
  const value = jsonFrom(meta?.content)
  const origin = textMember(value, 'origin')
  const names = member(value, 'names')
  return origin === undefined ? undefined : { origin, names: isObject(names) ? (names as Names) : {} }
}
