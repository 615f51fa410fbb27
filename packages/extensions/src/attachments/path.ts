/** Paths of attachments, by which entities refer to them. */

/** Path prefix of attachments, on the world's origin. */
export const ATTACHMENTS_PATH = '/attachments'

/** Returns the path of an attachment on the world's origin, from its path in its folder. */
export function attachmentPath(name: string): string {
  const components = name
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .split('/')
  return `${ATTACHMENTS_PATH}/${components.map(encodeURIComponent).join('/')}`
}
