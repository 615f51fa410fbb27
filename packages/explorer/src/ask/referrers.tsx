/** Incoming references: the entities that refer to an entity, by type and property. */
import type { EntityRef } from '@worldwright/client'
import { NOTHING_ASKED, textOfValue } from '@worldwright/extensions/views'
import { useState } from 'preact/hooks'
import type { Route } from '../navigation/route.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { To } from '../parts/link.tsx'
import { MoreItems } from '../parts/more-items.tsx'
import { ShortText } from '../parts/text.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { fieldAt } from '../question/askable.ts'
import { groupQuestion, type ReferrerGroup, referrersIn, referrersQuestion } from '../question/referrers.ts'
import { count, counted, words } from '../words/words.ts'
import { typeIn } from '../world/world-profile.ts'

/** Number of groups whose entities are read initially. Other groups are read on request. */
const GROUPS = 6
/** Maximum number of entities named per group. */
const NAMED = 6

/** Section with one item per group. Renders nothing if no entity refers to `to`. */
export function Referrers({ to }: { to: EntityRef }) {
  const [most, setMost] = useState(GROUPS)
  const { ask: w } = words.value
  const read = useAnswer(referrersQuestion(to))
  const groups = read.value === undefined ? [] : referrersIn(read.value).groups
  if (groups.length === 0) return <PartFailure of={read} />
  return (
    <section aria-labelledby="referrers">
      <h2 id="referrers">{w.pointsHere}</h2>
      <ul class="referrers">
        {groups.slice(0, most).map((group) => (
          <Group key={`${group.type} ${group.key}`} to={to} group={group} />
        ))}
      </ul>
      <MoreItems left={groups.length - most} onMore={() => setMost(most + GROUPS)} />
    </section>
  )
}

function Group({ to, group }: { to: EntityRef; group: ReferrerGroup }) {
  const { world, profile } = useOpenWorld()
  const { ask: w } = words.value
  const type = typeIn(profile, group.type)
  const read = useAnswer(groupQuestion(to, group, NAMED))
  const whole: Route = {
    page: 'list',
    origin: world.origin,
    type: type.type,
    asked: { ...NOTHING_ASKED, filters: [{ is: 'any', key: group.key, values: [textOfValue(to)] }] },
  }
  return (
    <li class="referrer-group" style={type.style}>
      <h3>
        <span class="dot" aria-hidden="true" />
        <ShortText text={w.by(type.title, fieldAt(group.key, type.schema).label)} most={80} />
        <span class="count">{count(group.count)}</span>
      </h3>
      <p class="examples">
        {(read.value?.entities ?? []).map((entity) => (
          <EntityLink key={entity.id} entity={entity} most={48} class="chip" />
        ))}
        {read.failure !== undefined && (
          <span class="soft">{words.value.failures[read.failure.cause].title}</span>
        )}
        <To route={whole}>{w.all(counted(group.count))}</To>
      </p>
    </li>
  )
}
