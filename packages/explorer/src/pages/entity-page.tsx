/** One entity: what it is called, what is known of it, where it is, and how to read it oneself. */
import type { Entity, JsonValue } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'
import { useEffect } from 'preact/hooks'
import { Neighbours, Referrers } from '../ask/parts.ts'
import { nameOf } from '../data/entity-name.ts'
import { presentFields } from '../data/fields.ts'
import { pictureIn } from '../data/pictures.ts'
import { placeOf } from '../data/values.ts'
import type { Route } from '../navigation/route.ts'
import { locale } from '../navigation/settings.ts'
import { FailureView } from '../parts/failure-view.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { To } from '../parts/link.tsx'
import { NewsButton } from '../parts/news-button.tsx'
import { Photo } from '../parts/photo.tsx'
import { SnippetTabs } from '../parts/snippet-tabs.tsx'
import { Safe, ShortText, Text } from '../parts/text.tsx'
import { TypeMark } from '../parts/type-mark.tsx'
import { useNews } from '../parts/use-news.ts'
import { useRemote } from '../parts/use-remote.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { timeText } from '../text/numbers.ts'
import { words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { typeIn } from '../world/world-profile.ts'
import { Attributes } from './attributes.tsx'
import { GraphSection } from './graph-section.tsx'
import { PlaceFigure } from './place-figure.tsx'

type EntityRoute = Extract<Route, { page: 'entity' }>

const entities = createMemory<Entity>(200)

/** The page of an entity. */
export function EntityPage({ route, onTitle }: { route: EntityRoute; onTitle: (title: string) => void }) {
  const { world, profile, titles } = useOpenWorld()
  const key = `${world.origin} ${route.type} ${route.id}`
  const read = useRemote(key, (signal) => world.get(route.type, route.id, { signal }), { memory: entities })
  const { news, forget } = useNews(world, route.type, route.id)
  const entity = read.value

  useEffect(() => {
    if (entity === undefined) return
    titles.note({ ...entity, type: route.type, id: route.id })
    onTitle(nameOf({ ...entity, id: route.id }))
  }, [entity])

  if (read.failure !== undefined) {
    return <FailureView failure={read.failure} origin={world.origin} onRetry={read.retry} />
  }
  if (entity === undefined) {
    return (
      <div class="page">
        <Waiting host={profile.host} heading={route.id} onStop={read.isBusy ? read.stop : () => {}} />
      </div>
    )
  }
  function showNews() {
    forget()
    read.retry()
  }
  return <Known entity={entity} route={route} onNews={news.size > 0 ? showNews : undefined} />
}

interface KnownProps {
  readonly entity: Entity
  readonly route: EntityRoute
  /** Reads the entity again; absent while it is as it was. */
  readonly onNews: (() => void) | undefined
}

function Known({ entity, route, onNews }: KnownProps) {
  const { world, profile } = useOpenWorld()
  const { entity: w } = words.value
  const type = typeIn(profile, route.type)
  const place = placeOf(entity.attributes)
  const fields = presentFields(entity.attributes, type.schema)
  const hero = pictureIn(fields, profile.origins)
  // What stands above as the picture or the summary is not said again.
  const others = fields.filter(([field, value]) => field !== hero?.field && value !== entity.summary)
  const isAsked = answersQuestions(profile)
  const hasAside = isAsked || place !== undefined || hero !== undefined
  return (
    <article class="page entity">
      <header>
        <p class="over">
          <To route={{ page: 'list', origin: world.origin, type: route.type }}>
            <TypeMark type={type} />
          </To>
        </p>
        <h1 class="display arrival" tabIndex={-1}>
          <Text text={nameOf({ ...entity, id: route.id })} most={200} />
        </h1>
        <NewsButton label={onNews ? w.changed : ''} onPress={() => onNews?.()} />
        {typeof entity.summary === 'string' && entity.summary !== '' && (
          <p class="lead">
            <Text text={entity.summary} />
          </p>
        )}
      </header>
      <div class={hasAside ? 'columns' : 'columns one'}>
        <Attributes fields={others} />
        {hasAside && (
          <div class="aside">
            {hero !== undefined && <Photo picture={hero.picture} label={hero.field.label} />}
            {place !== undefined && (
              <section aria-label={w.map}>
                <PlaceFigure entity={{ ...entity, type: route.type, id: route.id }} place={place} />
              </section>
            )}
            {isAsked && (
              <>
                <Referrers to={{ type: route.type, id: route.id }} />
                <Neighbours type={route.type} id={route.id} />
              </>
            )}
          </div>
        )}
      </div>
      <GraphSection entity={{ ...entity, type: route.type, id: route.id }} />
      <section>
        <h2>{w.use}</h2>
        <SnippetTabs read={{ kind: 'entity', type: route.type, id: route.id }} label={w.use} />
      </section>
      <details class="raw">
        <summary>
          <h2>{w.raw}</h2>
        </summary>
        <JsonTree
          value={(interpretationOf(entity) ? interpretationOf(entity)?.body : entity) as JsonValue}
          what={w.raw}
        />
      </details>
      <Meta entity={entity} route={route} />
    </article>
  )
}

function Meta({ entity, route }: { entity: Entity; route: EntityRoute }) {
  const { entity: w } = words.value
  const rows: [string, unknown][] = [
    [w.id, route.id],
    [w.created, entity.createdAt],
    [w.updated, entity.updatedAt],
    [w.revision, entity.revision],
  ]
  return (
    <dl class="meta-list">
      {rows.map(
        ([label, value]) =>
          typeof value === 'string' && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {timeText(value, locale.value) ??
                  (label === w.id ? <Text text={value} most={200} /> : <ShortText text={value} most={80} />)}
              </dd>
            </div>
          ),
      )}
      <div>
        <dt>{words.value.about.type}</dt>
        <dd>
          <Safe text={route.type} />
        </dd>
      </div>
    </dl>
  )
}
