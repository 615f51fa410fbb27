/** Answer above the hits of a search: the question as it was understood, to be corrected, and the first of its answer. */
import type { DiscoverOutput } from '@worldwright/client'
import { FilterChips } from '../ask/filter-chips.tsx'
import { nameOf } from '../data/entity-name.ts'
import { navigate } from '../navigation/navigation.ts'
import { Cell } from '../parts/cell.tsx'
import { EntityLink } from '../parts/entity-link.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { GroupName } from '../summary/group-name.tsx'
import { count, counted, unitAfter, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { type Answered, answerTo } from './answer-to.ts'
import { spelt } from './lookup.ts'
import { examplesFor } from './read-question.ts'
import './answer.css'

const answers = createMemory<Answered | readonly string[] | undefined>(60)

/** The answer to a search text, or nothing if it is not understood as a question, or if a hit has it as its title. */
export function AnswerLine({ text, output }: { text: string; output: DiscoverOutput }) {
  const { world, profile } = useOpenWorld()
  const isTitle = output.entities.some((entity) => spelt(nameOf(entity)) === spelt(text))
  const { value, failure } = useRemote(
    isTitle ? undefined : JSON.stringify([world.origin, text]),
    async (signal) =>
      (await answerTo(text, output['why'], { world, profile }, signal)) ?? examplesFor(text, profile),
    { memory: answers },
  )
  if (value === undefined || failure !== undefined) return null
  if ('type' in value) return <Answer {...value} />
  return <p class="note">{`${words.value.search.unread} ${value.join(' · ')}`}</p>
}

function Answer({ type, asked, route, askables, by, order, fields, ...rest }: Answered) {
  const { entities, groups, groupsTotal, total } = rest
  const { search, views } = words.value
  const arrow = (by ? order : asked.sort).startsWith('-') ? '↓' : '↑'
  const parts = [
    type.title,
    ...fields.map(({ label }) => (asked.sort ? `${label} ${arrow}` : label)),
    ...(by ? [by.askable.field.label, `${views.number} ${arrow}`] : []),
  ]
  return (
    <section class="answer" aria-label={search.answer}>
      <p>
        <To route={route}>
          <ShortText text={parts.join(' · ')} most={160} />
        </To>
        {total !== undefined && <span class="soft">{search.results(counted(total))}</span>}
      </p>
      <FilterChips
        asked={asked}
        askables={askables}
        onAsked={(corrected) => route.page === 'list' && navigate({ ...route, asked: corrected })}
      />
      <ul>
        {entities.map((entity) => (
          <li key={entity.id}>
            <EntityLink entity={entity} most={120} />
            {fields.map((field, at) => (
              <span key={field.name}>
                {' '}
                <Cell value={entity.values[at]} field={field} />
                {unitAfter(field)}
              </span>
            ))}
          </li>
        ))}
        {groups.map(({ key: [key = null], count: size }) => (
          <li key={JSON.stringify(key)}>
            {by && <GroupName value={key} by={by} />} <span class="soft">{count(size)}</span>
          </li>
        ))}
        {groupsTotal > groups.length && <li class="soft">{`${groups.length} / ${count(groupsTotal)}`}</li>}
      </ul>
    </section>
  )
}
