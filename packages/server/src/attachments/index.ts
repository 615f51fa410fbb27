/** Files that belong to a world's entities: pictures, documents. */

export { ATTACHMENTS_PATH, attachmentPath } from './path.ts'
export type { AttachmentsApi } from './routes.ts'
export { ATTACHMENTS_EXTENSION, createAttachmentsApi } from './routes.ts'
