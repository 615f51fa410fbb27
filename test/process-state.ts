/** Captures the state by which the tests of one file can affect the next file in the same process. */

/** Stands for the value of an accessor, since Node.js replaces many accessors by values when they are first read. */
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

/** Registries that ArkType and Zod keep once per process. Tests neither read nor change them. */
const REGISTRIES = /^(?:\$ark$|__zod_global)/

/** Names of the resources that keep a process alive and that tests must release. */
const RESOURCES = ['Timeout', 'TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap', 'MessagePort']

/** Mutable state by name: the working directory, the environment, functions, event handlers and active resources. */
export type ProcessState = ReadonlyMap<string, unknown>

/** Captures the current state of this process. */
export function processState(): ProcessState {
  const state = new Map<string, unknown>([
    ['process.cwd()', process.cwd()],
    ['process.exitCode', process.exitCode],
  ])
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value)
  for (const [holder, object] of Object.entries(HOLDERS))
    for (const [name, { value = ACCESSOR }] of Object.entries(Object.getOwnPropertyDescriptors(object)))
      if ((object === globalThis && !REGISTRIES.test(name)) || typeof value === 'function')
        state.set(`${holder}.${name}`, value)
  for (const event of process.eventNames())
    state.set(`handlers of ${String(event)}`, process.listenerCount(event))
  for (const resource of process.getActiveResourcesInfo())
    if (RESOURCES.includes(resource)) {
      const name = `running: ${resource}`
      state.set(name, Number(state.get(name) ?? 0) + 1)
    }
  return state
}

/** Returns the names whose values differ between two states, except those that were accessors before. */
export function changedNames(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter(
    (name) => before.get(name) !== ACCESSOR && !Object.is(before.get(name), after.get(name)),
  )
}
