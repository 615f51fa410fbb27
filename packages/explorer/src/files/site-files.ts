/** Locations of a world's files, from the extension `worldwright:files` of its discovery document. */
import { type EntityTypeDescription, isObject, type JsonObject } from '@worldwright/client/protocol'

/** Locations of the files that make up a world. */
export type SiteFiles = Readonly<NonNullable<ReturnType<typeof siteFilesOf>>>

/** Returns the URLs of the files, resolved against the `url` of the document. Undefined if it is not a world of files. */
export function siteFilesOf(document: JsonObject, url: string) {
  const { extensions, endpoints, entityTypes } = document
  const said = isObject(extensions) ? extensions['worldwright:files'] : undefined
  const api = isObject(endpoints) ? endpoints['api'] : undefined
  if (!isObject(said) || typeof api !== 'string') return undefined
  const { entities, lists, search, firstPage, pageSizes, query } = said
  const paths = [entities, lists, search]
  if (!paths.every((path) => typeof path === 'string' && URL.canParse(path, url))) return undefined
  if (typeof firstPage !== 'string' || !Array.isArray(pageSizes)) return undefined
  const [at, below, table] = paths.map((path) => new URL(path as string, url).href)
  const types = [entityTypes ?? []].flat().filter((one) => isObject(one) && typeof one['type'] === 'string')
  return {
    // Absolute URLs: the API that clients request, without a trailing slash, and the folders of files that answer for it.
    api: api.replace(/\/$/, ''),
    entities: at ?? '',
    lists: below ?? '',
    /** URL of the search index table. */
    search: table ?? '',
    firstPage,
    /** Available page sizes, in ascending order. */
    pageSizes: pageSizes.filter((size) => typeof size === 'number').sort((one, other) => one - other),
    types: types as unknown as readonly EntityTypeDescription[],
    /** Declaration of the extension `worldwright:query`. Undefined if the files have no index for queries. */
    query,
  }
}

/** Returns the URL of an entity's file. */
export function entityFile({ entities }: SiteFiles, type: string, id: string): string {
  const path = [type, ...`${id}.json`.split('/')].map(encodeURIComponent)
  return [entities, ...path].join('/')
}

/** Returns the URL of a page of at most `limit` entities, which begins at `cursor` or else at the start of the list. */
export function pageFile(files: SiteFiles, type: string, limit: number, cursor = files.firstPage): string {
  const size = limit === 0 ? 0 : (files.pageSizes.findLast((one) => one <= limit) ?? 1)
  return [files.lists, encodeURIComponent(type), size, `${encodeURIComponent(cursor)}.json`].join('/')
}
