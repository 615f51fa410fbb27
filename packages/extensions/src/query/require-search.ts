import type { Source } from '@worldwright/core/store'

/** Requires a source to have its own search. @throws TypeError that names the extension */
export function requireSearch(source: Source, extension: string): void {
  if (source.find) return
  const message = 'needs a source with find, such as withIndex(source) of @worldwright/search/entities'
  throw new TypeError(`${extension} ${message}`)
}
