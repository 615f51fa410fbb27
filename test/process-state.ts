/** State that the tests of one file can change for those of the next, if files share a process. */

/** Marks an accessor: Node.js defines many globals lazily, on first read. */
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

/** Resources that keep a process alive and that tests must release, as Node.js names them. */
const RESOURCES = ['Timeout', 'TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap', 'MessagePort']

/** Snapshot of the mutable state, by name: working directory, environment, functions, handlers, active resources. */
export type ProcessState = ReadonlyMap<string, unknown>

/** Returns the state of this process. */
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

/** Returns the names that differ between two states, in no order, except those that were accessors. */
export function changedNames(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter(
    (name) => before.get(name) !== ACCESSOR && !Object.is(before.get(name), after.get(name)),
  )
}
