/** The entities before and after one, in the order of ids. */
import type { Entity, World } from '@worldwright/client'
import { EntityLink } from '../parts/entity-link.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { ask } from '../question/question.ts'
import { words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'

/** The one before and the one after; absent at the ends. */
type Both = readonly [before: Entity | undefined, after: Entity | undefined]

const both = createMemory<Both>(200)

/** Links to the neighbours of an entity; nothing until they are known, and where it has none. */
export function Neighbours({ type, id }: { type: string; id: string }) {
  const { world } = useOpenWorld()
  const { entity } = words.value
  const { value } = useRemote(
    `${world.origin} ${type} ${id}`,
    (signal) =>
      Promise.all([
        neighbour(world, type, '<', id, '-id', signal),
        neighbour(world, type, '>', id, 'id', signal),
      ]),
    { memory: both },
  )
  const [before, after] = value ?? []
  if (before === undefined && after === undefined) return null
  return (
    <nav class="neighbours" aria-label={entity.neighbours}>
      <span>
        {before && (
          <>
            <span class="arrow" aria-hidden="true">
              ←
            </span>{' '}
            <EntityLink entity={before} most={60} />
          </>
        )}
      </span>
      <span>
        {after && (
          <>
            <EntityLink entity={after} most={60} />{' '}
            <span class="arrow" aria-hidden="true">
              →
            </span>
          </>
        )}
      </span>
    </nav>
  )
}

async function neighbour(
  world: World,
  type: string,
  op: '<' | '>',
  id: string,
  sort: string,
  signal: AbortSignal,
): Promise<Entity | undefined> {
  const where = { op, args: [{ property: 'id' }, id] }
  const answer = await ask(world, { types: [type], where, sort: [sort], limit: 1 }, { signal })
  return answer.entities[0]
}
