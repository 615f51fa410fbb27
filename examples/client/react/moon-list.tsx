/** Component that lists the moons of a planet, inside a `QueryClientProvider` of TanStack Query. */
import { isWorldError, type WorldOptions } from '@worldwright/client'
import { Component, type ReactNode, Suspense } from 'react'
import { useEntity, useQuery, useWorld } from './use-world.ts'

/** The world and the planet whose moons are listed. */
export interface MoonListProps {
  readonly origin: string
  readonly planet: string
  readonly options?: WorldOptions
}

/** Renders the moons of a planet, or the error that the world answered. */
export function MoonList(props: MoonListProps) {
  return (
    <Failing>
      <Suspense fallback={<p>Loading…</p>}>
        <Moons {...props} />
      </Suspense>
    </Failing>
  )
}

function Moons({ origin, planet: id, options }: MoonListProps) {
  const world = useWorld(origin, options)
  const planet = useEntity(world, 'sol:planet', id)
  const orbits = { op: '=', args: [{ property: 'orbits' }, { type: 'sol:planet', id }] }
  const { entities, total } = useQuery(world, { types: ['sol:moon'], where: orbits, limit: 10 })
  return (
    <section>
      <h1>{`${planet.title ?? id}: ${total} moons`}</h1>
      <ul>
        {entities.map(({ id, title }) => (
          <li key={id}>{title ?? id}</li>
        ))}
      </ul>
    </section>
  )
}

/** Error boundary that shows the message of a `WorldError`. Rethrows any other error. */
class Failing extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!isWorldError(error)) throw error
    return <p role="alert">{error.message}</p>
  }
}
