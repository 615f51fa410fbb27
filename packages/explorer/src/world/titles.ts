/** Titles of entities that others refer to: each requested once, a few at a time, kept for the rest of the visit. */
import { type EntityRef, isWorldError, type World } from '@worldwright/client'
import { isBlank } from '../text/visible.ts'
import { createLimiter } from './limiter.ts'
import { createMemory } from './memory.ts'

/** Known state of the entity of a reference. */
export type Referred =
  | { readonly state: 'found'; readonly title: string | undefined }
  /** The world says that there is none. */
  | { readonly state: 'missing' }
  /** No answer came, so its state is unknown. */
  | { readonly state: 'unknown' }

/** Finds titles in one world. */
export type Titles = Readonly<ReturnType<typeof createTitles>>

/** Maximum titles kept: more than any page shows. */
const MOST_KEPT = 5_000
/** Maximum concurrent requests: browsers open six connections to a host, and the user's own reads go first. */
const AT_ONCE = 4

/** Creates the titles of a world. References met at the same moment are requested together, each only once. */
export function createTitles(world: Pick<World, 'get'>) {
  const found = createMemory<Referred>(MOST_KEPT)
  const asked = new Map<string, Promise<Referred>>()
  const limit = createLimiter(AT_ONCE)

  async function ask({ type, id }: EntityRef, key: string): Promise<Referred> {
    const answer = await limit(() => world.get(type, id).then(titled, lost))
    // An unknown title may be known next time.
    if (answer.state !== 'unknown') found.set(key, answer)
    asked.delete(key)
    return answer
  }

  return {
    known: (ref: EntityRef) => found.get(keyOf(ref)),
    /** Asks the world unless the answer is known or pending; never rejects. */
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
