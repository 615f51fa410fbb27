/** Links to the previous and the next entity, in id order. */
import { EntityLink } from '../parts/entity-link.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { words } from '../words/words.ts'

/** Links to the neighbours of an entity. Renders nothing until both have been looked up, or if there are none. */
export function Neighbours({ type, id }: { type: string; id: string }) {
  const next = (op: '<' | '>', sort: string) => {
    return { types: [type], where: { op, args: [{ property: 'id' }, id] }, sort: [sort], limit: 1 }
  }
  const found = [useAnswer(next('<', '-id')), useAnswer(next('>', 'id'))]
  const [before, after] = found.map(({ value }) => value?.entities[0])
  if (found.some(({ value }) => value === undefined) || (before ?? after) === undefined) return null
  return (
    <nav class="neighbours" aria-label={words.value.entity.neighbours}>
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
