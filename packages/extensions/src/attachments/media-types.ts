/** Media types of attachments, by file extension. */

/** Media type and disposition of a file. */
export interface Served {
  readonly mediaType: string
  /** True if browsers may display the file inline, because it cannot run code. Other files are only downloaded. */
  readonly shown: boolean
}

const SHOWN: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

const DOWNLOAD: Served = { mediaType: 'application/octet-stream', shown: false }

/** Returns the media type and disposition for a file name, based on its extension. */
export function servedAs(name: string): Served {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const mediaType = Object.hasOwn(SHOWN, ending) ? SHOWN[ending] : undefined
  return mediaType === undefined ? DOWNLOAD : { mediaType, shown: true }
}

/** All media types used for attachments, without parameters. */
export const MEDIA_TYPES: readonly string[] = [
  ...new Set([...Object.values(SHOWN), DOWNLOAD.mediaType].map((type) => type.split(';')[0] as string)),
]
