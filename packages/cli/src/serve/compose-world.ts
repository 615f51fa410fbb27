/** From a definition, a store and settings to the handler that answers. */

import type { WorldDefinition } from '@worldwright/publish'
import { declaredTypes, effectiveTypes, placesOf } from '@worldwright/publish/types'
import {
  type Action,
  createWorld,
  type LogEvent,
  type Observation,
  type Route,
  type Storage,
  type WorldDescription,
  type WorldHandler,
} from '@worldwright/server'
import { ActionFileFault, loadActions } from '@worldwright/server/actions'
import { createAttachmentsApi } from '@worldwright/server/attachments'
import { createChangesApi } from '@worldwright/server/changes'
import { createDownloadsApi, type DownloadFiles, type DownloadsApi } from '@worldwright/server/downloads'
import { createOpenApi } from '@worldwright/server/openapi'
import { createOperatorApi } from '@worldwright/server/operator'
import { createPages, type WorldPages } from '@worldwright/server/pages'
import {
  createReplicaHandler,
  followedTypes,
  ownerRoutes,
  type ReplicaStatus,
} from '@worldwright/server/replica'
import { createResultsApi, type WriteResult } from '@worldwright/server/results'
import type { RateLimit } from '../limits/rate-limit.ts'
import { robotsRoute } from '../limits/robots.ts'
import { pathOf } from '../log/access-log.ts'
import { IdentifiedRequest } from '../log/identified-request.ts'
import type { Log } from '../log/log.ts'
import type { Failure } from '../log/repeated-failures.ts'
import type { Explorer } from '../open/explorer-files.ts'
import { deletionsKeptMs, type Settings } from '../open/settings.ts'
import { UsageFault } from '../terminal/io.ts'
import { downloadOf, inFront } from './in-front.ts'

/** What is served: plain data, so that it can be sent to another process. */
export interface Served {
  /** The world's id. */
  readonly id: string
  readonly definition: WorldDefinition
  readonly settings: Settings
  /** The modules of its actions, absolute. */
  readonly actionFiles?: readonly string[]
  /** The folder of its attachments, absolute. */
  readonly attachments?: string
  /** The origin of the owner, if this is a copy of another world. */
  readonly owner?: string
}

/** A world that can be served, with the handler that proves it. */
export interface ValidatedWorld extends Served {
  readonly handler: WorldHandler
}

/** What a served world depends on. */
export interface WorldDeps {
  readonly storage: Storage
  /** Absent: it was not built. */
  readonly explorer: Explorer | undefined
  readonly log: Log
  /** Counts the requests of this process, where they are limited. */
  readonly rateLimit?: RateLimit | undefined
  readonly observe?: (seen: Observation) => void
  /** How the copy stands, if this is one. */
  readonly status?: (() => ReplicaStatus) | undefined
  /** Makes downloads. Absent: there are none. */
  readonly downloads?: DownloadFiles | undefined
  /** Draw pictures for previews of pages that have none. Default: true. */
  readonly cards?: boolean
  /** The path below which entities are files, for a world of files. */
  readonly entityFiles?: string
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
  { id, definition, settings, attachments: folder, owner }: Served,
  deps: WorldDeps,
  actions: readonly Action[] = [],
): WorldHandler {
  const { types } = definition
  const { publicUrl, apiUrl, trustProxy, retiredApiPaths } = settings
  const { storage, log, observe, status } = deps
  const world = descriptionOf({ id, definition, owner }, storage)
  const operator = createOperatorApi(world, storage, { types, actions })
  const admitted = settings.private ? { admit: operator.admit } : {}
  const kept = { deletionsKeptMs: deletionsKeptMs(settings) }
  const changes = createChangesApi(world, storage, { ...kept, ...admitted })
  const urls = { ...(publicUrl !== undefined && { publicUrl }), ...(apiUrl !== undefined && { apiUrl }) }
  const openApi = createOpenApi(() => handler, urls)
  const attachments = folder === undefined ? undefined : createAttachmentsApi(folder)
  const downloads =
    settings.downloads && deps.downloads
      ? createDownloadsApi(world, storage, {
          files: deps.downloads,
          hasPlaces: ({ schema }) => placesOf(schema).length > 0,
        })
      : undefined
  const results = createResultsApi(world, storage, resultPieces)
  let handler: WorldHandler
  try {
    const pages = pagesOf(world, settings, deps, downloads)
    handler = createWorld(world, storage, {
      ...urls,
      trustProxy,
      retiredApiPaths,
      actions,
      ...(pages && { lost: pages.lost }),
      admitCall: operator.admitCall,
      writes: owner === undefined ? operator.writes : undefined,
      routes: (apiPath) => [
        ...pageRoutes(pages, deps),
        ...openApi.routes,
        robotsRoute(settings, apiPath, downloadOf(settings, publicUrl)),
        ...(attachments?.routes ?? []),
        ...(downloads?.routes ?? []),
        ...results.routes(apiPath),
        ...(settings.changes ? changes.routes(apiPath) : []),
        ...(owner === undefined ? [] : ownerRoutes(operator.routes, owner)),
        ...(settings.operator ? operator.routes : []),
      ],
      extensions: async () => ({
        ...openApi.extensions,
        ...attachments?.extensions,
        ...downloads?.extensions,
        ...results.extensions,
        ...(settings.changes && (await changes.extensions())),
        ...(settings.operator && (await operator.extensions())),
      }),
      ...(settings.private && {
        authentication: { required: true, schemes: ['bearer'] },
        admit: operator.admit,
        // Discovery is for everybody, and what the data hold is not.
        listedTypes: owner === undefined ? declaredTypes(definition) : types,
      }),
      observe(seen) {
        observe?.(seen)
        if (seen.request instanceof IdentifiedRequest) seen.request.route = seen.route
      },
      log: (event) => log.fail(failureOf(event)),
    })
    return inFront(status ? createReplicaHandler(handler, status) : handler, settings, deps)
  } catch (error) {
    // An option that cannot work; its message names it.
    if (error instanceof TypeError) throw new UsageFault(error.message)
    throw error
  }
}

/** Formats are loaded with the first result that is written. */
const resultPieces: WriteResult = async function* (...written) {
  const { exportPieces } = await import('@worldwright/publish')
  yield* exportPieces(...written)
}

/** What the world is, its types as its store has them. */
function descriptionOf(
  { id, definition, owner }: Pick<Served, 'id' | 'definition'> & { readonly owner: string | undefined },
  storage: Storage,
): WorldDescription {
  const { name, description, license, attribution, types } = definition
  return {
    id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license }),
    ...(attribution !== undefined && { attribution }),
    types: () => (owner === undefined ? effectiveTypes(definition, storage) : followedTypes(types, storage)),
  }
}

/** The pages that need no script; undefined if not everybody may read, or the settings want none. */
function pagesOf(
  world: WorldDescription,
  settings: Settings,
  { storage, explorer, downloads: files, cards, entityFiles }: WorldDeps,
  downloads: DownloadsApi | undefined,
): WorldPages | undefined {
  if (!settings.pages || settings.private) return undefined
  const { publicUrl, apiUrl, trustProxy } = settings
  return createPages(world, storage, {
    trustProxy,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(apiUrl !== undefined && { apiUrl }),
    shell: explorer?.page,
    files,
    cards,
    entityFiles,
    downloads: (type) => downloads?.offered(type) ?? [],
  })
}

/** Pages, and the explorer's files. If there are no pages, the explorer is the home. */
function pageRoutes(pages: WorldPages | undefined, { explorer }: WorldDeps): readonly Route[] {
  const home = explorer ? [explorer.pageRoute] : []
  return [...(pages?.routes ?? home), ...(explorer?.fileRoutes ?? [])]
}

function failureOf({ event, method, target, requestId, error }: LogEvent): Failure {
  // What is damaged is no bug: where it was met does not matter.
  const stack = event === 'damaged' ? undefined : (error as Error | undefined)?.stack
  const why = error instanceof Error ? (stack ?? error.message) : String(error)
  const text = `${event}: ${method} ${pathOf(target)} (request ${requestId})`
  return { event, text, requestId, error: why, count: 1 }
}
