/** What points here: the entities that refer to one, by their type and the property that does. */
import type { EntityRef } from '@worldwright/client'
import { useState } from 'preact/hooks'
import type { Route } from '../navigation/route.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { FailureView } from '../parts/failure-view.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { fieldAt, keyOf, propertyOf } from '../question/askable.ts'
import { NOTHING_ASKED, textOfValue } from '../question/filters.ts'
import { type Answer, ask, type Facet, referrersOf } from '../question/question.ts'
import { count, counted, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { type TypeProfile, typeIn } from '../world/world-profile.ts'

/** Groups whose entities are read at once; the others when they are asked for. */
const GROUPS = 6
/** Entities named of each group. */
const NAMED = 6

const referrers = createMemory<Facet | undefined>(100)
const firsts = createMemory<Answer>(300)

/** One section with a part for each group; nothing where nothing points here. */
export function Referrers({ to }: { to: EntityRef }) {
  const { world, profile } = useOpenWorld()
  const [most, setMost] = useState(GROUPS)
  const { ask: w, entity } = words.value
  const key = `${world.origin} ${to.type} ${to.id}`
  const read = useRemote(key, (signal) => referrersOf(world, to, signal), { memory: referrers })
  const groups = (read.value?.buckets ?? []).flatMap(({ type, property, count: number }) => {
    const key = keyOf(property)
    return type === undefined || key === undefined
      ? []
      : [{ type: typeIn(profile, type), property: key, number }]
  })
  if (read.failure !== undefined) {
    return <FailureView failure={read.failure} origin={world.origin} onRetry={read.retry} level="part" />
  }
  if (groups.length === 0) return null
  return (
    <section aria-labelledby="referrers">
      <h2 id="referrers">{w.pointsHere}</h2>
      <ul class="referrers">
        {groups.slice(0, most).map((group) => (
          <Group key={`${group.type.type} ${group.property}`} to={to} {...group} />
        ))}
      </ul>
      {groups.length > most && (
        <button type="button" class="link" onClick={() => setMost(most + GROUPS)}>
          {entity.moreItems(counted(groups.length - most))}
        </button>
      )}
    </section>
  )
}

interface GroupProps {
  readonly to: EntityRef
  readonly type: TypeProfile
  /** The property that refers. */
  readonly property: string
  readonly number: number
}

function Group({ to, type, property, number }: GroupProps) {
  const { world, titles } = useOpenWorld()
  const { ask: w } = words.value
  const where = { op: '=', args: [{ property: propertyOf(property) }, { type: to.type, id: to.id }] }
  const key = JSON.stringify([world.origin, type.type, where])
  const read = useRemote(
    key,
    async (signal) => {
      const answer = await ask(world, { types: [type.type], where, limit: NAMED }, { signal })
      for (const entity of answer.entities) titles.note(entity)
      return answer
    },
    { memory: firsts },
  )
  const whole: Route = {
    page: 'list',
    origin: world.origin,
    type: type.type,
    asked: { ...NOTHING_ASKED, filters: [{ is: 'any', key: property, values: [textOfValue(to)] }] },
  }
  return (
    <li class={`referrer-group hue-${type.hue}`}>
      <h3>
        <span class="dot" aria-hidden="true" />
        <ShortText text={w.by(type.title, fieldAt(property, type.schema).label)} most={80} />
        <span class="count">{count(number)}</span>
      </h3>
      <p class="examples">
        {(read.value?.entities ?? []).map((entity) => (
          <EntityLink key={entity.id} entity={entity} most={48} class="chip" />
        ))}
        {read.failure !== undefined && (
          <span class="soft">{words.value.failures[read.failure.cause].title}</span>
        )}
        <To route={whole}>{w.all(counted(number))}</To>
      </p>
    </li>
  )
}
