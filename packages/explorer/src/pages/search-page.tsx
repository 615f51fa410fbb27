/** Search as you type with `wp:discover`: type filters with counts, marked matches, and notes on limits. */

import type { DiscoverOutput, Entity, World } from '@worldwright/client'
import { DISCOVER_ACTION } from '@worldwright/client/protocol'
import { isObject } from '@worldwright/extensions/shown'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { RefineTypes } from '../ask/parts.ts'
import { nameOf } from '../data/entity-name.ts'
import { matchingField, textField } from '../data/matching-field.ts'
import { CompareButton } from '../desk/parts.tsx'
import { navigate } from '../navigation/navigation.ts'
import type { RouteTo } from '../navigation/route.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { KeyValues } from '../parts/key-values.tsx'
import { To } from '../parts/link.tsx'
import { loaded } from '../parts/loaded.tsx'
import { ShortText, Text } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import { TypeMark } from '../parts/type-mark.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { Waiting, WaitNotice } from '../parts/waiting.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { excerpt, hasMark } from '../text/marks.ts'
import { counted, words } from '../words/words.ts'
import { discover, discoverPages } from '../world/discover.ts'
import { createMemory } from '../world/memory.ts'
import { takes, typeIn } from '../world/world-profile.ts'
import { TypeFilter } from './type-filter.tsx'

/** Number of results shown initially, and number added by "show more". The latter doubles from 100 results on. */
const FIRST = 20
const STEP = 80
/** Maximum number of results on the page. Beyond it, a refined search is more helpful than further results. */
const MOST = 1_000

/** Search results, and the match counts of all types, including those that are not selected. */
type Answer = Awaited<ReturnType<typeof ask>>

const answers = createMemory<Answer>(60)

const AnswerLine = loaded(async () => (await import('../answer/answer-line.tsx')).AnswerLine)

/** Search page of the open world. */
export function SearchPage({ route }: { route: RouteTo<'search'> }) {
  const { world, profile } = useOpenWorld()
  const key = JSON.stringify(route)
  const found = useRemote(
    key,
    (signal) => ask(world, route, takes(profile, DISCOVER_ACTION, 'matchedIn'), signal),
    { keep: true, memory: answers },
  )
  const { value } = found
  return (
    <div class="page search-page" aria-busy={found.isBusy}>
      <TypeFilter route={route} counts={value?.counts} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the arrow keys of the links inside it. */}
      <div class="results" id="results" tabIndex={-1} onKeyDown={onResultKey}>
        {(value === undefined || found.failure !== undefined) && (
          <h1 class="hidden">{words.value.search.title}</h1>
        )}
        <div class={`progress ${found.isBusy ? 'on' : ''}`} aria-hidden="true" />
        <PartFailure of={found} />
        {value !== undefined && found.isBusy && <WaitNotice host={profile.host} />}
        {value !== undefined && found.failure === undefined && (
          <Answered answer={value} isBusy={found.isBusy} />
        )}
        {value === undefined && found.failure === undefined && <Waiting host={profile.host} read={found} />}
      </div>
    </div>
  )
}

/** Runs a search. `namesFields` is true if the world can report in which fields an entity matched. */
async function ask(world: World, route: RouteTo<'search'>, namesFields: boolean, signal: AbortSignal) {
  const { text, types } = route
  const question = {
    limit: wantedBy(route),
    ...(text !== '' && { text, ...(namesFields && { matchedIn: true }) }),
  }
  const [output, unfiltered] = await Promise.all([
    discoverPages(world, { ...question, ...(types.length > 0 && { types: [...types] }) }, signal),
    types.length > 0 ? discover(world, { ...question, limit: 0 }, signal) : undefined,
  ])
  const counts = (unfiltered ?? output).counts
  return { route, output, counts: isObject(counts) ? (counts as Record<string, number>) : {} }
}

function wantedBy({ limit = FIRST }: RouteTo<'search'>): number {
  return Math.min(limit, MOST)
}

function Answered({ answer, isBusy }: { answer: Answer; isBusy: boolean }) {
  const { output, route } = answer
  const { profile } = useOpenWorld()
  const { search } = words.value
  const [only, second] = route.types.length > 0 ? route.types : Object.keys(answer.counts)
  const isOne = second === undefined
  const shown = output.entities.length
  // The total is missing from the output of some servers.
  const total = typeof output.total === 'number' ? output.total : undefined
  return (
    <>
      <h1 class="result-line arrival" tabIndex={-1}>
        <span role="status">
          {total === undefined && shown > 0
            ? search.shown(counted(shown))
            : resultLine(total ?? shown, output.totalIsLowerBound === true, route.text)}
        </span>
      </h1>
      {answersQuestions(profile) && isOne && only !== undefined && shown > 0 && (
        <p>
          <To
            route={{
              page: 'list',
              origin: profile.origin,
              type: only,
              asked: { ...NOTHING_ASKED, text: route.text },
            }}
          >
            {words.value.ask.refine}
          </To>
        </p>
      )}
      {answersQuestions(profile) && !isOne && shown > 0 && (
        <RefineTypes counts={chosenOf(answer)} text={route.text} />
      )}
      {output.partial === true && <p class="note">{search.partial}</p>}
      {output.broad === true && <p class="note">{search.broad}</p>}
      <Readings why={output.why} />
      {answersQuestions(profile) && route.types.length === 0 && /\S\s+\S/.test(route.text) && (
        <AnswerLine text={route.text} output={output} />
      )}
      {(total ?? shown) === 0 && <Nothing answer={answer} />}
      <ol class={`hits ${isBusy ? 'stale' : ''}`}>
        {output.entities.map((entity, index) => (
          <Hit
            key={entity.id === '' ? index : `${entity.type} ${entity.id}`}
            entity={entity}
            matched={matchedWords(output, route.text)}
            fields={output.matchedIn?.[index]}
          />
        ))}
      </ol>
      {total !== undefined && (output.truncated === true || total > shown) && (
        <More answer={answer} total={total} />
      )}
    </>
  )
}

/** Says which words were read as types and orders. `why` is whatever the world reports. */
function Readings({ why }: { why: unknown }) {
  const { profile } = useOpenWorld()
  const read = (Array.isArray(why) ? why : []).flatMap((one) => {
    const { word, type, order } = (isObject(one) ? one : {}) as Record<string, unknown>
    if (typeof word !== 'string' || typeof type !== 'string') return []
    const arrow = String(order).startsWith('-') ? '↓' : '↑'
    const by = typeof order === 'string' ? `, ${order.replace(/^-/, '')} ${arrow}` : ''
    return words.value.search.read(word, typeIn(profile, type).title + by)
  })
  return read.length > 0 && <p class="note">{read.join(' · ')}</p>
}

/** Returns the counts of the selected types, or of all types if no type is selected. */
function chosenOf({ counts, route: { types } }: Answer): Readonly<Record<string, number>> {
  if (types.length === 0) return counts
  return Object.fromEntries(Object.entries(counts).filter(([type]) => types.includes(type)))
}

function resultLine(total: number, isLeast: boolean, text: string): string {
  const { search } = words.value
  const number = isLeast ? counted(total, search.atLeast(counted(total))) : counted(total)
  if (total === 0) return text === '' ? search.noneAtAll : search.none(text)
  return text === '' ? search.results(number) : search.resultsFor(number, text)
}

/** Returns the words that the index matched, or the typed words if the world does not report the matched words. */
function matchedWords({ matched }: DiscoverOutput, text: string): readonly string[] {
  if (text === '') return []
  return Array.isArray(matched) ? matched.filter((word) => typeof word === 'string') : text.split(/\s+/)
}

/** A search result. `fields` are the matching fields that the world reports, or undefined if it reports none. */
function Hit({ entity, matched, fields }: { entity: Entity; matched: readonly string[]; fields: unknown }) {
  const { profile } = useOpenWorld()
  const title = nameOf(entity)
  const summary = typeof entity.summary === 'string' ? entity.summary : ''
  const { schema } = typeIn(profile, entity.type)
  const also = hasMark(`${title} ${summary}`, matched)
    ? undefined
    : Array.isArray(fields)
      ? textField(entity, schema, fields)
      : matchingField(entity.attributes, schema, matched)
  return (
    <li class="hit" data-result="">
      <Thumb entity={entity} />
      <h2>
        <EntityLink entity={entity} most={240} matched={matched} isMain />
        {entity.type !== '' && <TypeMark type={typeIn(profile, entity.type)} />}
      </h2>
      <CompareButton entity={entity} />
      <p class={summary === '' ? 'clamp soft' : 'clamp'}>
        {summary === '' ? (
          <KeyValues entity={entity} matched={matched} />
        ) : (
          <ShortText text={excerpt(summary, matched)} matched={matched} most={320} />
        )}
      </p>
      {also !== undefined && (
        <p class="soft also">
          {words.value.search.also} <Text text={also.label} />:{' '}
          <ShortText text={excerpt(also.text, matched)} matched={matched} most={120} />
        </p>
      )}
    </li>
  )
}

function Nothing({ answer: { route, counts } }: { answer: Answer }) {
  const { search } = words.value
  const elsewhere = Object.values(counts).reduce((sum, one) => sum + one, 0)
  return (
    <div class="nothing">
      {route.text !== '' && <p>{search.noneHint}</p>}
      {route.types.length > 0 && elsewhere > 0 && (
        <p>
          <Text text={search.noneFiltered(counted(elsewhere))} />{' '}
          <button type="button" class="link" onClick={() => navigate({ ...route, types: [] })}>
            {search.reset}
          </button>
        </p>
      )}
    </div>
  )
}

function More({ answer: { output, route }, total }: { answer: Answer; total: number }) {
  const { search } = words.value
  const shown = output.entities.length
  const wanted = wantedBy(route)
  // There is no cursor, and the world returned fewer than requested, so there are no further results.
  const isAll = shown < wanted || (typeof output.limit === 'number' && output.limit < wanted)
  const isMost = wanted === MOST || (output.nextCursor === undefined && isAll)
  return (
    <div class="more">
      <p class="soft">{search.showing(counted(shown), counted(total))}</p>
      {isMost ? (
        <p class="soft">{search.most(counted(shown))}</p>
      ) : (
        <button
          type="button"
          class="button"
          onClick={() => navigate({ ...route, limit: wanted + (wanted < 100 ? STEP : 2 * STEP) }, 'replace')}
        >
          {search.more}
        </button>
      )}
    </div>
  )
}

/** Moves the focus between results on arrow keys, Home and End. Escape moves the focus back to the search box. */
function onResultKey(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return
  const all = [...document.querySelectorAll<HTMLElement>('[data-result] a[data-main]')]
  const at = all.indexOf(event.target)
  const box = document.getElementById('search')
  if (event.key === 'Escape') box?.focus()
  else if (at < 0) return
  else if (event.key === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (at === 0 ? box : all[at - 1])?.focus()
  else if (event.key === 'Home') all[0]?.focus()
  else if (event.key === 'End') all.at(-1)?.focus()
  else return
  event.preventDefault()
}
