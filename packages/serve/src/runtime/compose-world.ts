/** Composes a definition, a store and settings into a request handler. */

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
import { ActionFileFault, loadActions } from '@worldwright/extensions/actions'
import { attachments } from '@worldwright/extensions/attachments'
import { changes } from '@worldwright/extensions/changes'
import { type DownloadFiles, downloads, offeredDownloads } from '@worldwright/extensions/downloads'
import { openApi } from '@worldwright/extensions/openapi'
import { operator } from '@worldwright/extensions/operator'
import { pages } from '@worldwright/extensions/pages'
import { query } from '@worldwright/extensions/query'
import { reconcile } from '@worldwright/extensions/reconcile'
import { followedTypes, type ReplicaStatus, replica } from '@worldwright/extensions/replica'
import { type ResultFormat, results } from '@worldwright/extensions/results'
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

/** One per process, shared by its successive handlers. */
const admission = new Admission()

/** A world to serve: plain data, so that it can be sent to another process. */
export interface Served {
  /** The world's id. */
  readonly id: string
  readonly definition: WorldDefinition
  readonly settings: Settings
  /** Absolute paths of its action modules. */
  readonly actionFiles?: readonly string[]
  /** Absolute path of its attachments folder. */
  readonly attachments?: string
  /** Origin of the upstream, if this is a replica of another world. */
  readonly upstream?: string
}

/** A world that can be served, with the handler that proves it. */
export interface ValidatedWorld extends Served {
  readonly handler: WorldHandler
}

/** Dependencies of a served world. */
export interface WorldDeps {
  readonly storage: Store
  /** Undefined if it was not built. */
  readonly explorer: Explorer | undefined
  readonly log: Log
  /** Counts the requests of this process, if they are limited. */
  readonly rateLimit?: RateLimit | undefined
  readonly observe?: (seen: Observation) => void
  /** Returns the replication status, if this is a replica. */
  readonly status?: (() => ReplicaStatus) | undefined
  /** Makes downloads; absent if there are none. */
  readonly downloads?: DownloadFiles | undefined
  /** Draws preview pictures for pages that have none. Default: true. */
  readonly cards?: boolean
  /** The path below which entities are files, for a world of files. */
  readonly entityFiles?: string
}

/** Runs the modules of a world's actions, and creates the handler. @throws as `composeWorld`, UsageFault for a module */
export async function composeWithActions(served: Served, deps: WorldDeps): Promise<WorldHandler> {
  const { actionFiles = [] } = served
  try {
    return composeWorld(served, deps, await loadActions(actionFiles, createValidator))
  } catch (error) {
    if (error instanceof ActionFileFault) throw new UsageFault(error.message)
    throw error
  }
}

/** Creates the handler. @throws UsageFault for settings that cannot work */
export function composeWorld(served: Served, deps: WorldDeps, actions: readonly Action[] = []): WorldHandler {
  const { id, definition, settings, upstream } = served
  const { name, description, license, attribution, types } = definition
  const { publicUrl, apiUrl, trustProxy, retiredApiPaths } = settings
  const { storage, log, observe } = deps
  try {
    return createWorld({
      id,
      name,
      description,
      license,
      attribution,
      types: () =>
        upstream === undefined ? effectiveTypes(definition, storage) : followedTypes(types, storage),
      store: storage,
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
      log: (event) => log.fail(failureOf(event)),
    })
  } catch (error) {
    // An invalid option; the message names it.
    if (error instanceof TypeError) throw new UsageFault(error.message)
    throw error
  }
}

/** Returns the extensions, in the order in which discovery lists them. The last ones go in front of the world. */
function extensionsOf(
  { definition, settings, attachments: folder, upstream }: Served,
  deps: WorldDeps,
): Extension[] {
  const { types } = definition
  const { explorer: files, downloads: made, cards, entityFiles, status } = deps
  const hasPages = settings.pages && !settings.private
  const hasDownloads = settings.downloads && made !== undefined
  return [
    query(),
    hasPages &&
      pages({
        shell: files?.page,
        files: made,
        cards,
        entityFiles,
        downloads: (type) => (hasDownloads ? offeredDownloads(type, writtenFormats()) : []),
      }),
    files !== undefined && explorer(files, hasPages),
    openApi(),
    robots(settings, downloadOf(settings, settings.publicUrl)),
    folder !== undefined && attachments({ folder }),
    hasDownloads && downloads({ files: made, formats: writtenFormats() }),
    results({ formats: resultFormats() }),
    reconcile(hasPages ? { view: '/t/' } : {}),
    settings.changes && changes({ deletionsKeptMs: deletionsKeptMs(settings), ...streamLimitsFor(settings) }),
    operator({
      check: createTypeCheck(types, createValidator),
      upstream,
      isServed: settings.operator,
      audit: deps.log.audit,
      isPrivate: settings.private,
      // Discovery is public, and the contents of the data are not.
      listedTypes: upstream === undefined ? declaredTypes(definition) : types,
    }),
    status !== undefined && replica({ status }),
    front(settings, deps),
  ].filter((one) => one !== false)
}

/** Returns the text formats of results, sorted by name. */
function resultFormats(): readonly ResultFormat[] {
  return writtenFormats()
    .filter(({ isBinary }) => !isBinary)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function failureOf({ event, method, target, requestId, error }: LogEvent): Failure {
  // Damage is no bug, so the stack does not matter.
  const stack = event === 'damaged' ? undefined : (error as Error | undefined)?.stack
  const why = error instanceof Error ? (stack ?? error.message) : String(error)
  const text = `${event}: ${method} ${pathOf(target)} (request ${requestId})`
  return { event, text, requestId, error: why, count: 1 }
}
