/** Home page of a world: its name, its types with counts, and links to a few entities of each type. */
import type { Entity, EntityList, EntityRef, World } from '@worldwright/client'
import { VIEW_PATH, VIEW_TYPE } from '@worldwright/extensions/views'
import { TypePicture } from '../ask/parts.ts'
import { pinned } from '../desk/kept-lists.ts'
import { Pins } from '../desk/parts.tsx'
import { navigate } from '../navigation/navigation.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { To } from '../parts/link.tsx'
import { Reference } from '../parts/reference.tsx'
import { Paragraph, ShortText } from '../parts/text.tsx'
import { TypeTitle } from '../parts/type-mark.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useSeen } from '../parts/use-seen.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions, askablesOf } from '../question/askable.ts'
import { anyEntity, completeOf, notableOf } from '../question/notable.ts'
import { countsFrom } from '../question/question.ts'
import { count, counted, words } from '../words/words.ts'
import { discover } from '../world/discover.ts'
import { downloadsUrl } from '../world/downloads.ts'
import { createLimiter } from '../world/limiter.ts'
import { createMemory } from '../world/memory.ts'
import { tellsNews } from '../world/news.ts'
import { isOwnMachine, sharedTitles, type TypeProfile, type WorldProfile } from '../world/world-profile.ts'
import { DownloadMenu } from './download-menu.tsx'
import { OpenBox, RecentWorlds } from './open-box.tsx'

/** Number of entities named on each card. */
const EXAMPLES = 4

/** Number of pictures per card in a world with one, two or three types. With more types, each card has one picture. */
const PICTURES = [6, 3, 2]

/** Limits concurrent requests for the cards, so that they do not delay the user's next action. */
const limit = createLimiter(3)

const glimpses = createMemory<Awaited<ReturnType<typeof glimpseOf>>>(200)
const completes = createMemory<readonly Entity[]>(200)
const overviews = createMemory<Overview>(20)

/** Number of entities of each type, and references to the most referenced ones, if the world supports queries. */
interface Overview {
  readonly counts: Readonly<Record<string, number>>
  readonly notable?: ReadonlyMap<string, readonly EntityRef[]>
}

/** Home page of the open world. */
export function HomePage() {
  const { world, profile } = useOpenWorld()
  const { home } = words.value
  const found = useRemote(world.origin, (signal) => overviewOf(world, profile, signal), { memory: overviews })
  const { counts = {}, notable } = found.value ?? {}
  const numbers = Object.values(counts)
  const total = numbers.length > 0 ? numbers.reduce((sum, one) => sum + one, 0) : undefined
  const listUrl = downloadsUrl(profile)
  const shared = sharedTitles(profile.types)
  const isPublished = profile.stories.some(({ href }) => href.startsWith(`${world.origin}/.${VIEW_PATH}`))
  // Published views are cards themselves, so their type has only a link.
  const published = isPublished && profile.types.find(({ type }) => type === VIEW_TYPE)
  const types = profile.types.filter((type) => type !== published)
  return (
    <div class="page home">
      <header class="hero">
        {profile.pictures.map((one) => (
          <img key={one.src} {...one} alt="" />
        ))}
        <h1 class="display arrival" tabIndex={-1}>
          <ShortText text={profile.name} most={120} />
        </h1>
        <Paragraph class="lead" text={profile.description} most={500} />
        <div class="soft meta">
          {profile.name !== profile.host && !isOwnMachine(profile.host) && (
            <span class="code">{profile.host}</span>
          )}
          {total !== undefined && <span>{home.entities(counted(total))}</span>}
          {found.isBusy && total === undefined && <Room text={home.entities(counted(1_000))} />}
          {profile.types.length > 0 && <span>{home.types(counted(profile.types.length))}</span>}
          <To route={{ page: 'search', origin: world.origin, text: '', types: [] }}>{home.searchAll}</To>
          {tellsNews(world) && <To route={{ page: 'changes', origin: world.origin }}>{home.changes}</To>}
          {answersQuestions(profile) && profile.types.length > 0 && <SurpriseButton />}
          {published && (
            <To route={{ page: 'list', origin: world.origin, type: VIEW_TYPE }}>{published.title}</To>
          )}
          {listUrl !== undefined && <DownloadMenu listUrl={listUrl} />}
        </div>
      </header>
      {found.failure?.cause === 'needsToken' && <PartFailure of={found} />}
      <section>
        <h2 class="hidden">{home.typesTitle}</h2>
        {profile.types.length === 0 && (
          <p>
            {profile.knowsTypes ? home.noTypes : home.unknownTypes}{' '}
            <To route={{ page: 'about', origin: world.origin }}>{words.value.about.title}</To>
          </p>
        )}
        <ul class={`cards ${types.length === 1 ? 'only' : ''}`}>
          {types.map((type) => (
            <TypeCard
              key={type.type}
              type={type}
              isShared={shared.has(type.title)}
              counted={counts[type.type]}
              notable={notable && (notable.get(type.type) ?? [])}
              isBusy={found.isBusy && found.value === undefined}
              pictures={PICTURES[types.length - 1] ?? 1}
            />
          ))}
        </ul>
      </section>
      {pinned.of(world.origin) && <Pins />}
      {profile.stories.length > 0 && (
        <ul class="cards">
          {profile.stories.map((story) => (
            <li key={story.href} class="card">
              <h3>
                <a href={story.href}>
                  <ShortText text={story.title} most={80} />
                </a>
              </h3>
              {story.description !== undefined && (
                <p class="soft clamp">
                  <ShortText text={story.description} most={220} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <section class="elsewhere">
        <h2>{words.value.app.openOther}</h2>
        <OpenBox />
        <RecentWorlds except={world.origin} />
      </section>
    </div>
  )
}

/** Empty room of the width of a text that is not known yet, so that nothing moves when it arrives. */
function Room({ text }: { text: string }) {
  return (
    <span class="room" aria-hidden="true">
      {text}
    </span>
  )
}

function SurpriseButton() {
  const { world, profile } = useOpenWorld()
  const { home } = words.value

  async function surprise() {
    const type = profile.types[Math.floor(Math.random() * profile.types.length)]
    if (type === undefined) return
    // If the request fails or there is no entity, the button does nothing.
    const found = await anyEntity(world, type.type, Math.random, AbortSignal.timeout(10_000)).catch(
      () => undefined,
    )
    if (found !== undefined) navigate({ page: 'entity', origin: world.origin, ...found })
  }

  return (
    <button type="button" class="link" onClick={surprise}>
      {home.surprise}
    </button>
  )
}

function TypeCard(props: {
  type: TypeProfile
  isShared: boolean
  counted: number | undefined
  /** Most referenced entities of the type. Undefined until they are known, and in a world without queries. */
  notable: readonly EntityRef[] | undefined
  /** True until the counts and the most referenced entities are known. */
  isBusy: boolean
  pictures: number
}) {
  const { type, isShared, counted, notable, isBusy, pictures } = props
  const { world, profile, titles } = useOpenWorld()
  const { home } = words.value
  const [place, isSeen] = useSeen()
  const key = `${world.origin} ${type.type}`
  const named = (notable ?? []).slice(0, EXAMPLES)
  // If no entity refers to this type, the most complete entities are shown instead.
  const complete = useRemote(
    isSeen && notable?.length === 0 ? key : undefined,
    (signal) => completeOf(world, profile, type, EXAMPLES, signal),
    { memory: completes },
  )
  const number = named.length + (complete.value?.length ?? 0)
  const isShort = counted === undefined || number < Math.min(EXAMPLES, counted)
  const glimpse = useRemote(
    isSeen && !isBusy && !complete.isBusy && isShort ? key : undefined,
    (signal) => limit(() => glimpseOf(world, type, signal)),
    { memory: glimpses },
  )
  const others = [...(complete.value ?? []), ...(glimpse.value?.examples ?? [])]
  for (const entity of others) titles.note(entity)
  const total = glimpse.value?.total ?? counted
  const chosen = new Set(named.map(({ id }) => id))
  const more = [...new Map(others.map((entity, at) => [entity.id || at, entity])).values()]
    .filter(({ id }) => !chosen.has(id))
    .slice(0, EXAMPLES - named.length)
  return (
    <li class="card" style={type.style}>
      <h3>
        <To route={{ page: 'list', origin: world.origin, type: type.type }}>
          <TypeTitle type={type} isShared={isShared} most={80} />
        </To>
        {total !== undefined && <span class="count">{count(total)}</span>}
      </h3>
      {type.description !== undefined && (
        <p class="soft clamp">
          <ShortText text={type.description} most={220} />
        </p>
      )}
      <div class={`type-pictures ${askablesOf(profile, type).length > 0 ? 'expected' : ''}`} ref={place}>
        {isSeen && <TypePicture type={type} most={pictures} />}
      </div>
      <p class="examples">
        <span class="hidden">{home.examples}: </span>
        {named.map((to) => (
          <Reference key={to.id} to={to} class="chip" />
        ))}
        {more.map((entity, index) => (
          <EntityLink key={index} entity={entity} most={48} class="chip" />
        ))}
        {total === 0 && <span class="soft">{home.empty}</span>}
      </p>
    </li>
  )
}

/** Returns the number of entities of a type, and a few of them as examples. */
async function glimpseOf(world: World, { type }: TypeProfile, signal: AbortSignal) {
  const pages = world.entities(type, { pageSize: EXAMPLES }, { signal }).pages()
  const page: EntityList | undefined = (await pages[Symbol.asyncIterator]().next()).value
  const entities = (page?.entities ?? []).slice(0, EXAMPLES)
  const total = entities.length === 0 ? 0 : page?.total
  return { total: typeof total === 'number' ? total : undefined, examples: entities }
}

/** Reads counts and notable entities in one question, or only the counts if the world does not support queries. */
async function overviewOf(world: World, profile: WorldProfile, signal: AbortSignal): Promise<Overview> {
  if (answersQuestions(profile)) return notableOf(world, profile, signal)
  return { counts: countsFrom((await discover(world, { limit: 0 }, signal)).counts) }
}
