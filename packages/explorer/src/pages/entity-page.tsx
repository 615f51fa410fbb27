/** Page of an entity: name, attributes, location, and snippets that read the entity. */
import type { Entity, JsonValue } from '@worldwright/client'
import { jsonOf, parseExact } from '@worldwright/client/exact'
import { guessesOf } from '@worldwright/client/foreign'
import { placeOf, presentFields, textMember } from '@worldwright/extensions/shown'
import { useEffect, useMemo } from 'preact/hooks'
import { Neighbours, Referrers } from '../ask/parts.ts'
import { receivedOf } from '../copy/rows.ts'
import { nameOf, titleAttributeOf } from '../data/entity-name.ts'
import { CompareButton } from '../desk/parts.tsx'
import { EntityEditing } from '../edit/tools.tsx'
import { originTyped, type RouteTo } from '../navigation/route.ts'
import { Developers } from '../parts/developers.tsx'
import { FactList } from '../parts/fact-list.tsx'
import { FailureView } from '../parts/failure-view.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { To } from '../parts/link.tsx'
import { needed } from '../parts/loaded.tsx'
import { NewsButton, useOutdated } from '../parts/news.tsx'
import { Photo } from '../parts/photo.tsx'
import { Paragraph, Safe, ShortText, Text } from '../parts/text.tsx'
import { TypeMark } from '../parts/type-mark.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { timeWords, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { pictureIn } from '../world/pictures.ts'
import { typeIn } from '../world/world-profile.ts'
import { Attributes } from './attributes.tsx'
import { GraphSection } from './graph-section.tsx'
import { PlaceFigure } from './place-figure.tsx'

const SnippetTabs = needed(async () => (await import('../parts/snippet-tabs.tsx')).SnippetTabs)

const entities = createMemory<Entity>(200)

/** Page of the entity named by the route. */
export function EntityPage(props: { route: RouteTo<'entity'>; onTitle: (title: string) => void }) {
  const { type, id } = props.route
  const { world, profile, titles } = useOpenWorld()
  const key = `${world.origin} ${type} ${id}`
  const read = useRemote(key, (signal) => world.get(type, id, { signal }), { memory: entities })
  // The requested type and id take precedence, since the response may use other member names for them.
  const entity = useMemo(() => read.value && { ...read.value, type, id }, [read.value])
  const isOutdated = useOutdated(world, entity)

  useEffect(() => {
    if (entity === undefined) return
    titles.note(entity)
    props.onTitle(nameOf(entity))
  }, [entity])

  if (read.failure !== undefined)
    return <FailureView failure={read.failure} origin={world.origin} onRetry={read.retry} />
  if (read.value === undefined || entity === undefined)
    return (
      <div class="page">
        <Waiting host={profile.host} heading={id} read={read} />
      </div>
    )
  return <Known entity={entity} received={read.value} isOutdated={isOutdated} onRead={read.retry} />
}

function Known(props: { entity: Entity; received: Entity; isOutdated: boolean; onRead: () => void }) {
  const { entity, received, isOutdated, onRead } = props
  const { world, profile } = useOpenWorld()
  const { entity: w } = words.value
  const type = typeIn(profile, entity.type)
  // Parsed again, so that all numbers have the text that the world sent.
  const raw = useMemo(() => parseExact(jsonOf(receivedOf(received))), [received])
  const place = placeOf(entity.attributes)
  const fields = presentFields(entity.attributes, type.schema)
  const hero = pictureIn(fields, profile.origins)
  const title = titleAttributeOf(received)
  // The picture, the title and the summary are shown above and not repeated here.
  const others = fields.filter(
    ([field, value]) => field !== hero?.field && field.name !== title && value !== entity.summary,
  )
  const isAsked = answersQuestions(profile)
  const isBeside = place !== undefined || hero !== undefined
  return (
    <article class="page entity">
      <header>
        <p class="over">
          <To route={{ page: 'list', origin: world.origin, type: entity.type }}>
            <TypeMark type={type} />
          </To>{' '}
          <CompareButton entity={entity} isLarge />
        </p>
        <h1 class="display arrival" tabIndex={-1}>
          <Text text={nameOf(entity)} most={200} />
        </h1>
        <NewsButton label={isOutdated ? w.changed : ''} onPress={onRead} />
        <Paragraph class="lead" text={textMember(entity, 'summary')} />
        <ListedWorld entity={entity} />
        <EntityEditing {...{ entity, received }} onWritten={onRead} />
      </header>
      <div class={isBeside ? 'columns' : 'columns one'}>
        <Attributes fields={others} />
        {(isAsked || isBeside) && (
          <div class="aside">
            {hero !== undefined && <Photo picture={hero.picture} label={hero.field.label} />}
            {place !== undefined && (
              <section aria-label={w.meanings.place}>
                <PlaceFigure entity={entity} place={place} />
              </section>
            )}
            {isAsked && (
              <>
                <Referrers to={entity} />
                <Neighbours type={entity.type} id={entity.id} />
              </>
            )}
          </div>
        )}
      </div>
      <GraphSection entity={entity} />
      <Developers isOpen={others.length === 0}>
        <h2>{w.use}</h2>
        <SnippetTabs read={{ kind: 'entity', type: entity.type, id: entity.id }} label={w.use} />
        <h2>{w.raw}</h2>
        <JsonTree value={raw as JsonValue} what={w.raw} />
      </Developers>
      <Meta entity={entity} />
    </article>
  )
}

/** Link that opens the world which an entity of a directory of worlds describes. */
function ListedWorld({ entity: { type, attributes } }: { entity: Entity }) {
  const origin = type === 'worldwright:world' ? originTyped(`${attributes['origin']}`) : undefined
  if (origin === undefined) return null
  return (
    <p>
      <To route={{ page: 'home', origin }}>
        {words.value.start.open}: <Safe text={origin} />
      </To>
    </p>
  )
}

function Meta({ entity }: { entity: Entity }) {
  const { entity: w, names } = words.value
  const guesses = guessesOf(useOpenWorld().world).join(', ')
  const rows: [string, unknown][] = [
    [w.id, entity.id],
    [w.created, entity.createdAt],
    [w.updated, entity.updatedAt],
    [w.revision, entity.revision],
  ]
  const facts = rows.flatMap(([label, value]) => {
    if (typeof value !== 'string') return []
    const most = label === w.id ? <Text text={value} most={200} /> : <ShortText text={value} most={80} />
    return [[label, timeWords(value) ?? most] as const]
  })
  return (
    <FactList
      class="meta-list"
      facts={[
        ...facts,
        [words.value.about.type, <Safe text={entity.type} />],
        ...(guesses === '' ? [] : [[names.guessed, <Text text={guesses} />] as const]),
      ]}
    />
  )
}
