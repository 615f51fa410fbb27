/** Composes a request handler from a definition, a store and settings. */

import {
  type Action,
  createWorld,
  type Extension,
  type LogEvent,
  type Observation,
  type WorldHandler,
} from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck } from '@worldwright/entities/types'
import { ActionFileFault, loadActions } from '@worldwright/extensions/action-files'
import { attachments, pictureStore } from '@worldwright/extensions/attachments'
import { changes } from '@worldwright/extensions/changes'
import { directory, WORLD_TYPE } from '@worldwright/extensions/directory'
import { type DownloadFiles, downloads, offeredDownloads } from '@worldwright/extensions/downloads'
import { openApi } from '@worldwright/extensions/openapi'
import { operator } from '@worldwright/extensions/operator'
import { type Look, pages } from '@worldwright/extensions/pages'
import { query } from '@worldwright/extensions/query'
import { reconcile } from '@worldwright/extensions/reconcile'
import { followedTypes, type ReplicaStatus, replica } from '@worldwright/extensions/replica'
import { type ResultFormat, results } from '@worldwright/extensions/results'
import type { Story } from '@worldwright/extensions/stories'
import { mcp } from '@worldwright/mcp/extension'
import { nodeCodings } from '@worldwright/node'
import type { WorldDefinition } from '@worldwright/publish'
import { writtenFormats } from '@worldwright/publish/formats'
import { declaredTypes, effectiveTypes } from '@worldwright/publish/types'
import { streamLimitsFor } from '../limits/limits-for.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { robots } from '../limits/robots.ts'
import { pathOf } from '../log/access-log.ts'
import { IdentifiedRequest } from '../log/identified-request.ts'
import type { Log } from '../log/log.ts'
import type { Failure } from '../log/repeated-failures.ts'
import { type Explorer, explorer } from '../open/explorer-files.ts'
import { deletionsKeptMs, type Settings } from '../open/settings.ts'
import { Admission } from '../overload/admission.ts'
import { UsageFault } from '../terminal/io.ts'
import { downloadOf, front } from './in-front.ts'
import { isStillLoading, type Loading, stillLoading } from './still-loading.ts'

/** Admission control of this process, shared by its successive handlers. */
const admission = new Admission()

/** A world to serve, as plain data that can be sent to another process. */
export interface Served {
  /** Id of the world. */
  readonly id: string
  readonly definition: WorldDefinition
  readonly settings: Settings
  /** Absolute paths of the action modules. */
  readonly actionFiles?: readonly string[]
  /** Absolute path of the attachments folder. */
  readonly attachments?: string
  readonly stories?: readonly Story[]
  readonly look?: Look
  /** Origin of the upstream, if this is a replica of another world. */
  readonly upstream?: string
}

/** A world that has passed validation, with its handler. */
export interface ValidatedWorld extends Served {
  readonly handler: WorldHandler
}

/** Dependencies of a served world. */
export interface WorldDeps {
  readonly store: Store
  /** The explorer's files; undefined if the explorer was not built. */
  readonly explorer: Explorer | undefined
  readonly log: Log
  /** Rate limit of this process; absent if requests are not limited. */
  readonly rateLimit?: RateLimit | undefined
  readonly observe?: (seen: Observation) => void
  /** Extension that traces requests; absent if they are not traced. */
  readonly tracing?: Extension | undefined
  /** Returns the replication status, if this is a replica. */
  readonly status?: (() => ReplicaStatus) | undefined
  /** Creates downloads; absent if downloads are disabled. */
  readonly downloads?: DownloadFiles | undefined
  /** Load of types that cannot be read yet; absent if all can. */
  readonly loading?: Loading | undefined
  /** Set to false if pages have no share images. */
  readonly images?: false
  /** Path of the entity files, if the world is a static site. */
  readonly entityFiles?: string
}

/** Loads the action modules and creates the handler. @throws UsageFault for invalid settings or a faulty module */
export async function composeWithActions(served: Served, deps: WorldDeps): Promise<WorldHandler> {
  const { actionFiles = [] } = served
  try {
    return composeWorld(served, deps, await loadActions(actionFiles, createValidator))
  } catch (error) {
    if (error instanceof ActionFileFault) throw new UsageFault(error.message)
    throw error
  }
}

/** Creates the handler of a world. @throws UsageFault for invalid settings */
export function composeWorld(served: Served, deps: WorldDeps, actions: readonly Action[] = []): WorldHandler {
  const { id, definition, settings, upstream } = served
  const { name, description, license, attribution, types } = definition
  const { publicUrl, apiUrl, trustProxy, retiredApiPaths } = settings
  const { store, log, observe } = deps
  try {
    return createWorld({
      id,
      name,
      description,
      license,
      attribution,
      types: () => (upstream === undefined ? effectiveTypes(definition, store) : followedTypes(types, store)),
      store,
      extensions: extensionsOf(served, deps),
      actions,
      publicUrl,
      apiUrl,
      trustProxy,
      retiredApiPaths,
      codings: nodeCodings,
      admission,
      ...((observe || settings.accessLog) && {
        observe(seen) {
          observe?.(seen)
          if (seen.request instanceof IdentifiedRequest) seen.request.route = seen.route
        },
      }),
      log: (event) => isStillLoading(event.error) || log.fail(failureOf(event)),
    })
  } catch (error) {
    // The message names the invalid option.
    if (error instanceof TypeError) throw new UsageFault(error.message)
    throw error
  }
}

/** Returns the extensions in the order of the discovery document. The last ones intercept requests. */
function extensionsOf(
  { definition, settings, attachments: folder, stories, look, upstream }: Served,
  deps: WorldDeps,
): Extension[] {
  const { types } = definition
  const { explorer: files, downloads: made, images, entityFiles, status, loading, tracing } = deps
  const hasPages = settings.pages && !settings.private
  const hasDownloads = settings.downloads && made !== undefined
  const streamLimits = streamLimitsFor(settings)
  return [
    query(),
    hasPages &&
      pages({
        shell: files?.page,
        files: made,
        images,
        entityFiles,
        embed: settings.embed,
        stories,
        look,
        downloads: (type) => (hasDownloads ? offeredDownloads(type, writtenFormats()) : []),
      }),
    files !== undefined && explorer(files, hasPages),
    openApi(),
    robots(settings, downloadOf(settings, settings.publicUrl)),
    folder !== undefined && attachments({ folder }),
    hasDownloads && downloads({ files: made, formats: writtenFormats(), prepared: ['parquet', 'csv'] }),
    results({ formats: resultFormats() }),
    types.some(({ type }) => type === WORLD_TYPE) && directory(),
    reconcile(hasPages ? { view: '/t/' } : {}),
    settings.changes && changes({ deletionsKeptMs: deletionsKeptMs(settings), ...streamLimits }),
    operator({
      check: createTypeCheck(types, createValidator),
      upstream,
      isServed: settings.operator,
      audit: deps.log.audit,
      ...(folder !== undefined && { pictures: pictureStore(folder) }),
      isPrivate: settings.private,
      // Discovery is public, so it must not list types that occur only in the data.
      listedTypes: upstream === undefined ? declaredTypes(definition) : types,
    }),
    status !== undefined && replica({ status }),
    loading !== undefined && stillLoading(loading),
    settings.mcp && mcp(streamLimits),
    front(settings, deps),
    tracing !== undefined && tracing,
  ].filter((one) => one !== false)
}

/** Returns the text formats of query results, sorted by name. */
function resultFormats(): readonly ResultFormat[] {
  return writtenFormats()
    .filter(({ isBinary }) => !isBinary)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function failureOf({ event, method, target, requestId, error }: LogEvent): Failure {
  // Damage is not a bug, so the stack is omitted.
  const stack = event === 'damaged' ? undefined : (error as Error | undefined)?.stack
  const why = error instanceof Error ? (stack ?? error.message) : String(error)
  const text = `${event}: ${method} ${pathOf(target)} (request ${requestId})`
  return { event, text, requestId, error: why, count: 1 }
}
