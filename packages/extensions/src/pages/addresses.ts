/** Paths and addresses of pages and entities. */

/** Returns the path of an entity's page or, without an id, of its type's. */
export function pagePath(type: string, id?: string): string {
  const path = `/t/${encodeURIComponent(type)}`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}

/** Returns the path of a further page of a type's list. A path, not a query, so that pages can be files as well. */
export function listPath(type: string, cursor: string): string {
  return `/lists/${encodeURIComponent(type)}/${encodeURIComponent(cursor)}`
}

/** Returns the path of the preview picture of an entity. */
export function cardPath(type: string, id: string): string {
  return `${pagePath(type, id)}/card.png`
}

/** Returns the path of an entity below the URL of an API. */
export function entityPath(type: string, id: string): string {
  return `/entities/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
}

/** Returns the path of an entity's file below the folder of all; a slash in an id separates folders. */
export function entityFilePath(type: string, id: string): string {
  return `/${[type, ...`${id}.json`.split('/')].map(encodeURIComponent).join('/')}`
}

/** Returns the normalized web address in a text, for use in a link; undefined if the text is none. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

/** Reports whether a text is the path of an attachment as entities name one: `encodeURIComponent` output between slashes. */
export function isAttachment(text: string): boolean {
  return /^\/attachments\/[\w%./!~*'()-]+$/.test(text)
}
