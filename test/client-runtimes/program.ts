/** Client calls that must work in every runtime and give the same results. */
import { connect, isWorldError } from '@worldwright/client'
import { discover, restore } from '@worldwright/client/functions'

/** Results that the program reports to its test. */
export interface Report {
  id: string
  title: string | undefined
  moons: number
  found: boolean
  codes: string[]
  again: string | undefined
}

/** Reads the demo world at `origin`. */
export async function read(origin: string): Promise<Report> {
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error) => (isWorldError(error) ? error.code : `alien: ${error}`),
    )
  const world = await connect(origin, { retries: 0 })
  let moons = 0
  for await (const _ of world.entities('sol:moon', { pageSize: 7 })) moons += 1
  const { entities } = await world.discover({ types: ['sol:moon'], text: 'ocean', limit: 5 })
  const stored = await restore(structuredClone(world))
  return {
    id: world.id ?? '',
    title: (await world.get('sol:moon', 'europa')).title,
    moons,
    found: entities.length > 0,
    codes: [
      await code(world.get('sol:moon', 'no-such-moon')),
      await code(world.get('sol:moon', '..')),
      await code(world.get('sol:moon', 'europa', { signal: AbortSignal.abort() })),
      await code(world.list('sol:moon', { cursor: 'made-up' })),
      await code(connect(`${origin}/path`)),
      await code(connect('http://127.0.0.1:9', { retries: 0 })),
      await code(connect(origin, { expectWorldId: 'urn:other' })),
      await code(connect(origin, { allow: () => false })),
    ],
    again: (await discover(stored, { text: 'europa', limit: 1 })).entities[0]?.type,
  }
}
