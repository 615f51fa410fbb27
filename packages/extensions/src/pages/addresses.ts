/** Where pages stand on the world's origin. */

/** The path of an entity's page, or without an id of its type's. */
export function pagePath(type: string, id?: string): string {
  const path = `/t/${encodeURIComponent(type)}`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}

/** The path of a further page of a type's list. A path, and no query, so that pages can be files as well. */
export function listPath(type: string, cursor: string): string {
  return `/lists/${encodeURIComponent(type)}/${encodeURIComponent(cursor)}`
}

/** The path of the picture that previews show for an entity. */
export function cardPath(type: string, id: string): string {
  return `${pagePath(type, id)}/card.png`
}

/** Where an entity stands below the URL of an API. */
export function entityPath(type: string, id: string): string {
  return `/entities/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
}

/** Where the file of an entity stands below the folder of all: a slash in an id is one between folders. */
export function entityFilePath(type: string, id: string): string {
  return `/${[type, ...`${id}.json`.split('/')].map(encodeURIComponent).join('/')}`
}

/** A text that is an address of the web, as a link may have it; undefined for any other. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

/** Whether a text is the path of an attachment, as entities name one: what `encodeURIComponent` leaves, between slashes. */
export function isAttachment(text: string): boolean {
  return /^\/attachments\/[\w%./!~*'()-]+$/.test(text)
}
