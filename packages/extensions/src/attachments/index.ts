/** Files that belong to a world's entities, such as pictures and documents: an extension of a world. */

export { ATTACHMENTS_PATH, attachmentPath } from './path.ts'
export type { AttachmentsOptions } from './routes.ts'
export { ATTACHMENTS_EXTENSION, attachments } from './routes.ts'
