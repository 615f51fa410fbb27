/** Downloadable files of a world, from the extension `worldwright:downloads` of its discovery document. */
import { type Fetch, WorldError } from '@worldwright/client'
import { isObject, member, textMember } from '@worldwright/extensions/shown'
import type { WorldProfile } from './world-profile.ts'

const EXTENSION = 'worldwright:downloads'
/** Extension declared by a world of files, whose server may need full file names. */
const FILES = 'worldwright:files'
/** Timeout for reading the list, in milliseconds. */
const TIMEOUT_MS = 15_000

/** Downloadable files of a world, in the order in which the world lists them. */
export type WorldDownloads = Awaited<ReturnType<typeof readDownloads>>

/**
 * Returns the URL of a world's list of downloadable files, or undefined if there is none. A world that needs a token has
 * none, since its files need the token too and links cannot send it.
 */
export function downloadsUrl({ origin, extensions, needsToken }: WorldProfile): string | undefined {
  if (needsToken) return undefined
  const settings = extensions.find(([name]) => name === EXTENSION)?.[1]
  const url = ownUrl(textMember(settings, 'path'), origin)
  const isFiles = extensions.some(([name]) => name === FILES)
  return isFiles && url !== undefined ? `${url}/index.json` : url
}

/** Returns the URL of the answer to a question as CSV, or undefined if the world has no such files or needs a token. */
export function csvUrl({ api, extensions, needsToken }: WorldProfile, question: object): string | undefined {
  const formats = member(extensions.find(([name]) => name === 'worldwright:results')?.[1], 'formats')
  if (needsToken || !Array.isArray(formats) || !formats.includes('csv')) return undefined
  return `${api}/results/result.csv?input=${encodeURIComponent(JSON.stringify(question))}`
}

/** Reads a list of files. Returns the files in list order, except those on other origins. Rejects with a `WorldError`. */
export async function readDownloads(url: string, fetch: Fetch, signal: AbortSignal) {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(url, { signal: ending }).catch((cause: Error) => {
    throw new WorldError(cause.name === 'TimeoutError' ? 'timeout' : 'network_error', undefined, {
      url,
      cause,
    })
  })
  const { ok, status } = response
  const listed = member(await response.json().catch(() => undefined), 'downloads')
  if (!ok || !Array.isArray(listed))
    throw new WorldError(ok ? 'invalid_response' : `http_${status}`, undefined, { url, status })
  return listed.filter(isObject).flatMap((one) => {
    const [format, path] = [textMember(one, 'format'), textMember(one, 'path')]
    const file = ownUrl(path, new URL(url).origin)
    if (file === undefined || format === undefined) return []
    // A file without a type contains the whole world. `loses` describes the data that its format cannot represent.
    return [{ url: file, format, type: textMember(one, 'type'), loses: textMember(one, 'loses') }]
  })
}

/** Resolves a path against an origin. Returns undefined if the result is on a different origin. */
function ownUrl(path: string | undefined, origin: string): string | undefined {
  if (path === undefined || !URL.canParse(path, origin)) return undefined
  const url = new URL(path, origin)
  return url.origin === new URL(origin).origin ? url.href : undefined
}
