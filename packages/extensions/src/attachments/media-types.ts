/** Media types of attachments, by file extension. */

/** The media type of a file and its disposition. */
export interface Served {
  readonly mediaType: string
  /** Browsers display the file inline, and nothing in it can run. Other files are only downloaded. */
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

/** Returns the media type and disposition of a file, from its extension. */
export function servedAs(name: string): Served {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const mediaType = Object.hasOwn(SHOWN, ending) ? SHOWN[ending] : undefined
  return mediaType === undefined ? DOWNLOAD : { mediaType, shown: true }
}

/** The media types of all files, as `Accept` names them. */
export const MEDIA_TYPES: readonly string[] = [
  ...new Set([...Object.values(SHOWN), DOWNLOAD.mediaType].map((type) => type.split(';')[0] as string)),
]
