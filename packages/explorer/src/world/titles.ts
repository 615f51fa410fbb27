/** Cache of the titles of referenced entities. Each title is requested once, with few concurrent requests. */
import { type EntityList, type EntityRef, isWorldError, type World } from '@worldwright/client'
import { isBlank } from '../text/visible.ts'
import { createLimiter } from './limiter.ts'
import { createMemory } from './memory.ts'

/** Known facts about a referenced entity. */
export type Referred =
  | { readonly state: 'found'; readonly title: string | undefined }
  /** The world reports that there is no such entity. */
  | { readonly state: 'missing' }
  /** The request failed, so it is unknown whether the entity exists. */
  | { readonly state: 'unknown' }

/** The titles of one world. */
export type Titles = Readonly<ReturnType<typeof createTitles>>

/** Maximum number of cached titles, which is more than any page shows. */
const MOST_KEPT = 5_000
/** Maximum number of concurrent requests. Browsers open six connections per host, and the user needs some of them. */
const AT_ONCE = 4
/** Maximum number of titles in one request, whose answer has room for a few entities of other types with the same ids. */
const MOST_TOGETHER = 50

/** Reads several entities in one request. May leave some out, and may return others. */
export type ReadTogether = (refs: readonly EntityRef[]) => Promise<Pick<EntityList, 'entities'>>

/**
 * Creates the title cache of a world. Concurrent requests for the same title share one request to the world. With
 * `together`, titles requested at the same time are read in one request, and alone only if its answer lacks them.
 */
export function createTitles(world: Pick<World, 'get'>, together?: ReadTogether) {
  const found = createMemory<Referred>(MOST_KEPT)
  const asked = new Map<string, Promise<Referred>>()
  const limit = createLimiter(AT_ONCE)
  const note = (entity: { type: string; id: string; title?: unknown }) =>
    found.set(keyOf(entity), titled(entity))
  let waiting: EntityRef[] = []
  let reading: Promise<void> = Promise.resolve()

  /** Resolves once the titles requested in this turn have been read together, if they can be. */
  function readTogether(ref: EntityRef, read: ReadTogether): Promise<void> {
    if (waiting.length === 0 || waiting.length === MOST_TOGETHER) {
      const refs: EntityRef[] = []
      waiting = refs
      reading = Promise.resolve().then(async () => {
        if (waiting === refs) waiting = []
        if (refs.length < 2) return
        const { entities } = await read(refs).catch(() => ({ entities: [] }))
        for (const entity of entities) note(entity)
      })
    }
    waiting.push(ref)
    return reading
  }

  async function ask(ref: EntityRef, key: string): Promise<Referred> {
    const { type, id } = ref
    if (together !== undefined) await readTogether(ref, together)
    const answer = found.get(key) ?? (await limit(() => world.get(type, id).then(titled, lost)))
    // Failures are not cached, since the next request may succeed.
    if (answer.state !== 'unknown') found.set(key, answer)
    asked.delete(key)
    return answer
  }

  return {
    known: (ref: EntityRef) => found.get(keyOf(ref)),
    /** Returns the state of an entity. Requests it from the world if it is neither known nor pending. Never rejects. */
    find(ref: EntityRef): Promise<Referred> {
      const key = keyOf(ref)
      const known = found.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const running = asked.get(key) ?? ask(ref, key)
      asked.set(key, running)
      return running
    },
    /** Records the title of an entity that was read for a different purpose. */
    note,
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
