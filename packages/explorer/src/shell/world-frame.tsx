/** Frame for the pages of a world. It opens the world and shows its name and the search box. */
import type { World } from '@worldwright/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useMemo } from 'preact/hooks'
import { Desk } from '../desk/parts.tsx'
import type { Route } from '../navigation/route.ts'
import { hrefOf } from '../navigation/route.ts'
import { noteWorld } from '../navigation/settings.ts'
import { EntityPage } from '../pages/entity-page.tsx'
import { HomePage } from '../pages/home-page.tsx'
import { ListPage } from '../pages/list-page.tsx'
import { SearchPage } from '../pages/search-page.tsx'
import { TokenPage } from '../pages/token-page.tsx'
import { FailureView } from '../parts/failure-view.tsx'
import { needed } from '../parts/loaded.tsx'
import { type Remote, useRemote } from '../parts/use-remote.ts'
import { Waiting } from '../parts/waiting.tsx'
import { type OpenWorld, openWorldOf, useOpenWorld, WorldContext } from '../parts/world-context.ts'
import { words } from '../words/words.ts'
import { failureFrom } from '../world/failure.ts'
import { tokenFor } from '../world/tokens.ts'
import { hostOf, profileOf, typeIn } from '../world/world-profile.ts'
import { namesOf, openedWorlds, openWorld } from '../world/worlds.ts'
import { useArrival } from './arrival.ts'
import { Framed } from './top-bar.tsx'

const AboutPage = needed(async () => (await import('../pages/about-page.tsx')).AboutPage)
const Comparison = needed(async () => (await import('../desk/comparison-page.tsx')).ComparisonPage)
const ChangesPage = needed(async () => (await import('../desk/changes-page.tsx')).ChangesPage)
const ActionPage = needed(async () => (await import('../pages/action-page.tsx')).ActionPage)

/** A route within a world. */
export type WorldRoute = Exclude<Route, { page: 'start' | 'open' | 'lost' }>

/** Opens the world of a route and shows its page. */
export function WorldFrame({ route }: { route: WorldRoute }) {
  const { origin } = route
  const connected = useRemote(origin, () => openWorld(origin), { memory: openedWorlds, isDocument: true })
  const world = connected.value
  const open = useMemo(() => world && openWorldOf(world, profileOf(world, namesOf(origin))), [world])

  useEffect(() => {
    if (open !== undefined) noteWorld({ origin, name: open.profile.name })
  }, [open])

  if (open === undefined) return <Framed>{unopened(connected, origin)}</Framed>
  return (
    <WorldContext.Provider value={open}>
      <Framed profile={open.profile}>
        <Guarded href={hrefOf(route)}>
          <Page route={route} />
        </Guarded>
      </Framed>
      <Desk origin={origin} />
    </WorldContext.Provider>
  )
}

/** Content until the world is open: a failure or a waiting indicator. */
function unopened(read: Remote<World>, origin: string) {
  const { failure, retry } = read
  if (failure !== undefined)
    return <FailureView failure={failure} {...(failure.cause === 'insecure' && { origin })} onRetry={retry} />
  return (
    <div class="page">
      <Waiting host={hostOf(origin)} heading={hostOf(origin)} read={read} />
    </div>
  )
}

/** Error boundary. An error caused by unexpected data is shown as a failure of the page, and the rest keeps working. */
function Guarded({ href, children }: { href: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary()

  useEffect(() => {
    if (error !== undefined) reset()
  }, [href])

  if (error === undefined) return <>{children}</>
  return <FailureView failure={failureFrom(error)} onRetry={() => reset()} />
}

/** The page of a route. Its `key` prevents pages about different things from sharing state. */
function Page({ route }: { route: WorldRoute }) {
  const { profile } = useOpenWorld()
  const setTitle = useArrival(route, titleOf(route, profile))
  // Without a token, only the discovery document can be read.
  if (profile.needsToken && tokenFor(profile.origin) === undefined && route.page !== 'about')
    return <TokenPage origin={profile.origin} />
  switch (route.page) {
    case 'home':
      return <HomePage />
    case 'about':
      return <AboutPage />
    case 'search':
      return <SearchPage route={route} />
    case 'list':
      return <ListPage key={route.type} route={route} />
    case 'entity':
      return <EntityPage key={`${route.type} ${route.id}`} route={route} onTitle={setTitle} />
    case 'compare':
      return <Comparison route={route} onTitle={setTitle} />
    case 'changes':
      return <ChangesPage key={route.type} route={route} />
    case 'action':
      return <ActionPage key={route.name} route={route} />
  }
}

function titleOf(route: WorldRoute, profile: OpenWorld['profile']): string {
  const { home, search, about, action } = words.value
  switch (route.page) {
    case 'home':
    case 'compare':
      return profile.name
    case 'about':
      return `${about.title}: ${profile.name}`
    case 'changes':
      return `${home.changes}: ${profile.name}`
    case 'search':
      return `${route.text === '' ? search.title : route.text}: ${profile.name}`
    case 'list':
      return `${typeIn(profile, route.type).title}: ${profile.name}`
    case 'entity':
      return `${route.id}: ${profile.name}`
    case 'action':
      return `${action.title} ${route.name}: ${profile.name}`
  }
}
