/**
 * Access to the world for which `npx worldwright explore` started this page. Requests go through the server of the page,
 * since the world may not allow cross-origin requests.
 */
import type { Fetch } from '@worldwright/client'
import type { Names, ReadingProfile } from '@worldwright/client/foreign'
import { isObject, member, textMember } from '@worldwright/extensions/shown'
import { attempt, jsonFrom } from '../text/attempt.ts'

/** World for which the page was started, with names and profile from the command line, or undefined if there is none. */
export const proxiedWorld = fromPage()

/** Returns a `fetch` through the server of the page if `origin` is the proxied world, or undefined for any other origin. */
export function proxiedFetch(origin: string): Fetch | undefined {
  if (origin !== proxiedWorld?.origin) return undefined
  return async (url, init) => {
    const response = await fetch(`/_proxy/${encodeURIComponent(url)}`, init)
    // Relative links in a response start from its address in the world.
    return Object.defineProperty(response, 'url', { value: url })
  }
}

function fromPage() {
  const meta = attempt(() => document.querySelector<HTMLMetaElement>('meta[name="worldwright-world"]'))
  const value = jsonFrom(meta?.content)
  const origin = textMember(value, 'origin')
  const names = member(value, 'names')
  const profile = member(value, 'profile') as ReadingProfile | undefined
  if (origin === undefined) return undefined
  return { origin, names: isObject(names) ? (names as Names) : {}, profile }
}
