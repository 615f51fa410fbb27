/** Route of the operator API that stores pictures, which entities then name by their paths. */
import type { JsonObject } from '@worldwright/client/protocol'
import { overloaded, type Route, requireBodyType, type World, WorldFault, wholeBody } from '@worldwright/core'
import type { Audit } from './audit.ts'
import { OPERATIONS } from './operations.ts'

/** Stores a picture durably, and returns its path on the world's origin. `ending` is the file extension of its format. */
export type PictureStore = (bytes: Uint8Array, ending: string) => Promise<string>

/** Maximum bytes of a picture. */
const MAX_PICTURE_BYTES = 4_000_000
/** Maximum pictures that a process receives at once. Each takes up to twice its size in memory. */
const MOST_AT_ONCE = 16

/** File extensions of the formats, with the form of the first bytes. */
const FORMATS: readonly (readonly [ending: string, start: RegExp])[] = [
  ['avif', /^.{4}ftypavi[fs]/s],
  ['gif', /^GIF8[79]a/],
  ['jpg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n/],
  ['webp', /^RIFF.{4}WEBP/s],
]
const MEDIA_TYPES = Object.keys(OPERATIONS.pictures.POST.body)
const NO_PICTURE = `The body is not a picture in any of these formats: ${MEDIA_TYPES.join(', ')}.`

/** Limits and formats of pictures, for the declaration of the operator API. */
export const PICTURES: JsonObject = { maxBytes: MAX_PICTURE_BYTES, mediaTypes: MEDIA_TYPES }

/**
 * Creates the route `POST {path}/pictures/{type}`, which stores a picture for entities of a type. The content tells the
 * format: browsers derive the media type that they send from the name of the file.
 */
export function pictureRoute(
  path: string,
  world: World,
  store: PictureStore,
  audit: Audit | undefined,
): Route {
  let running = 0
  return {
    path: `${path}/pictures/{type}`,
    operations: OPERATIONS.pictures,
    methods: {
      async POST(request, { type = '' }) {
        await world.requireType(type)
        requireBodyType(request, MEDIA_TYPES, ['identity'])
        if (running >= MOST_AT_ONCE) throw overloaded()
        running += 1
        try {
          const bytes = await wholeBody(request, MAX_PICTURE_BYTES)
          const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
          const ending = FORMATS.find(([, pattern]) => pattern.test(start))?.[0]
          if (ending === undefined)
            throw new WorldFault('unsupported_media_type', NO_PICTURE, { supported: MEDIA_TYPES })
          const picture = await store(bytes, ending)
          audit?.note(request, { picture })
          const headers = { 'content-type': 'application/json' }
          return { status: 201, headers, body: JSON.stringify({ path: picture }) }
        } finally {
          running -= 1
        }
      },
    },
  }
}
