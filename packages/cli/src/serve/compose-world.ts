/** From a definition, a store and settings to the handler that answers. */
import {
  type Action,
  createWorld,
  type LogEvent,
  type Observation,
  type Route,
  type Storage,
  type WorldHandler,
} from '@worldwright/server'
import { ActionFileFault, loadActions } from '@worldwright/server/actions'
import { createChangesApi } from '@worldwright/server/changes'
import { createOperatorApi } from '@worldwright/server/operator'
import { declaredTypes, effectiveTypes, type WorldDefinition } from '@worldwright/server/publish'
import {
  createReplicaHandler,
  followedTypes,
  ownerRoutes,
  type ReplicaStatus,
} from '@worldwright/server/replica'
import type { Settings } from '../open/settings.ts'
import { UsageFault } from '../terminal/io.ts'
import { visible } from '../terminal/visible.ts'

/** What is served: plain data, so that it can be sent to another process. */
export interface Served {
  /** The world's id. */
  readonly id: string
  readonly definition: WorldDefinition
  readonly settings: Settings
  /** The modules of its actions, absolute. */
  readonly actionFiles?: readonly string[]
  /** The origin of the owner, where this is a copy of another world. */
  readonly owner?: string
}

/** A world that can be served, with the handler that proves it. */
export interface ValidatedWorld extends Served {
  readonly handler: WorldHandler
}

/** What a served world depends on. */
export interface WorldDeps {
  readonly storage: Storage
  /** Routes of others, such as the explorer's. */
  readonly routes: readonly Route[]
  /** Takes what an operator should see, in lines. */
  readonly log: (text: string) => void
  readonly observe?: (seen: Observation) => void
  /** How the copy stands, where this is one. */
  readonly status?: () => ReplicaStatus
}

/** Runs the modules of a world's actions, and makes the handler. @throws as `composeWorld`, UsageFault for a module */
export async function composeWithActions(served: Served, deps: WorldDeps): Promise<WorldHandler> {
  const { actionFiles = [] } = served
  try {
    return composeWorld(served, deps, await loadActions(actionFiles))
  } catch (error) {
    if (error instanceof ActionFileFault) throw new UsageFault(error.message)
    throw error
  }
}

/** Makes the handler. @throws UsageFault for settings that cannot work */
export function composeWorld(
  { id, definition, settings, owner }: Served,
  deps: WorldDeps,
  actions: readonly Action[] = [],
): WorldHandler {
  const { name, description, types } = definition
  const { publicUrl, apiUrl, trustProxy, retiredApiPaths } = settings
  const { storage, routes, log, observe, status } = deps
  const world = {
    id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    types: () => (owner === undefined ? effectiveTypes(definition, storage) : followedTypes(types, storage)),
  }
  const operator = createOperatorApi(world, storage, { types, actions })
  const changes = createChangesApi(world, storage, settings.private ? { admit: operator.admit } : {})
  try {
    const handler = createWorld(world, storage, {
      ...(publicUrl !== undefined && { publicUrl }),
      ...(apiUrl !== undefined && { apiUrl }),
      trustProxy,
      retiredApiPaths,
      actions,
      admitCall: operator.admitCall,
      routes: (apiPath) => [
        ...routes,
        ...(settings.changes ? changes.routes(apiPath) : []),
        ...(owner === undefined ? [] : ownerRoutes(operator.routes, owner)),
        ...(settings.operator ? operator.routes : []),
      ],
      extensions: async () => ({
        ...(settings.changes && (await changes.extensions())),
        ...(settings.operator && (await operator.extensions())),
      }),
      ...(settings.private && {
        authentication: { required: true, schemes: ['bearer'] },
        admit: operator.admit,
        // Discovery is for everybody, and what the data hold is not.
        listedTypes: owner === undefined ? declaredTypes(definition) : types,
      }),
      ...(observe && { observe }),
      log: (event) => log(logText(event)),
    })
    return status ? createReplicaHandler(handler, status) : handler
  } catch (error) {
    // An option that cannot work; its message names it.
    if (error instanceof TypeError) throw new UsageFault(error.message)
    throw error
  }
}

function logText({ event, method, target, requestId, error }: LogEvent): string {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${event}: ${visible(`${method} ${target}`)} (request ${requestId})\n${why}`
}
