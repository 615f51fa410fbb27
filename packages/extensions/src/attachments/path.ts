/** Attachment paths, which entities use to refer to files. */

/** Path prefix of attachments, on the world's origin. */
export const ATTACHMENTS_PATH = '/attachments'

/** Converts the path of a file within the folder to the path of the attachment on the world's origin. */
export function attachmentPath(name: string): string {
  const components = name
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .split('/')
  return `${ATTACHMENTS_PATH}/${components.map(encodeURIComponent).join('/')}`
}
