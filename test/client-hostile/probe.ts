/** Client of the hostile worlds, run as a separate process. Makes one call per message and reports the cost of the call. */
import { connect, isWorldError } from '@worldwright/client'
import { guardedFetch } from '@worldwright/client/guard'

/** A call for the client under test to make. */
export interface Order {
  origin: string
  op: 'connect' | 'get' | 'list' | 'walk' | 'discover' | 'action'
  /** If set, connections to any other port are refused. */
  guardPort?: number
}

/** Outcome and cost of a call. */
export interface Outcome {
  /** Code of the WorldError; `alien` for any other error; `ok` if the call succeeded. */
  code: string
  text: string
  ms: number
  /** Peak resident memory during the call, in bytes, minus the resident memory before the first call of the process. */
  bytes: number
}

/** Timeout of every call, in milliseconds. A call must not take much longer. */
export const TIMEOUT = 1000
/** Secret that must not be sent to any foreign origin. */
export const TOKEN = 't0ken-that-stays-home'

async function act({ origin, op, guardPort }: Order): Promise<unknown> {
  const guard = guardPort && guardedFetch({ allowAddress: (_, port) => port === guardPort })
  const world = await connect(origin, {
    headers: { 'x-key': TOKEN },
    timeout: TIMEOUT,
    attemptTimeout: 400,
    retries: 1,
    // With a token, the rule about tokens would refuse a foreign API before the guard could.
    ...(guard ? { fetch: guard } : { token: TOKEN }),
  })
  if (op === 'get') return world.get('sol:moon', 'europa')
  if (op === 'list') return world.list('sol:moon')
  if (op === 'walk') return world.entities('sol:moon').toArray({ max: 100_000 })
  if (op === 'discover') return world.discover({ text: 'ice' })
  if (op === 'action') return world.action('sol:count', {})
  return world
}

let before: number | undefined

async function measured(order: Order): Promise<Outcome> {
  globalThis.gc?.()
  before ??= process.memoryUsage.rss()
  let most = process.memoryUsage.rss()
  const sample = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(sample, 2)
  const begun = performance.now()
  const said = await act(order).then(
    () => ({ code: 'ok', text: '' }),
    (error) => ({
      code: isWorldError(error) ? error.code : 'alien',
      text: `${error?.stack}${JSON.stringify(error)?.slice(0, 2000)}`,
    }),
  )
  const ms = performance.now() - begun
  sample()
  clearInterval(timer)
  return { ...said, ms, bytes: most - before }
}

// Warm up: the runtime loads code for its first fetch, and that must not count towards the cost of a call.
await fetch('data:,')

process.on('message', (order: Order) => {
  measured(order).then((outcome) => process.send?.(outcome))
})
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error) => process.send?.({ code: `loose: ${error}`, text: '', ms: 0, bytes: 0 }))
}
