/** Extension that offers a whole world, or one type, as files for other programs. */

export type { Download, DownloadFile, DownloadFiles, DownloadFormat, NoFile } from './download.ts'
export { DownloadFolder } from './download-folder.ts'
export type { DownloadsOptions, OfferedDownload } from './routes.ts'
export { DOWNLOADS_EXTENSION, DOWNLOADS_PATH, downloads, offeredDownloads } from './routes.ts'
export { type WrittenFile, writeFile } from './write-file.ts'
