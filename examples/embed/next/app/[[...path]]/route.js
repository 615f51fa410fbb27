/**
 * Next.js: the world answers every request that no other route answers. It has no codings, because Next.js compresses
 * answers itself, and drops `Content-Encoding` from those that are already compressed.
 */
import { toFetch } from '@worldwright/core'
import { createMoons, users } from '../../../world.js'

const answer = toFetch(createMoons())
const handle = (request) => users.run(request.headers.get('user'), answer, request)

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
