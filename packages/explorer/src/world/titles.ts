/** The titles of entities that others refer to: each asked for once, a few at a time, kept for the rest of the visit. */
import { type EntityRef, isWorldError, type World } from '@worldwright/client'
import { isBlank } from '../text/visible.ts'
import { createLimiter } from './limiter.ts'
import { createMemory } from './memory.ts'

/** What is known of the entity behind a reference. */
export type Referred =
  | { readonly state: 'found'; readonly title: string | undefined }
  /** The world says there is none. */
  | { readonly state: 'missing' }
  /** Nobody knows: the answer did not come. */
  | { readonly state: 'unknown' }

/** Finds titles in one world. */
export type Titles = Readonly<ReturnType<typeof createTitles>>

/** Titles kept at once: more than any page shows. */
const MOST_KEPT = 5_000
/** Requests at once: browsers open six connections to a host, and reads by hand go first. */
const AT_ONCE = 4

/** Makes the titles of a world. References met in the same moment go out together, each only once. */
export function createTitles(world: Pick<World, 'get'>) {
  const found = createMemory<Referred>(MOST_KEPT)
  const asked = new Map<string, Promise<Referred>>()
  const limit = createLimiter(AT_ONCE)

  async function ask({ type, id }: EntityRef, key: string): Promise<Referred> {
    const answer = await limit(() => world.get(type, id).then(titled, lost))
    // What nobody knows may be known next time.
    if (answer.state !== 'unknown') found.set(key, answer)
    asked.delete(key)
    return answer
  }

  return {
    known: (ref: EntityRef) => found.get(keyOf(ref)),
    /** Asks the world unless the answer is known or on its way; never rejects. */
    find(ref: EntityRef): Promise<Referred> {
      const key = keyOf(ref)
      const known = found.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const running = asked.get(key) ?? ask(ref, key)
      asked.set(key, running)
      return running
    },
    /** Notes an entity that was read for another reason. */
    note: (entity: { type: string; id: string; title?: unknown }) => found.set(keyOf(entity), titled(entity)),
  }
}

function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`
}

function titled({ title }: { title?: unknown }): Referred {
  return { state: 'found', title: typeof title === 'string' && !isBlank(title) ? title : undefined }
}

function lost(error: unknown): Referred {
  return isWorldError(error) && error.status === 404 ? { state: 'missing' } : { state: 'unknown' }
}
