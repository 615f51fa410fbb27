/** Root component, which shows the page of the current route. */
import { useEffect, useState } from 'preact/hooks'
import { navigate, route } from '../navigation/navigation.ts'
import type { RouteTo } from '../navigation/route.ts'
import { LostPage } from '../pages/lost-page.tsx'
import { StartPage } from '../pages/open-box.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { words } from '../words/words.ts'
import { entrances } from '../world/memory.ts'
import { proxiedWorld } from '../world/proxy.ts'
import { isServedByWorld } from '../world/worlds.ts'
import { useArrival } from './arrival.ts'
import { Framed } from './top-bar.tsx'
import { WorldFrame } from './world-frame.tsx'

/** The whole page. Without a route in the address, it shows the world that serves it or that it was started for, if any. */
export function App() {
  const at = route.value
  if (at.page === 'start') return <Start />
  if (at.page === 'open') return <Outside route={at} />
  if (at.page === 'lost') return <Outside route={at} />
  return <WorldFrame key={`${at.origin} ${entrances.value}`} route={at} />
}

function Start() {
  const [isAsking, setAsking] = useState(() => proxiedWorld === undefined && mayBeAWorld())

  useEffect(() => {
    if (proxiedWorld !== undefined) navigate({ page: 'home', origin: proxiedWorld.origin }, 'replace')
  }, [])

  useEffect(() => {
    if (!isAsking) return
    let isWanted = true
    isServedByWorld(location.origin).then((isWorld) => {
      if (!isWanted) return
      if (isWorld) navigate({ page: 'home', origin: location.origin }, 'replace')
      else setAsking(false)
    })
    return () => {
      isWanted = false
    }
  }, [isAsking])

  if (!isAsking) return <Outside route={{ page: 'open' }} />
  return (
    <Framed class="page">
      <Waiting host={location.host} heading={location.host} />
    </Framed>
  )
}

/** Reports whether this page could have been served by a world. Worlds serve it only at their root. */
function mayBeAWorld(): boolean {
  return /^https?:$/.test(location.protocol) && /^\/(?:index\.html)?$/.test(location.pathname)
}

function Outside({ route: at }: { route: RouteTo<'open' | 'lost'> }) {
  const { start, lost } = words.value
  useArrival(at, at.page === 'open' ? start.title : lost.title)
  return <Framed>{at.page === 'open' ? <StartPage text={at.text} /> : <LostPage />}</Framed>
}
