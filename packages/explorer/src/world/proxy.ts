/**
 * The world this page was started for by `npx worldwright explore`: it is read through the server of the page, since
 * it may not let pages of another origin read it.
 */
import type { Fetch } from '@worldwright/client'
import type { Names } from '@worldwright/client/foreign'
import { isObject, textMember } from '../data/schema.ts'

/** The world that is read through the server of the page. */
export interface ProxiedWorld {
  readonly origin: string
  /** Names that were given on the command line. */
  readonly names: Names
}

/** The world the page was started for; `undefined` where a world serves the page, or a file server. */
export const proxiedWorld: ProxiedWorld | undefined = fromPage()

/** A `fetch` through the server of the page, for the world it was started for; `undefined` for any other. */
export function proxiedFetch(origin: string): Fetch | undefined {
  if (origin !== proxiedWorld?.origin) return undefined
  return (url, init) => fetch(`/_proxy/${encodeURIComponent(url)}`, init)
}

function fromPage(): ProxiedWorld | undefined {
  try {
    const content = document.querySelector<HTMLMetaElement>('meta[name="worldwright-world"]')?.content
    const value: unknown = JSON.parse(content ?? 'null')
    const origin = textMember(value, 'origin')
    const names = isObject(value) && isObject(value['names']) ? value['names'] : {}
    return origin === undefined ? undefined : { origin, names: names as Names }
  } catch {
    return undefined
  }
}
