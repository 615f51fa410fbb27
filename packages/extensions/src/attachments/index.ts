/** Extension that serves files belonging to a world's entities, such as pictures and documents. */

export { AttachedFiles } from './attached-file.ts'
export { ATTACHMENTS_PATH, attachmentPath } from './path.ts'
export { pictureStore } from './picture-store.ts'
export { ATTACHMENTS_EXTENSION, type AttachmentsOptions, attachments } from './routes.ts'
