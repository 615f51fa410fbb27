/** The files in which a whole world can be downloaded: the extension `worldwright:downloads` of its discovery document. */
import type { Fetch } from '@worldwright/client'
import { isObject, member, textMember } from '../data/schema.ts'
import type { WorldProfile } from './world-profile.ts'

const EXTENSION = 'worldwright:downloads'
/** Extension of a world of files, whose file server may know a file only by its full name. */
const FILES = 'worldwright:files'
/** Timeout of the list, in milliseconds: the list is short. */
const TIMEOUT_MS = 15_000

/** The files of a world, as the world lists them. */
export type WorldDownloads = Awaited<ReturnType<typeof readDownloads>>

/**
 * Returns the address of a world's list of files; undefined if it has none. In a world that needs a token the files need
 * it too, and links do not carry it.
 */
export function downloadsUrl({ origin, extensions, needsToken }: WorldProfile): string | undefined {
  if (needsToken) return undefined
  const settings = extensions.find(([name]) => name === EXTENSION)?.[1]
  const url = ownUrl(textMember(settings, 'path'), origin)
  const isFiles = extensions.some(([name]) => name === FILES)
  return isFiles && url !== undefined ? `${url}/index.json` : url
}

/** Returns the files of a list, in its order, without those that are not of this world. Rejects if there is no list. */
export async function readDownloads(url: string, fetch: Fetch, signal: AbortSignal) {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
  const body: unknown = response.ok ? await response.json() : undefined
  const listed = member(body, 'downloads')
  if (!Array.isArray(listed)) throw new Error(`${url} lists no downloads (${response.status})`)
  return listed.filter(isObject).flatMap((one) => {
    const [format, path] = [textMember(one, 'format'), textMember(one, 'path')]
    const file = ownUrl(path, new URL(url).origin)
    if (file === undefined || format === undefined) return []
    // Without a type it is the file of the whole world; `loses` names data that the format cannot hold.
    return [{ url: file, format, type: textMember(one, 'type'), loses: textMember(one, 'loses') }]
  })
}

/** Resolves a path; undefined if it leads away from the world that names it. */
function ownUrl(path: string | undefined, origin: string): string | undefined {
  if (path === undefined || !URL.canParse(path, origin)) return undefined
  const url = new URL(path, origin)
  return url.origin === new URL(origin).origin ? url.href : undefined
}
