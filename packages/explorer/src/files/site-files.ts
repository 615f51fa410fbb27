/** Paths of the files of a world, from the extension `worldwright:files` of its discovery document. */
import { isObject, type JsonObject } from '@worldwright/client/protocol'

/** The files of a world. */
export type SiteFiles = Readonly<NonNullable<ReturnType<typeof siteFilesOf>>>

/** Returns the files that a document names, resolved against its address; undefined if it names none. */
export function siteFilesOf(document: JsonObject, url: string) {
  const { extensions, endpoints, entityTypes } = document
  const said = isObject(extensions) ? extensions['worldwright:files'] : undefined
  const api = isObject(endpoints) ? endpoints['api'] : undefined
  if (!isObject(said) || typeof api !== 'string') return undefined
  const { entities, lists, search, firstPage, pageSizes } = said
  const paths = [entities, lists, search]
  if (!paths.every((path) => typeof path === 'string' && URL.canParse(path, url))) return undefined
  if (typeof firstPage !== 'string' || !Array.isArray(pageSizes)) return undefined
  const [at, below, table] = paths.map((path) => new URL(path as string, url).href)
  const types = (Array.isArray(entityTypes) ? entityTypes : []).flatMap((one) =>
    isObject(one) && typeof one['type'] === 'string' ? [one['type']] : [],
  )
  return {
    // Absolute addresses without a trailing slash: of the API, which clients request instead of the files, and of the rest.
    api: api.replace(/\/$/, ''),
    entities: at ?? '',
    lists: below ?? '',
    /** The table of the search index. */
    search: table ?? '',
    firstPage,
    /** Entities per page, ascending. */
    pageSizes: pageSizes.filter((size) => typeof size === 'number').sort((one, other) => one - other),
    types,
  }
}

/** Returns the address of an entity's file. */
export function entityFile({ entities }: SiteFiles, type: string, id: string): string {
  const path = [type, ...`${id}.json`.split('/')].map(encodeURIComponent)
  return [entities, ...path].join('/')
}

/** Returns the address of a page with at most `limit` entities: the one that `cursor` leads to, else the first. */
export function pageFile(files: SiteFiles, type: string, limit: number, cursor = files.firstPage): string {
  const size = limit === 0 ? 0 : (files.pageSizes.findLast((one) => one <= limit) ?? 1)
  return [files.lists, encodeURIComponent(type), size, `${encodeURIComponent(cursor)}.json`].join('/')
}
