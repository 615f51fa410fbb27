/** The extension `worldwright:attachments`, which serves the files in a folder beside the data. */

import type { Extension, RouteParams, WorldRequest, WorldResponse } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import { rangedResponse } from '../files/byte-range.ts'
import { fileBytes } from '../files/file-bytes.ts'
import { type AttachedFile, AttachedFiles } from './attached-file.ts'
import { MEDIA_TYPES, servedAs } from './media-types.ts'
import { ATTACHMENTS_PATH } from './path.ts'

/** Name of the extension in the discovery document. */
export const ATTACHMENTS_EXTENSION = 'worldwright:attachments'

/** Maximum number of path components below the folder, including the file name. */
const MAX_COMPONENTS = 6

/** Options for the extension `worldwright:attachments`. */
export interface AttachmentsOptions {
  /** Absolute path of the folder to serve. */
  readonly folder: string
}

/**
 * Serves the files in a folder. Each response has the content digest as its entity tag and supports ranges. The media type
 * depends only on the name, never on the bytes, and no file can run code. In a private world, attachments require a token
 * like all other data.
 */
export function attachments({ folder }: AttachmentsOptions): Extension {
  const files = new AttachedFiles(folder)
  const names = Array.from({ length: MAX_COMPONENTS }, (_, at) => `n${at}`)
  const get = async (request: WorldRequest, params: RouteParams) => {
    const components = names.flatMap((name) => (params[name] === undefined ? [] : [params[name]]))
    const file = await files.find(components)
    if (file) return answer(request, components.at(-1) ?? '', file)
    throw new WorldFault('not_found', 'There is no such attachment.')
  }
  return () => ({
    name: ATTACHMENTS_EXTENSION,
    declares: () => ({ path: ATTACHMENTS_PATH }),
    routes: names.map((_, at) => ({
      path: `${ATTACHMENTS_PATH}/${names
        .slice(0, at + 1)
        .map((name) => `{${name}}`)
        .join('/')}`,
      answers: MEDIA_TYPES,
      methods: { GET: get },
    })),
  })
}

function answer(request: WorldRequest, name: string, file: AttachedFile): WorldResponse {
  return rangedResponse(request, {
    size: file.size,
    etag: `"${file.digest}"`,
    headers: headersOf(name),
    bytes: (start, end) => fileBytes(file.path, start, end),
  })
}

function headersOf(name: string): Record<string, string> {
  const { mediaType, shown } = servedAs(name)
  const disposition = shown ? 'inline' : 'attachment'
  return {
    'content-type': mediaType,
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    'cache-control': 'public, max-age=60',
    // An SVG may contain scripts, which the sandbox keeps out of this origin. PDF viewers do not work in a sandbox.
    'content-security-policy':
      mediaType === 'application/pdf'
        ? "frame-ancestors 'none'"
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    // Pages on other origins may embed attachments, just as they may read all other data.
    'cross-origin-resource-policy': 'cross-origin',
  }
}
