/** What the tests of one file can change for those of the next, where files share a process. */

/** An accessor: Node puts many globals in place when they are first read. */
const ACCESSOR = Symbol('accessor')

const HOLDERS: Readonly<Record<string, object>> = {
  globalThis,
  process,
  console,
  Math,
  Date,
  'process.stdout': process.stdout,
  'process.stderr': process.stderr,
  'Object.prototype': Object.prototype,
  'Array.prototype': Array.prototype,
}

/** What keeps a process alive, and does not concern the tests, as Node names it. */
const RESOURCES = ['Timeout', 'TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap', 'MessagePort']

/** Each thing that can be changed, by its name, as it is now: the folder, the environment, functions, handlers, what still runs. */
export type ProcessState = ReadonlyMap<string, unknown>

/** The state of this process. */
export function processState(): ProcessState {
  const state = new Map<string, unknown>([
    ['process.cwd()', process.cwd()],
    ['process.exitCode', process.exitCode],
  ])
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value)
  for (const [holder, object] of Object.entries(HOLDERS))
    for (const [name, { value = ACCESSOR }] of Object.entries(Object.getOwnPropertyDescriptors(object)))
      if (object === globalThis || typeof value === 'function') state.set(`${holder}.${name}`, value)
  for (const event of process.eventNames())
    state.set(`handlers of ${String(event)}`, process.listenerCount(event))
  for (const resource of process.getActiveResourcesInfo())
    if (RESOURCES.includes(resource)) {
      const name = `running: ${resource}`
      state.set(name, Number(state.get(name) ?? 0) + 1)
    }
  return state
}

/** The names of what differs between two states, in no order; what an accessor became is none of it. */
export function changedNames(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter(
    (name) => before.get(name) !== ACCESSOR && !Object.is(before.get(name), after.get(name)),
  )
}
