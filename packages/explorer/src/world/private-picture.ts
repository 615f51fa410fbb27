/** Pictures of private worlds: an `img` sends no token, so their bytes are fetched. */
import type { Fetch } from '@worldwright/client'

/** Maximum bytes of a picture: it is held in memory whole. */
const MOST_BYTES = 20_000_000

/** Token and address for reading a picture. */
export interface PictureRequest {
  readonly token: string
  /** `endpoints.api`: the token goes to its origin alone, and over plain http only on loopback. */
  readonly api: string
  readonly signal: AbortSignal
  readonly fetch?: Fetch
}

/** Returns the bytes of a picture. Rejects if the world refuses, if it is no picture, and beyond 20 MB. */
export async function readPicture(
  href: string,
  { token, api, signal, fetch: ask = fetch }: PictureRequest,
): Promise<Blob> {
  const { origin, protocol, hostname } = new URL(href)
  const isSafe = protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  const headers = isSafe && origin === new URL(api).origin ? { authorization: `Bearer ${token}` } : undefined
  // A redirect could lead elsewhere, and the token with it.
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
