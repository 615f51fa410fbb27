/** The extension `worldwright:attachments`: the files of a folder beside the data, such as pictures. */

import type { Extension, RouteParams, WorldRequest, WorldResponse } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import { rangedResponse } from '../files/byte-range.ts'
import { fileBytes } from '../files/file-bytes.ts'
import { type AttachedFile, AttachedFiles } from './attached-file.ts'
import { MEDIA_TYPES, servedAs } from './media-types.ts'
import { ATTACHMENTS_PATH } from './path.ts'

/** The extension's name in the discovery document. */
export const ATTACHMENTS_EXTENSION = 'worldwright:attachments'

/** Folders within folders that are reached, the file included. */
const MAX_COMPONENTS = 6

/** The attachments of a world. */
export interface AttachmentsOptions {
  /** An absolute path. */
  readonly folder: string
}

/**
 * Serves the files of a folder. Each answer has the digest of its content as entity tag, may
 * be asked for in ranges, and is what its name says: nothing is guessed from its bytes, and nothing in it can run. In a
 * private world they need a token like everything else.
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
    // A drawing may hold scripts: opened by itself it is no page of this origin. Viewers of PDFs do not work in a sandbox.
    'content-security-policy':
      mediaType === 'application/pdf'
        ? "frame-ancestors 'none'"
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    // Pages of other origins show them, as they may read all else.
    'cross-origin-resource-policy': 'cross-origin',
  }
}
