/** Paths and URLs of pages and entities. */

/** File ending of the paths of Markdown pages. */
export const MARKDOWN_ENDING = '.md'

/** Returns the path of a later page of a type's list. The path has no query, so that pages can be files. */
export function listPath(type: string, cursor: string): string {
  return `/lists/${encodeURIComponent(type)}/${encodeURIComponent(cursor)}`
}

/** Returns the path and query of a page of entities relative to the API's URL. */
export function listQuery(type: string, limit: number, cursor?: string): string {
  return `/entities/${encodeURIComponent(type)}?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`
}

/** Returns the path of the share image of a page, given the path and query of the page. */
export function imagePath(page: string): string {
  return `/image${page === '/' ? '' : page}`
}

/** Returns the path of an entity relative to the API's URL. */
export function entityPath(type: string, id: string): string {
  return `/entities/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
}

/** Returns the path of an entity's file, relative to the folder of all entities. Slashes in an id separate folders. */
export function entityFilePath(type: string, id: string): string {
  return `/${[type, ...`${id}.json`.split('/')].map(encodeURIComponent).join('/')}`
}

/** Returns `text` as a normalized URL for links, or undefined if it is not a web address. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

/** Reports whether `text` is an attachment path whose components are encoded with `encodeURIComponent`. */
export function isAttachment(text: string): boolean {
  return /^\/attachments\/[\w%./!~*'()-]+$/.test(text)
}
