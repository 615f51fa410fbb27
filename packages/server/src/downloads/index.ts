/** Downloads: all of a world, or of one type, as files that others read. */

export type { Download, DownloadFile, DownloadFiles, DownloadFormat, NoFile } from './download.ts'
export { DownloadFolder } from './download-folder.ts'
export type { DownloadsApi } from './routes.ts'
export { createDownloadsApi, DOWNLOADS_EXTENSION, DOWNLOADS_PATH } from './routes.ts'
export type { WrittenFile } from './write-file.ts'
export { writeFile } from './write-file.ts'
