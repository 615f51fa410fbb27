/** Reads pictures of private worlds, since an `img` element cannot send a token. */
import type { Fetch } from '@worldwright/client'

/** Maximum size of a picture, in bytes. The whole picture is held in memory. */
const MOST_BYTES = 20_000_000

/** Token and API address for reading a picture. */
export interface PictureRequest {
  readonly token: string
  /** The world's `endpoints.api`. The token is sent only to the origin of this URL, and over http only on loopback. */
  readonly api: string
  readonly signal: AbortSignal
  readonly fetch?: Fetch
}

/** Returns the bytes of a picture. Rejects on an error status, a content type other than an image, or more than 20 MB. */
export async function readPicture(
  href: string,
  { token, api, signal, fetch: ask = fetch }: PictureRequest,
): Promise<Blob> {
  const { origin, protocol, hostname } = new URL(href)
  const isSafe = protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  const headers = isSafe && origin === new URL(api).origin ? { authorization: `Bearer ${token}` } : undefined
  // Following a redirect could send the token to a different origin.
  const response = await ask(href, {
    signal,
    referrerPolicy: 'no-referrer',
    redirect: 'error',
    ...(headers && { headers }),
  })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || response.body === null || !type.startsWith('image/'))
    throw new Error(`${href} is no picture: ${response.status} ${type}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += part.byteLength
    if (size > MOST_BYTES) throw new Error(`${href} is larger than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  return new Blob(parts, { type })
}
