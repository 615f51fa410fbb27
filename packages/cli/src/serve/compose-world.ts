/** From a definition, a store and settings to the handler that answers. */
import {
  admitReaders,
  createOperatorApi,
  createWorld,
  effectiveTypes,
  type LogEvent,
  markPrivate,
  type Route,
  type Storage,
  type WorldDefinition,
  type WorldHandler,
} from '@worldwright/server'
import type { Settings } from '../open/settings.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/** Makes the handler. `routes` are those of others, such as the explorer's. @throws UsageFault for settings that cannot work */
export function composeWorld(
  id: string,
  definition: WorldDefinition,
  storage: Storage,
  settings: Settings,
  routes: readonly Route[],
  io: Io,
): WorldHandler {
  const { name, description, types } = definition
  const { publicUrl, apiUrl, trustProxy, retiredApiPaths } = settings
  const world = {
    id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    types: () => effectiveTypes(definition, storage),
  }
  const operator = createOperatorApi(world, storage, { types })
  const isOpen = new Set(routes.map(({ path }) => path))
  const admit = admitReaders(operator.authorise)
  const log = ({ event, method, target, requestId, error }: LogEvent) => {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say(io, `${event}: ${visible(`${method} ${target}`)} (request ${requestId})\n${why}`)
  }
  try {
    const handler = createWorld(world, storage, {
      ...(publicUrl !== undefined && { publicUrl }),
      ...(apiUrl !== undefined && { apiUrl }),
      trustProxy,
      retiredApiPaths,
      routes: [...routes, ...(settings.operator ? operator.routes : [])],
      ...(settings.operator && { extensions: operator.extensions }),
      ...(settings.private && {
        authentication: { required: true, schemes: ['bearer'] },
        // The page that reads worlds holds none of their data.
        admit: (request, path) => (isOpen.has(path) ? undefined : admit(request, path)),
      }),
      log,
    })
    return markPrivate(handler)
  } catch (error) {
    // An option that cannot work; its message names it.
    if (error instanceof TypeError) throw new UsageFault(error.message)
    throw error
  }
}
