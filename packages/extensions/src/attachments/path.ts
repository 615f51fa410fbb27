/** Where attachments stand: what entities refer to them by. */

/** Where attachments stand, on the world's origin. */
export const ATTACHMENTS_PATH = '/attachments'

/** The path of an attachment on the world's origin, from its path in its folder. */
export function attachmentPath(name: string): string {
  const components = name
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .split('/')
  return `${ATTACHMENTS_PATH}/${components.map(encodeURIComponent).join('/')}`
}
